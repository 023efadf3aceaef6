/**
 * The self-signed certificate that daemons on one PostgreSQL share: sealed in the store, so that a phone that
 * has pinned it may call any of them. On SQLite the store lies beside the certificate's folder,
 * and keeps none.
 */
import { X509Certificate } from 'node:crypto';
import type { InstallationTable } from '../../store/schema/index.js';
import { installationFact, keepFact } from '../../store/tables/installation.js';
import type { Core } from '../core/core.js';
import { ifReadable } from '../core/seal-purposes.js';

/** Certificate and key, PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const FACT: InstallationTable['name'] = 'certificate';
const PURPOSE = 'installation:certificate';

/** @returns null where none is kept, where it has run out, or where it was sealed under another key file. */
export async function sharedCertificate(core: Core): Promise<TlsFiles | null> {
  if (core.store.engine === 'sqlite') return null;
  return usable(core, await keptText(core));
}

/**
 * Keeps a certificate for all daemons, unless a usable one is kept.
 * @returns the one that is kept afterwards: another daemon may have been faster
 * @throws KashboxError `store_unreachable` and others of the store
 */
export async function shareCertificate(core: Core, files: TlsFiles): Promise<TlsFiles> {
  if (core.store.engine === 'sqlite' || core.keyProblem !== null) return files;
  const before = await keptText(core);
  const kept = usable(core, before);
  if (kept !== null) return kept;
  const value = core.secrets.seal(JSON.stringify({ cert: files.cert, key: files.key }), PURPOSE);
  await core.store.write((db) => keepFact(db, FACT, { before, value }));
  return usable(core, await keptText(core)) ?? files;
}

const keptText = (core: Core) => core.store.read((db) => installationFact(db, FACT));

function usable(core: Core, sealed: string | undefined): TlsFiles | null {
  if (sealed === undefined) return null;
  const text = ifReadable(() => core.secrets.open(sealed, PURPOSE));
  if (text === null) return null;
  const files = JSON.parse(text) as TlsFiles;
  return Date.parse(new X509Certificate(files.cert).validTo) > core.clock.now() ? files : null;
}
