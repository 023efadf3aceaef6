/**
 * Copies the ledger to another place: SQLite to PostgreSQL, or back. No daemon may run on the source, which
 * stays unchanged except for a mark that it is no longer live. The target is filled in a database
 * transaction, or under another name; every row is compared before the target is used.
 */
import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { placeFailure, publish, temporaryPath } from '../../base/io/new-file.js';
import type { Clock } from '../../base/values/clock.js';
import type { RandomSource } from '../../base/values/ids.js';
import { mayDaemonRun, SIGN_OF_LIFE_MS } from '../../domain/upkeep/jobs.js';
import { copyRows, type LedgerReader, type LedgerWriter, ledgerTables } from '../../store/backup/ledger.js';
import { MIGRATIONS, tablesVersion } from '../../store/migrate.js';
import type { Engine } from '../../store/schema/index.js';
import type { Store } from '../../store/store.js';
import { jobRuns } from '../../store/tables/job-runs.js';
import { markCopied, whyCopied } from '../core/require-home.js';
import { describeStoreLocation, type StoreLocation, withStore } from './store-location.js';

export type CopyTarget =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly databaseUrl: string };

export interface CopyOrder extends WatchOptions {
  readonly target: CopyTarget;
  readonly random: RandomSource;
  /** Reports the number of rows written, and then compared. */
  onRows(done: number, total: number | null): void;
}

export interface CopyResult {
  readonly from: Engine;
  readonly to: Engine;
  /** The file, or the address without its password. */
  readonly where: string;
  readonly rows: number;
  readonly payments: number;
  readonly merchants: number;
  readonly phones: number;
}

/**
 * Copies the store as of the time at which the copy begins.
 * @throws KashboxError `state_refused` if a daemon runs, if the store was copied before, if the target is not
 * empty, or if the copied rows differ; `store_newer`, `store_unreachable`, `store_full`
 */
export async function copyStore(source: StoreLocation, order: CopyOrder): Promise<CopyResult> {
  const { target, clock } = order;
  if (source.databaseUrl === null && target.engine === 'sqlite' && target.file === source.file) {
    refuse(
      `${source.file} is the store itself`,
      'Name a file that does not exist, or an empty PostgreSQL database.',
    );
  }
  await assertVacantTarget(target);
  await withStore(source, clock.now(), async (store) => {
    const version = await store.read(tablesVersion);
    if (version > MIGRATIONS.length) throw new KashboxError('store_newer');
    const copied = hasFacts(version) ? await store.read(whyCopied) : null;
    if (copied !== null) throw copied;
    await requireNoRunningDaemon(store, order);
  });
  const reader = await openSnapshot(source);
  try {
    const rows = await fill(reader, order);
    const { payments, merchants, phones } = reader.facts;
    const where = describeStoreLocation(
      target.engine === 'sqlite'
        ? { file: target.file, databaseUrl: null }
        : { file: '', databaseUrl: target.databaseUrl },
    );
    if (hasFacts(reader.facts.schemaVersion)) await mark(source, { where, at: clock.now() });
    return { from: source.engine, to: target.engine, where, rows, payments, merchants, phones };
  } catch (error) {
    throw copyFailure(target.engine === 'sqlite' ? placeFailure(target.file, error) : error);
  } finally {
    await reader.close();
  }
}

/** True if tables of that version store facts of the installation. */
const hasFacts = (schemaVersion: number) => ledgerTables(schemaVersion).includes('installation');

function mark(source: StoreLocation, copied: { readonly where: string; readonly at: number }): Promise<void> {
  return withStore(source, copied.at, (store) => store.write((db) => markCopied(db, copied)));
}

async function openSnapshot({ file, databaseUrl }: StoreLocation): Promise<LedgerReader> {
  if (databaseUrl === null) {
    const { openSqliteSnapshot } = await import('../../store/backup/sqlite-ledger.js');
    return openSqliteSnapshot(file);
  }
  const { openPostgresSnapshot } = await import('../../store/backup/postgres-ledger.js');
  return openPostgresSnapshot(databaseUrl);
}

