/**
 * Embedded store: one SQLite file in WAL mode, with one connection for writes and one for reads. SQLite syncs
 * each commit itself. Writes that arrive in one turn of the event loop share a commit (group-commit.ts).
 */
import { KashboxError } from '../base/errors/errors.js';
import { sleep, systemTimers, type Timers } from '../base/values/timers.js';
import { createDb, type Execute } from './dialect.js';
import { nameSqliteError } from './driver-errors.js';
import { FileWatch, LockWatch, LogRepair } from './file-watch.js';
import { type Changes, GroupCommit } from './group-commit.js';
import { MIGRATIONS, migrate, tablesVersion } from './migrate.js';
import {
  machineDisk,
  type SqliteConnection,
  type SqliteDisk,
  type SqliteStatement,
  type SqliteValue,
} from './sqlite-driver.js';
import type { Opening, Store } from './store.js';
import { WriteHealth } from './write-health.js';

/** Negative means KiB. The reader looks up keys and accounts, whose pages are few and always the same. */
const WRITER_CACHE_KIB = -8_000;
const READER_CACHE_KIB = -1_000;
const CACHED_STATEMENTS = 400;
/** 31 MiB. SQLite's own 1,000 copy the pages of hot indexes again and again: a tenth of a verification. */
const CHECKPOINT_PAGES = 8_000;
/** Maximum size of the log after it restarts; a long reader may let it grow beyond this. */
const LOG_BYTES = 32 * 1_048_576;
/** `synchronous`: a commit is on the disk before it returns. */
const FULL = 2;

function openConnection(disk: SqliteDisk, file: string, cacheKib: number): SqliteConnection {
  const raw = disk.open(file);
  const isLogged = raw.pragma('journal_mode = WAL') === 'wal';
  raw.exec('PRAGMA synchronous = FULL');
  raw.exec('PRAGMA foreign_keys = ON');
  raw.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  raw.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
  raw.exec(`PRAGMA cache_size = ${cacheKib}`);
  // A savepoint keeps the old pages; past 64 KiB they went to a temporary file, half of all that was written.
  raw.exec('PRAGMA temp_store = MEMORY');
  if (isLogged && raw.pragma('synchronous') === FULL) return raw;
  raw.close();
  throw new KashboxError('store_unreachable', {
    message: `SQLite refuses ${isLogged ? 'synchronous=FULL' : 'a write-ahead log'} for this file`,
    hint: 'Keep the store on a local disk, not on a network folder.',
  });
}

interface CachedStatement {
  readonly statement: SqliteStatement;
  /** The names of its columns; empty for a statement that answers no rows. */
  readonly names: readonly string[];
  /** A row with these columns, to be copied. */
  readonly form: Readonly<Record<string, unknown>>;
  /** True where it may change rows. */
  readonly isWrite: boolean;
}

const WRITES = /^\s*(insert|update|delete|replace)\b|^\s*with\b[\s\S]*\b(insert|update|delete)\b/i;

function prepare(raw: SqliteConnection, sql: string): CachedStatement {
  const statement = raw.prepare(sql);
  const names = statement.columns().map(({ name }) => name);
  const form = Object.fromEntries(names.map((name) => [name, null]));
  statement.setReturnArrays(true);
  return { statement, names, form, isWrite: WRITES.test(sql) };
}

/**
 * SQL in, rows out, every statement prepared once. Rows are fetched as lists and copied into objects of one
 * form: an object that grows column by column takes longer to make and to read than its query.
 */
