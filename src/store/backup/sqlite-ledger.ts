/** Copies an SQLite ledger while it is written, reads a copy, and fills an empty file. */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { backup } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { SYNC_BYTES, syncFile } from '../../base/io/durable-file.js';
import { noRoom } from '../../base/io/new-file.js';
import { createDb } from '../dialect.js';
import { nameSqliteError } from '../driver-errors.js';
import { MIGRATIONS, migrate } from '../migrate.js';
import { cachedExecute } from '../sqlite.js';
import { SqliteFile, type SqliteValue } from '../sqlite-driver.js';
import {
  checkedWriter,
  FACTS,
  FACTS_WITHOUT_PAYMENTS,
  type LedgerFacts,
  type LedgerReader,
  type LedgerWriter,
  ledgerTables,
  sameFacts,
  toLedgerFacts,
  wrapRowError,
} from './ledger.js';

/** A step of a copy holds up this process, but nobody else: 1 MiB takes about a millisecond. */
const STEP_PAGES = 256;
const ROWS = 500;
/** Number of rows per step, some milliseconds. */
const COUNTED_ROWS = 5_000;
const PRIVATE = 0o600;

export interface CopyOptions {
  readonly signal: AbortSignal;
  onBytes(done: number, total: number): void;
}

/**
 * Copies the ledger as it was when the copy began. Writers continue: a read transaction keeps that snapshot
 * in the log, and while it is open no step restarts because of other writes.
 * @param target path of a file that does not exist yet.
 * @returns facts of the copy.
 */
export async function copySqlite(file: string, target: string, options: CopyOptions): Promise<LedgerFacts> {
  try {
    closeSync(openSync(target, 'wx', PRIVATE));
    const source = new SqliteFile(file, { readOnly: true });
    try {
      source.exec('BEGIN');
      // Any reading: from now on the moment stands.
      source.prepare('SELECT count(*) FROM schema_versions').get();
      const bytes = Number(source.pragma('page_size'));
      const disk = gentleDisk(target);
      try {
        await backup(source, target, {
          rate: STEP_PAGES,
          progress: ({ totalPages, remainingPages }) => {
            options.signal.throwIfAborted();
            const done = (totalPages - remainingPages) * bytes;
            options.onBytes(done, totalPages * bytes);
            disk.wrote(done);
          },
        });
      } finally {
        disk.close();
      }
    } finally {
      source.close();
    }
    return await finishCopy(target);
  } catch (error) {
    const known = nameSqliteError(error);
    // Only the copy is written here, and its disk may be another one than the store's.
    const isFull = !isKashboxError(error) && isKashboxError(known, 'store_full');
    throw isFull ? noRoom(target, error) : known;
  }
}

/**
 * Brings a file that grows onto the disk bit by bit: commits of daemons on the same disk would wait for all
 * of it at once, and payments with them.
 */
function gentleDisk(file: string) {
  const handle = openSync(file, 'r+');
  let syncedTo = 0;
  let isSyncing = false;
  let isClosed = false;
  const finish = () => {
    isSyncing = false;
    if (isClosed) closeSync(handle);
  };
  return {
    /** @param done bytes so far. */
    wrote(done: number): void {
      if (isSyncing || done - syncedTo < SYNC_BYTES) return;
      [isSyncing, syncedTo] = [true, done];
      // What it fails of is met by the copy itself.
      fdatasync(handle, finish);
    },
    close(): void {
      isClosed = true;
      if (!isSyncing) closeSync(handle);
    },
  };
}

/** Makes the copy a single file: in WAL mode it would get additional files as soon as it is opened. */
async function finishCopy(target: string): Promise<LedgerFacts> {
  const copy = new SqliteFile(target);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    const few = copy.prepare(FACTS_WITHOUT_PAYMENTS).get() as Record<keyof LedgerFacts, number>;
    return toLedgerFacts({ ...few, payments: await countGently(copy, 'sessions') });
  } finally {
    copy.close();
  }
}

