/**
 * Keeps commands from the wrong store: in a wrong folder they create no store and report no empty shop, and a
 * store copied by `db copy` is read-only, so that the same money is not credited in both.
 */
import { existsSync, statSync } from 'node:fs';
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaText } from '../../base/values/clock.js';
import { requireAccess } from '../../config/folder-access.js';
import { type Home, hasSealingKey, openHome } from '../../config/home.js';
import { parseSettings, type Settings } from '../../config/settings.js';
import type { Db } from '../../store/schema/index.js';
import { installationFact, removeFact, setFact } from '../../store/tables/installation.js';

/** @throws KashboxError `store_unreachable` */
export function requireFolder(folder: string): void {
  requireAccess(folder);
  if (!existsSync(folder)) throw missing(folder, 'there is no such folder');
}

/** @param databaseUrl empty where the store is a file. @throws KashboxError `store_unreachable` */
export function requireStoreFile({ folder, storeFile }: Home, databaseUrl: string): void {
  if (databaseUrl !== '') return;
  if (!existsSync(storeFile)) {
    throw hasSealingKey(folder) ? lost(folder, storeFile) : missing(folder, 'it has no kashbox.db');
  }
  if (isEmptied(storeFile)) throw emptied(storeFile);
}

/**
 * Checks that creating an installation does not replace a lost store. A first start creates the tables,
 * durably, before the key. So with a key there was a store: its file is missing or empty, or it is in a
 * PostgreSQL that is not configured. Without a key, an interrupted first start continues.
 * @throws KashboxError `store_unreachable`
 */
export function requireStoreNotLost({ folder, storeFile }: Home, databaseUrl: string): void {
  if (databaseUrl !== '' || !hasSealingKey(folder)) return;
  if (!existsSync(storeFile)) throw lost(folder, storeFile);
  if (isEmptied(storeFile)) throw emptied(storeFile);
}

/** True if the store file is empty; the last writes may be in its write-ahead log. */
const isEmptied = (storeFile: string) => sizeOf(storeFile) + sizeOf(`${storeFile}-wal`) === 0;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const RESTORE =
  'Restore the last backup: kashbox restore FILE. For a new shop use another home folder (KASHBOX_HOME), ' +
  'or move kashbox.db, secret.key and tls away.';

const lost = (folder: string, storeFile: string) =>
  new KashboxError('store_unreachable', {
    message: `${folder} has a secret.key but no store: ${storeFile} is missing`,
    hint: `If the store is in PostgreSQL, set KASHBOX_DATABASE_URL. Otherwise restore the file. ${RESTORE}`,
  });

const emptied = (storeFile: string) =>
  new KashboxError('store_unreachable', {
    message: `The file ${storeFile} is empty`,
    hint: RESTORE,
  });

/**
 * Checks the home folder and the store file; creates nothing. A database is checked when it is opened.
 * @throws KashboxError `store_unreachable` if there is no installation, `config_invalid`
 */
export function requireHome(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly home: Home; readonly settings: Settings } {
  requireFolder(folder);
  const home = openHome(folder);
  const settings = parseSettings({}, env, home.settings);
  requireStoreFile(home, settings.databaseUrl);
  return { home, settings };
}

function missing(folder: string, why: string): KashboxError {
  return new KashboxError('store_unreachable', {
    message: `No Kashbox installation in ${folder}: ${why}`,
    hint:
      'Set KASHBOX_HOME to the home folder of the installation, name it with --context, or create one with ' +
      '`kashbox setup`.',
  });
}

interface CopyMark {
  /** The file, or the address without its password. */
  readonly where: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function markCopied(db: Db, mark: CopyMark): Promise<void> {
  return setFact(db, 'copied_to', JSON.stringify(mark));
}

/** Makes it the live one again. */
export function unmarkCopied(db: Db): Promise<void> {
  return removeFact(db, 'copied_to');
}

/** @returns why nothing may be stored here; null where this is the live store. */
export async function whyCopied(db: Db): Promise<KashboxError | null> {
  const text = await installationFact(db, 'copied_to');
  if (text === undefined) return null;
  const { where, at } = JSON.parse(text) as CopyMark;
  return new KashboxError('state_refused', {
    message: `This store was copied to ${where} at ${dhakaText(at)} Bangladesh time, and the copy is the live one`,
    hint:
      'Use the copy: KASHBOX_DATABASE_URL says where it is; it is not set for a file in the home folder. ' +
      'Only if no daemon uses the copy any longer, `kashbox daemon --force` makes this store the live ' +
      'one again.',
  });
}