export function cachedExecute(raw: SqliteConnection, done: Changes = { happened: false }): Execute {
  const statements = new Map<string, CachedStatement>();
  const cached = (sql: string, isFresh = false): CachedStatement => {
    const known = isFresh ? undefined : statements.get(sql);
    if (known !== undefined) return known;
    if (statements.size >= CACHED_STATEMENTS) statements.clear();
    const prepared = prepare(raw, sql);
    statements.set(sql, prepared);
    return prepared;
  };
  return <Row>(sql: string, parameters: readonly unknown[]) => {
    const { statement, names, isWrite } = cached(sql);
    const values = parameters as SqliteValue[];
    if (names.length === 0) {
      const changed = Number(statement.run(...values).changes);
      if (isWrite && changed > 0) done.happened = true;
      return { rows: [], changed };
    }
    const found = statement.all(...values) as SqliteValue[][];
    if (isWrite && found.length > 0) done.happened = true;
    // A newer Kashbox has changed the table meanwhile: the names are those of before.
    const isStale = found.length > 0 && found[0]?.length !== names.length;
    const { names: columns, form } = cached(sql, isStale);
    return { rows: found.map((list) => rowOf(columns, form, list)) as Row[], changed: 0 };
  };
}

function rowOf(
  names: readonly string[],
  form: CachedStatement['form'],
  values: readonly SqliteValue[],
): object {
  const row: Record<string, unknown> = { ...form };
  for (let at = 0; at < names.length; at += 1) {
    const value = values[at];
    row[names[at] as string] = value instanceof Uint8Array ? bufferOver(value) : value;
  }
  return row;
}

const bufferOver = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function patiently<T>(timers: Timers, work: () => Promise<T>, tries = 200): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      const known = nameSqliteError(error);
      if (left === 0 || !(known instanceof KashboxError) || known.code !== 'store_busy') throw known;
      await sleep(timers, 10 + left / 4);
    }
  }
}

interface OpenSqlite extends Opening {
  readonly disk?: SqliteDisk;
  readonly timers?: Timers;
}

/**
 * @param file path of the database; created if missing.
 * @param options.now milliseconds since the epoch, for the migration's record.
 * @param options.onDamage called if a commit failed with an I/O error or damage: a page may be lost. With it,
 * as in the daemon, nothing is stored or sent before the log is repaired and empty.
 * @param options.disk and `options.timers` default to those of the machine.
 */
export async function openSqlite(
  file: string,
  { now, isAsIs = false, onDamage, disk = machineDisk, timers = systemTimers }: OpenSqlite,
): Promise<Store> {
  // Several processes may start at once; switching to WAL and migrating need the lock for a moment.
  const writer = await patiently(timers, async () => openConnection(disk, file, WRITER_CACHE_KIB));
  const reader = await patiently(timers, async () => openConnection(disk, file, READER_CACHE_KIB));
  reader.exec('PRAGMA query_only = ON');
  const changes: Changes = { happened: false };
  const health = new WriteHealth(timers);
  const means = { disk, health, timers, onDamage: onDamage ?? (() => {}) };
  const repair = new LogRepair(writer, means);
  const writeDb = createDb('sqlite', cachedExecute(writer, changes));
  writer.prepare('SELECT count(*) FROM sqlite_master').get();
  const watch = new FileWatch(writer, means);
  const locks = new LockWatch(writer);
  const commits = new GroupCommit(writer, writeDb, { ...means, changes, repair, watch, locks });
  const execute = cachedExecute(reader);
  const readDb = createDb('sqlite', (sql, parameters) => locks.run(() => execute(sql, parameters)));
  const failed = health.rethrow(nameSqliteError);
  const store: Store = {
    engine: 'sqlite',
    hints: null,
    server: () => null,
    writing: health,
    look: () => watch.look(),
    async read(work) {
      try {
        return await work(readDb);
      } catch (error) {
        return failed(error);
      }
    },
    write: (work) => commits.add(work),
    async close() {
      repair.close();
      watch.close();
      await commits.drain();
      reader.close();
      writer.close();
    },
  };
  try {
    if (onDamage !== undefined) await repair.requireSoon();
    // Who only reads writes nothing here either.
    const isOther = !isAsIs && (await store.read(tablesVersion)) !== MIGRATIONS.length;
    if (isOther) await migrate((work) => store.write(work), now);
    // It read the tables as they were before, and would name the columns of `*` by that.
    reader.prepare('SELECT count(*) FROM sqlite_master').get();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
