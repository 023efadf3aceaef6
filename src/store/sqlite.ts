/**
 * The embedded store: one SQLite file in WAL mode, one connection that writes and one that reads. SQLite
 * syncs each commit by itself. Units of work that arrive in one turn of the event loop share one
 * (group-commit.ts).
 */
import { KashboxError } from '../base/errors/errors.js';
import { sleep, systemTimers, type Timers } from '../base/values/timers.js';
import { dbOver, type Execute } from './dialect.js';
import { nameSqliteError } from './driver-errors.js';
import { FileWatch } from './file-watch.js';
import { type Changes, GroupCommit } from './group-commit.js';
import { LockWatch } from './lock-watch.js';
import { LogRepair } from './log-repair.js';
import { MIGRATIONS, migrate, tablesVersion } from './migrate.js';
import { machineDisk, type SqliteDisk } from './sqlite-disk.js';
import type { SqliteConnection, SqliteStatement } from './sqlite-driver.js';
import type { Opening, Store } from './store.js';
import { WriteHealth } from './write-health.js';

/** Negative means KiB. The reader looks up keys and accounts, whose pages are few and always the same. */
const WRITER_CACHE_KIB = -8_000;
const READER_CACHE_KIB = -1_000;
const CACHED_STATEMENTS = 400;
/** 31 MiB. SQLite's own 1,000 copy the pages of hot indexes again and again: a tenth of a verification. */
const CHECKPOINT_PAGES = 8_000;
/** What a long reader has let it grow beyond is given back once it begins from the front. */
const LOG_BYTES = 32 * 1_048_576;
/** `synchronous`: a commit is on the disk before it returns. */
const FULL = 2;

function openConnection(disk: SqliteDisk, file: string, cacheKib: number): SqliteConnection {
  const raw = disk.open(file);
  raw.pragma('journal_mode = WAL');
  raw.pragma('synchronous = FULL');
  raw.pragma('foreign_keys = ON');
  raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  raw.pragma(`journal_size_limit = ${LOG_BYTES}`);
  raw.pragma(`cache_size = ${cacheKib}`);
  // A savepoint keeps the old pages; past 64 KiB they went to a temporary file, half of all that was written.
  raw.pragma('temp_store = MEMORY');
  const isLogged = raw.pragma('journal_mode', { simple: true }) === 'wal';
  if (isLogged && raw.pragma('synchronous', { simple: true }) === FULL) return raw;
  raw.close();
  throw new KashboxError('store_unreachable', {
    message: `SQLite refuses ${isLogged ? 'synchronous=FULL' : 'a write-ahead log'} for this file`,
    hint: 'Keep the store on a local disk, not on a network folder.',
  });
}

interface Cached {
  readonly statement: SqliteStatement;
  /** Names the values of a row; null for a statement that returns no rows. */
  readonly named: RowReader | null;
  /** True where it may change rows. */
  readonly isWrite: boolean;
  /** True where it may change more than rows, such as tables. */
  readonly isDefinition: boolean;
}

const CHANGES_ROWS = /^\s*(insert|update|delete|replace|with)\b/i;

function prepare(raw: SqliteConnection, sql: string): Cached {
  const statement = raw.prepare(sql);
  const isWrite = !statement.readonly;
  const kind = { isWrite, isDefinition: isWrite && !CHANGES_ROWS.test(sql) };
  if (!statement.reader) return { statement, named: null, ...kind };
  const names = statement.columns().map(({ name }) => name);
  return { statement: statement.raw(), named: rowReader(names), ...kind };
}

/** By the names of their columns, for all connections of this process. */
const rowReaders = new Map<string, RowReader>();

interface RowReader {
  readonly columns: number;
  readonly row: (values: readonly unknown[]) => object;
}

/**
 * A function that is written for the columns of one statement: its rows are objects of one form. Written
 * column by column, a wide row becomes a hash table, which takes longer to make and to read than its query.
 * @param names from our own SQL.
 */
function rowReader(names: readonly string[]): RowReader {
  const key = JSON.stringify(names);
  const known = rowReaders.get(key);
  if (known !== undefined) return known;
  const fields = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  const row = new Function('values', `return { ${fields.join(', ')} };`) as RowReader['row'];
  const reader = { columns: names.length, row };
  if (rowReaders.size < CACHED_STATEMENTS) rowReaders.set(key, reader);
  return reader;
}

/**
 * SQL in, rows out, every statement prepared once. Rows are fetched as lists and named here: the driver looks
 * every column's name up again for every row, which takes a third of the time of a small query.
 */
function cachedExecute(raw: SqliteConnection, done: Changes): Execute {
  const statements = new Map<string, Cached>();
  return <Row>(sql: string, parameters: readonly unknown[]) => {
    let cached = statements.get(sql);
    if (cached === undefined) {
      if (statements.size >= CACHED_STATEMENTS) statements.clear();
      cached = prepare(raw, sql);
      statements.set(sql, cached);
    }
    const { statement, named, isWrite, isDefinition } = cached;
    if (isDefinition) done.happened = true;
    if (named === null) {
      const changed = statement.run(parameters).changes;
      if (isWrite && changed > 0) done.happened = true;
      return { rows: [], changed };
    }
    const found = statement.all(parameters) as unknown[][];
    if (isWrite && found.length > 0) done.happened = true;
    // A newer Kashbox has changed the table meanwhile: the names are those of before.
    const isStale = found.length > 0 && found[0]?.length !== named.columns;
    const fresh = isStale ? prepare(raw, sql) : cached;
    if (isStale) statements.set(sql, fresh);
    const { row } = fresh.named ?? named;
    return { rows: found.map((values) => row(values)) as Row[], changed: 0 };
  };
}

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

export interface OpenSqlite extends Opening {
  readonly disk?: SqliteDisk;
  readonly timers?: Timers;
}

/**
 * @param file path of the database; made when absent.
 * @param options.now milliseconds since the epoch, for the migration's record.
 * @param options.onDamage called when a commit met an I/O error or damage: going on would trust a lost page.
 * Who wants to know of it, the daemon, stores and tells nothing before the log is repaired.
 * @param options.disk and `options.timers` those of the machine unless given.
 */
export async function openSqlite(
  file: string,
  { now, isAsIs = false, onDamage, disk = machineDisk, timers = systemTimers }: OpenSqlite,
): Promise<Store> {
  // Several processes may start at once; switching to WAL and migrating need the lock for a moment.
  const writer = await patiently(timers, async () => openConnection(disk, file, WRITER_CACHE_KIB));
  const reader = await patiently(timers, async () => openConnection(disk, file, READER_CACHE_KIB));
  reader.pragma('query_only = ON');
  const changes: Changes = { happened: false };
  const health = new WriteHealth(timers);
  const means = { disk, health, timers, onDamage: onDamage ?? (() => {}) };
  const repair = new LogRepair(writer, means);
  const writeDb = dbOver('sqlite', cachedExecute(writer, changes));
  writer.prepare('SELECT count(*) FROM sqlite_master').get();
  const watch = new FileWatch(writer, means);
  const locks = new LockWatch(writer);
  const commits = new GroupCommit(writer, writeDb, { ...means, changes, repair, watch, locks });
  const execute = cachedExecute(reader, { happened: false });
  const readDb = dbOver('sqlite', (sql, parameters) => locks.run(() => execute(sql, parameters)));
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
    writeStatement: (work) => commits.add(work),
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
