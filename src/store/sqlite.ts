/**
 * The embedded store: one SQLite file in WAL mode, one connection that writes and one that reads.
 * Units of work that arrive in one turn of the event loop share a commit (group-commit.ts), which is brought
 * onto the disk beside other work (log-sync.ts).
 */
import { KashboxError } from '../base/errors/errors.js';
import { sleep, systemTimers, type Timers } from '../base/values/timers.js';
import { dbOver, type Execute } from './dialect.js';
import { nameSqliteError } from './driver-errors.js';
import { type Changes, GroupCommit } from './group-commit.js';
import { LogSync } from './log-sync.js';
import { migrate } from './migrate.js';
import type { Db } from './schema/index.js';
import { machineDisk, type SqliteDisk } from './sqlite-disk.js';
import type { SqliteConnection, SqliteStatement } from './sqlite-driver.js';
import type { Opening, Store } from './store.js';
import { WriteHealth } from './write-health.js';

/** Negative means KiB. The reader looks up keys and accounts, whose pages are few and always the same. */
const WRITER_CACHE_KIB = -8_000;
const READER_CACHE_KIB = -1_000;
const CACHED_STATEMENTS = 400;

function openConnection(disk: SqliteDisk, file: string, cacheKib: number): SqliteConnection {
  const raw = disk.open(file);
  raw.pragma('journal_mode = WAL');
  // A checkpoint is synced by SQLite, a commit by log-sync.ts.
  raw.pragma('synchronous = NORMAL');
  raw.pragma('foreign_keys = ON');
  raw.pragma(`cache_size = ${cacheKib}`);
  // A savepoint keeps the old pages; past 64 KiB they went to a temporary file, half of all that was written.
  raw.pragma('temp_store = MEMORY');
  if (raw.pragma('journal_mode', { simple: true }) !== 'wal') {
    raw.close();
    throw new KashboxError('store_unreachable', {
      message: 'SQLite refuses a write-ahead log for this file',
      hint: 'Keep the store on a local disk, not on a network folder.',
    });
  }
  return raw;
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

const RENEW_TRIES = 20;
const RENEW_PAUSE_MS = 50;

/**
 * A backup may read for minutes: then the log is renewed at another start. A full disk, and a file that
 * cannot be written, are no reason not to start.
 * @returns whether it must still be renewed before anything is committed
 * @throws KashboxError `store_damaged`
 */
async function renewLog(timers: Timers, log: LogSync): Promise<boolean> {
  try {
    for (let left = RENEW_TRIES; left > 0 && !log.renew(); left -= 1) await sleep(timers, RENEW_PAUSE_MS);
    return false;
  } catch (error) {
    const known = nameSqliteError(error);
    if (!(known instanceof KashboxError) || known.code === 'store_damaged') throw known;
    return true;
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
 * Who wants to know of it, the daemon, also repairs at its start what such an end has left.
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
  const log = await patiently(timers, async () => new LogSync(writer, reader, disk, timers.steadyMs));
  const changes: Changes = { happened: false };
  const health = new WriteHealth(timers);
  const writeDb = dbOver('sqlite', cachedExecute(writer, changes));
  const commits = new GroupCommit(writer, writeDb, {
    changes,
    log,
    health,
    onDamage: onDamage ?? (() => {}),
    timers,
  });
  const readDb: Db = dbOver('sqlite', cachedExecute(reader, { happened: false }));
  const failed = health.rethrow(nameSqliteError);
  const store: Store = {
    engine: 'sqlite',
    hints: null,
    server: () => null,
    writing: health,
    async read(work) {
      try {
        const found = await work(readDb);
        const unsynced = log.confirm();
        if (unsynced !== null) await unsynced;
        return found;
      } catch (error) {
        return failed(error);
      }
    },
    write: (work) => commits.add(work),
    writeStatement: (work) => commits.add(work),
    async close() {
      await commits.drain();
      log.close();
      reader.close();
      writer.close();
    },
  };
  try {
    const isOwed = onDamage !== undefined && (await renewLog(timers, log));
    if (!isAsIs) await migrate((work) => store.write(work), now);
    if (isOwed) log.oweRenewal();
    // It read the tables as they were before, and would name the columns of `*` by that.
    reader.prepare('SELECT count(*) FROM sqlite_master').get();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
