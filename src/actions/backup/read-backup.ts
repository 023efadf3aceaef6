/** Reads a backup to its end: what it says of itself, whether it is whole, and its members for a taker. */
import { KashboxError } from '../../base/errors/errors.js';
import type { TarEntry } from '../../base/io/tar.js';
import { dhakaIso } from '../../base/values/clock.js';
import type { Engine } from '../../store/schema/index.js';
import { isEncryptedBackup, type ReadOptions, readBackupFile, wholeEntry } from './backup-file.js';
import { MANIFEST, type Manifest, placeOf, readManifest, SQLITE_LEDGER } from './manifest.js';

/** What a backup holds, for people and programs. */
export interface BackupShown {
  readonly file: string;
  readonly encrypted: boolean;
  readonly made_at: string;
  /** Version of the Kashbox that made it. */
  readonly kashbox: string;
  readonly engine: Engine;
  readonly schema_version: number;
  readonly payments: number;
  readonly merchants: number;
  readonly phones: number;
  /** What `kashbox audit verify --expect` takes. */
  readonly chain_head: string | null;
  readonly files: readonly string[];
}

/**
 * Compares every byte with its checksums; changes nothing.
 * @throws KashboxError `invalid_input`, `backup_damaged`, `passphrase_wrong`, `store_newer`
 */
export async function checkBackup(file: string, options: ReadOptions): Promise<BackupShown> {
  const encrypted = await isEncryptedBackup(file);
  const manifest = await readBackup(file, options, async () => {});
  const { kashbox, engine, madeAt, schemaVersion, payments, merchants, phones, chainHead, files } = manifest;
  const made_at = dhakaIso(madeAt);
  const counts = { payments, merchants, phones, chain_head: chainHead };
  return { file, encrypted, made_at, kashbox, engine, schema_version: schemaVersion, ...counts, files };
}

/**
 * @param take is handed every member but the manifest, which comes first; what it makes of them counts only
 * if this ends without an error.
 * @throws KashboxError as `checkBackup`, and what `take` throws
 */
export async function readBackup(
  file: string,
  options: ReadOptions,
  take: (entry: TarEntry, manifest: Manifest) => Promise<void>,
): Promise<Manifest> {
  const read: { manifest?: Manifest } = {};
  const seen = new Set<string>();
  await readBackupFile(file, options, async (entry) => {
    if (seen.has(entry.name)) throw new KashboxError('backup_damaged');
    seen.add(entry.name);
    if (read.manifest !== undefined) {
      placeOf(entry.name);
      await take(entry, read.manifest);
    } else if (entry.name === MANIFEST) {
      read.manifest = readManifest((await wholeEntry(entry)).toString('utf8'));
    } else throw new KashboxError('backup_damaged');
  });
  const { manifest } = read;
  if (manifest === undefined || !isComplete(manifest, seen)) throw new KashboxError('backup_damaged');
  return manifest;
}

function isComplete({ files, engine }: Manifest, seen: ReadonlySet<string>): boolean {
  const wanted = engine === 'sqlite' ? [...files, SQLITE_LEDGER] : files;
  return wanted.every((name) => seen.has(name));
}
