/**
 * Reads a backup to its end, and makes an installation of it: a home folder that was not there, and with a
 * database's address an empty PostgreSQL. Everything is made under another name, or in a transaction, until
 * all of it has been compared.
 *
 *   draft folder, open transaction ──► every member ──► checksums ──► commit ──► the folder gets its name
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { KashboxError } from '../../base/errors/errors.js';
import { makeFolder, syncFolder, writeDurably } from '../../base/io/durable-file.js';
import { placeFailure } from '../../base/io/new-file.js';
import type { TarEntry } from '../../base/io/tar.js';
import { dhakaIso } from '../../base/values/clock.js';
import { copyRows, type LedgerWriter, ledgerTables } from '../../store/backup/ledger.js';
import type { Engine } from '../../store/schema/index.js';
import {
  isEncryptedBackup,
  locateMember,
  MANIFEST,
  type Manifest,
  parseManifest,
  type ReadOptions,
  readBackupFile,
  SQLITE_LEDGER,
  wholeEntry,
} from './backup-file.js';

const SETTINGS_FILE = 'kashbox.json';
const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;

interface RestoreTarget {
  /** The home folder, not there yet or empty. */
  readonly folder: string;
  /** An empty database; null restores the ledger into the home folder. */
  readonly databaseUrl: string | null;
}

export interface RestoreOrder extends ReadOptions, RestoreTarget {
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface RestoreResult {
  readonly manifest: Manifest;
  readonly notes: readonly string[];
}

/** @throws KashboxError `state_refused` where something is that would be mixed or lost. */
export async function assertVacant({ folder, databaseUrl }: RestoreTarget): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new KashboxError('state_refused', {
      message: `${folder} is not empty, so nothing is restored into it`,
      hint: `Stop the daemon if one runs there, then move the folder away: mv ${folder} ${folder}.old`,
    });
  }
  if (databaseUrl === null) return;
  const { assertEmptyPostgres } = await import('../../store/backup/postgres-ledger.js');
  await assertEmptyPostgres(databaseUrl);
}

/**
 * Restores a backup. Engine and version may differ from the backup: its rows go into tables of the backup's
 * version, and the first start migrates them.
 * @returns the manifest and notes for the operator.
 * @throws KashboxError `state_refused`, `store_unreachable`, and as `checkBackup`
 */