/** @returns how many rows there are in the target now. */
async function fill(reader: LedgerReader, order: CopyOrder): Promise<number> {
  const { target, random, clock } = order;
  const { schemaVersion } = reader.facts;
  if (target.engine === 'postgres') {
    const { fillPostgres } = await import('../../store/backup/postgres-ledger.js');
    return transfer(reader, await fillPostgres(target.databaseUrl, schemaVersion, clock.now()), order);
  }
  const { fillSqlite } = await import('../../store/backup/sqlite-ledger.js');
  const draft = temporaryPath(target.file, random);
  try {
    const rows = await transfer(reader, await fillSqlite(draft, schemaVersion, clock.now()), order);
    assertVacantFile(target.file);
    publish(draft, target.file, true);
    return rows;
  } finally {
    for (const end of ['', '-journal']) rmSync(`${draft}${end}`, { force: true });
  }
}

async function transfer(reader: LedgerReader, writer: LedgerWriter, order: CopyOrder): Promise<number> {
  const { signal, onRows } = order;
  let done = 0;
  let copied: number | null = null;
  const looked = (rows: number) => {
    signal.throwIfAborted();
    done += rows;
    onRows(done, copied === null ? null : 2 * copied);
  };
  try {
    await copyRows(reader, writer, looked);
    copied = done;
    await writer.keep(reader.facts, looked);
    return copied;
  } finally {
    await writer.close();
  }
}

/** @throws KashboxError `state_refused`, `invalid_input`, `store_unreachable` */
async function assertVacantTarget(target: CopyTarget): Promise<void> {
  if (target.engine === 'sqlite') return assertVacantFile(target.file);
  const { assertEmptyPostgres } = await import('../../store/backup/postgres-ledger.js');
  return assertEmptyPostgres(target.databaseUrl);
}

/** Suffixes of files that may outlive the main file; SQLite would take them for a part of the new one. */
const SIDE_FILE_SUFFIXES = ['-wal', '-shm', '-journal'];

function assertVacantFile(file: string): void {
  const folder = statSync(dirname(file), { throwIfNoEntry: false });
  if (folder?.isDirectory() !== true)
    refuse(`There is no folder ${dirname(file)}`, 'Create it, or name another.');
  const present = statSync(file, { throwIfNoEntry: false });
  if (present?.isDirectory()) refuse(`${file} is a folder`, 'Name a file in it.');
  const left = SIDE_FILE_SUFFIXES.map((end) => `${file}${end}`).filter((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  const [first] = present !== undefined && present.size > 0 ? [file, ...left] : left;
  if (first === undefined) return;
  throw new KashboxError('state_refused', {
    message: `${first} already exists, so nothing is copied to ${file}`,
    hint: `If you do not need it, move it away first: mv ${first} ${first}.old`,
  });
}

/** Converts an error of a backup to one of a copy. */
function copyFailure(error: unknown): unknown {
  if (!isKashboxError(error, 'backup_damaged')) return error;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return new KashboxError('state_refused', {
    message: `The copy differs from the original${cause}`,
    hint: 'The copy was removed and the store is unchanged. Check both with `kashbox doctor`, and try again.',
    cause: error,
  });
}

const LOOK_EVERY_MS = 1_000;

interface WatchOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  pause(ms: number): Promise<unknown>;
  /** Called once if waiting takes a while. */
  onWait(): void;
}

/**
 * A daemon writes down at least every half a minute how its jobs do. Where one did so just now, this looks
 * whether it does it again: it may have been stopped since.
 * @throws KashboxError `state_refused`
 */
async function requireNoRunningDaemon(store: Store, watching: WatchOptions): Promise<void> {
  const { clock, signal, pause, onWait } = watching;
  const first = await signsOf(store);
  if (!mayDaemonRun(first.lastAt, clock.now())) return;
  onWait();
  const endsAt = clock.now() + SIGN_OF_LIFE_MS;
  while (clock.now() < endsAt && mayDaemonRun(first.lastAt, clock.now())) {
    await pause(LOOK_EVERY_MS);
    signal.throwIfAborted();
    if ((await signsOf(store)).runs === first.runs) continue;
    throw new KashboxError('state_refused', {
      message: 'A daemon is running on this store: its new payments would be missing in the copy',
      hint: 'Stop every daemon on it, for example with systemctl stop kashbox, and run the command again.',
    });
  }
}

async function signsOf(store: Store): Promise<{ readonly lastAt: number | null; readonly runs: number }> {
  const rows = await store.read(jobRuns);
  return {
    lastAt: rows.length === 0 ? null : Math.max(...rows.map(({ last_at }) => last_at)),
    runs: rows.reduce((sum, row) => sum + row.runs, 0),
  };
}