/** Counting a million rows takes a quarter of a second, in which a daemon answers nobody. */
async function countGently(raw: SqliteFile, table: string): Promise<number> {
  const newest = Number(raw.column(`SELECT max(rowid) FROM ${table}`)[0]);
  const sql = `SELECT count(*) FROM ${table} WHERE rowid > ? AND rowid <= ?`;
  let total = 0;
  for (let from = 0; from < newest; from += COUNTED_ROWS) {
    total += Number(raw.column(sql, from, from + COUNTED_ROWS)[0]);
    await nextTurn();
  }
  return total;
}

function loadFacts(raw: SqliteFile): LedgerFacts {
  return toLedgerFacts(raw.prepare(FACTS).get() as Record<keyof LedgerFacts, number>);
}

/**
 * @param file a copy that was extracted from a backup.
 * @throws KashboxError `backup_damaged` if it is not a complete ledger, or does not match the facts.
 */
export function openSqliteCopy(file: string, facts: LedgerFacts): LedgerReader {
  const raw = new SqliteFile(file, { readOnly: true });
  try {
    const isWhole = raw.pragma('quick_check(1)') === 'ok';
    if (!isWhole || !sameFacts(loadFacts(raw), facts)) throw new Error('not the ledger of the manifest');
  } catch (cause) {
    raw.close();
    throw new KashboxError('backup_damaged', { cause });
  }
  return readerOn(raw, facts);
}

/**
 * Opens a snapshot of an installation's ledger. It stays the same while others write.
 * @throws KashboxError `store_unreachable`, `store_damaged`
 */
export function openSqliteSnapshot(file: string): LedgerReader {
  try {
    const raw = new SqliteFile(file, { readOnly: true });
    raw.exec('BEGIN');
    return readerOn(raw, loadFacts(raw));
  } catch (error) {
    throw nameSqliteError(error);
  }
}

function readerOn(raw: SqliteFile, facts: LedgerFacts): LedgerReader {
  return { facts, rows: (table) => rowsOf(raw, table), close: async () => void raw.close() };
}

async function* rowsOf(raw: SqliteFile, table: string): AsyncGenerator<readonly string[]> {
  let rows: string[] = [];
  for (const row of raw.prepare(`SELECT * FROM ${table}`).iterate()) {
    rows.push(JSON.stringify(row));
    if (rows.length < ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** @param file must not exist yet; closing without `keep` removes it. @param now for the migrations. */
export async function fillSqlite(file: string, schemaVersion: number, now: number): Promise<LedgerWriter> {
  closeSync(openSync(file, 'wx', PRIVATE));
  const raw = new SqliteFile(file);
  // Nobody else has it, and a power cut leaves a folder that nobody uses.
  raw.exec('PRAGMA synchronous = OFF');
  raw.exec('PRAGMA foreign_keys = OFF');
  const db = createDb('sqlite', cachedExecute(raw));
  await migrate((work) => work(db), now, MIGRATIONS.slice(0, schemaVersion));
  raw.exec('BEGIN');
  for (const table of ledgerTables(schemaVersion)) raw.exec(`DELETE FROM ${table}`);
  return checkedWriter({
    schemaVersion,
    async insert(table, rows) {
      try {
        for (const text of rows) insert(raw, table, JSON.parse(text) as Record<string, SqliteValue>);
      } catch (error) {
        throw wrapRowError(nameSqliteError(error));
      }
    },
    facts: async () => loadFacts(raw),
    rows: (table) => rowsOf(raw, table),
    async commit() {
      if (raw.pragma('foreign_key_check') !== undefined) throw new KashboxError('backup_damaged');
      raw.exec('COMMIT');
      syncFile(file);
    },
    close: async () => void raw.close(),
  });
}

function insert(raw: SqliteFile, table: string, row: Readonly<Record<string, SqliteValue>>): void {
  const names = Object.keys(row);
  // From a file: what is no name must not become SQL.
  if (!names.every((name) => /^\w+$/.test(name))) throw new KashboxError('backup_damaged');
  const places = names.map(() => '?').join(', ');
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`;
  insertOf(raw, sql).run(...Object.values(row));
}

const inserts = new WeakMap<SqliteFile, Map<string, ReturnType<SqliteFile['prepare']>>>();

function insertOf(raw: SqliteFile, sql: string) {
  const known = inserts.get(raw) ?? new Map();
  inserts.set(raw, known);
  const statement = known.get(sql) ?? raw.prepare(sql);
  known.set(sql, statement);
  return statement;
}