export async function restoreBackup(order: RestoreOrder): Promise<RestoreResult> {
  const folder = resolve(order.folder);
  await assertVacant(order);
  const draft = makeDraft(folder);
  const ledger = new LedgerTarget(order, join(draft, SQLITE_LEDGER));
  try {
    const manifest = await readBackup(order.file, order, async (entry, about) => {
      const place = locateMember(entry.name);
      if (place.kind === 'rows') await ledger.add(place.table, entry, about);
      else await writeEntry(join(draft, entry.name), entry);
    });
    const isForgotten = forgetDatabase(draft);
    await ledger.keep(manifest);
    moveTo(draft, folder);
    return { manifest, notes: isForgotten ? [FORGOTTEN] : [] };
  } catch (error) {
    throw placeFailure(folder, error);
  } finally {
    await ledger.close();
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The store that the rows go into, made when the first of them comes. */
class LedgerTarget {
  private writer: LedgerWriter | null = null;

  constructor(
    private readonly order: RestoreOrder,
    /** Path of the restored SQLite ledger. */
    private readonly file: string,
  ) {}

  async add(table: string, entry: TarEntry, manifest: Manifest): Promise<void> {
    if (!ledgerTables(manifest.schemaVersion).includes(table)) throw new KashboxError('backup_damaged');
    const text = (await wholeEntry(entry)).toString('utf8');
    const writer = await this.open(manifest);
    await writer.add(table, text.split('\n').slice(0, -1));
  }

  async keep(manifest: Manifest): Promise<void> {
    if (manifest.engine === 'sqlite') await this.takeFile(manifest);
    else if (this.writer === null) throw new KashboxError('backup_damaged');
    await this.writer?.keep(manifest);
  }

  /** Takes an SQLite backup's ledger file; copies its rows into the target database if there is one. */
  private async takeFile(manifest: Manifest): Promise<void> {
    const { openSqliteCopy } = await import('../../store/backup/sqlite-ledger.js');
    const copy = openSqliteCopy(this.file, manifest);
    try {
      if (this.order.databaseUrl === null) return;
      await copyRows(copy, await this.open(manifest));
    } finally {
      await copy.close();
    }
    rmSync(this.file);
  }

  private async open({ schemaVersion }: Manifest): Promise<LedgerWriter> {
    this.writer ??= await openWriter(this.order, this.file, schemaVersion);
    return this.writer;
  }

  async close(): Promise<void> {
    await this.writer?.close();
  }
}

async function openWriter(order: RestoreOrder, file: string, schemaVersion: number): Promise<LedgerWriter> {
  if (order.databaseUrl === null) {
    const { fillSqlite } = await import('../../store/backup/sqlite-ledger.js');
    return fillSqlite(file, schemaVersion, order.now);
  }
  const { fillPostgres } = await import('../../store/backup/postgres-ledger.js');
  return fillPostgres(order.databaseUrl, schemaVersion, order.now);
}

/** Creates a draft folder next to the home folder, because a folder can only be renamed on its own disk. */
function makeDraft(folder: string): string {
  try {
    makeFolder(dirname(folder), PRIVATE_FOLDER);
    return mkdtempSync(`${folder}.restore-`);
  } catch (cause) {
    throw new KashboxError('store_unreachable', {
      message: `The folder ${folder} cannot be created`,
      hint: 'Run as the user who should own it, or set KASHBOX_HOME to a folder that can be created.',
      cause,
    });
  }
}

/** Names have been checked by `locateMember`: at most one folder deep. */
async function writeEntry(path: string, { content }: TarEntry): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const handle = await open(path, 'wx', PRIVATE);
  try {
    for await (const piece of content) await handle.appendFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
  syncFolder(dirname(path));
}

const FORGOTTEN =
  'kashbox.json named a database, which may be in use: that setting was left out. Where the ledger is in ' +
  'PostgreSQL, KASHBOX_DATABASE_URL must stay set for the daemon and for every command.';

/**
 * The ledger is where it was restored to: with the address of before, commands in the restored home would
 * change the installation that it is a copy of.
 */
function forgetDatabase(draft: string): boolean {
  const file = join(draft, SETTINGS_FILE);
  if (!existsSync(file)) return false;
  const text = readFileSync(file, 'utf8');
  const kept = withoutDatabase(text);
  if (kept === null) return false;
  writeDurably(file, kept, PRIVATE);
  return true;
}

/** @returns null where it names none, or is broken: then nothing starts with it. */
function withoutDatabase(text: string): string | null {
  try {
    const whole = JSON.parse(text) as { settings?: Record<string, unknown> };
    if (whole.settings?.databaseUrl === undefined) return null;
    const { databaseUrl: _forgotten, ...settings } = whole.settings;
    return `${JSON.stringify({ ...whole, settings }, null, 2)}\n`;
  } catch {
    return null;
  }
}

function moveTo(draft: string, folder: string): void {
  syncFolder(draft);
  try {
    // One that is empty; a folder that somebody has filled meanwhile stays.
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(draft, folder);
  } catch (cause) {
    const kept = `${draft}.whole`;
    renameSync(draft, kept);
    throw new KashboxError('state_refused', {
      message: `Everything is restored, but ${folder} could not be replaced`,
      hint: `Move what is in ${kept} into ${folder} by hand, then run \`kashbox doctor\`.`,
      cause,
    });
  }
  syncFolder(dirname(folder));
}

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
  /** Value for `kashbox audit verify --expect`; null if the chain was empty. */
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
 * @param take receives every member except the manifest, which is the first one; its results are valid only
 * if this function succeeds.
 * @throws KashboxError as `checkBackup`, and what `take` throws
 */
async function readBackup(
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
      locateMember(entry.name);
      await take(entry, read.manifest);
    } else if (entry.name === MANIFEST) {
      read.manifest = parseManifest((await wholeEntry(entry)).toString('utf8'));
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
