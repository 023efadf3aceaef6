/** Machine interface of the embedded store: Node's SQLite, and its files. */
import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFolder } from '../base/io/durable-file.js';
import { nameDiskError } from './driver-errors.js';

/** A value of a column: text, a number, bytes or nothing. */
export type SqliteValue = string | number | bigint | Uint8Array | null;

/** Methods of a prepared statement that the store uses. */
export interface SqliteStatement {
  run(...parameters: SqliteValue[]): { readonly changes: number | bigint };
  /** The first row, or undefined. */
  get(...parameters: SqliteValue[]): unknown;
  all(...parameters: SqliteValue[]): unknown[];
  /** Empty for a statement that answers no rows. */
  columns(): readonly { readonly name: string }[];
  /** Makes the statement return rows as arrays. */
  setReturnArrays(isOn: boolean): void;
}

/** Methods of a connection that the store uses. */
export interface SqliteConnection {
  /** Path of the file, as it was opened. */
  readonly file: string;
  readonly isTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  /** Runs statements whose rows nobody wants. */
  exec(sql: string): void;
  /** @returns the first value that it answers; undefined where it answers nothing. */
  pragma(text: string): unknown;
  close(): void;
}

interface SqliteOptions {
  readonly readOnly?: boolean;
  /** Maximum time that a statement waits for a lock, ms. It blocks the event loop. */
  readonly timeout?: number;
}

/** A connection to an SQLite file, with all that Node's can do. */
export class SqliteFile extends DatabaseSync implements SqliteConnection {
  /** @param file path of the database; made when absent, unless it is only read. @throws as SQLite says */
  constructor(
    readonly file: string,
    options: SqliteOptions = {},
  ) {
    super(file, options);
  }

  /** Closes the connection; does nothing if it is already closed. */
  override close(): void {
    if (this.isOpen) super.close();
  }

  pragma(text: string): unknown {
    return this.column(`PRAGMA ${text}`)[0];
  }

  /** @returns the first value of each row. */
  column(sql: string, ...parameters: SqliteValue[]): unknown[] {
    const rows = this.prepare(sql).all(...parameters);
    return rows.map((row) => Object.values(row)[0]);
  }
}

interface FileIdentity {
  readonly file: string | null;
  readonly log: string | null;
}

export interface SqliteDisk {
  /** @param file path of the database; made where it is absent, so that only its owner can read it. */
  open(file: string): SqliteConnection;
  /**
   * Rewrites all bytes of a database's write-ahead log and syncs them; does nothing if it is empty.
   * @throws KashboxError `store_full`, `store_read_only`, `store_damaged`
   */
  rewriteLog(file: string): void;
  /** Identifies a database file and its log, to detect later replacements; null for a missing one. */
  identity(file: string): FileIdentity;
}

/** Maximum wait of SQLite for a lock; short because it blocks the event loop. */
const BUSY_TIMEOUT_MS = 5;
/** Mode of the files: only their owner may read customers' names, numbers and texts. */
const PRIVATE = 0o600;
/** SQLite gives those that it makes the mode of the file itself. */
const STORE_FILES = ['', '-wal', '-shm', '-journal'];
export const machineDisk: SqliteDisk = {
  open(file) {
    keepPrivate(file);
    return new SqliteFile(file, { timeout: BUSY_TIMEOUT_MS });
  },
  identity(file) {
    const own = identityOf(file);
    return { file: own, log: own === null ? null : identityOf(logOf(file)) };
  },
  rewriteLog(file) {
    const log = logOf(file);
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
    try {
      rewrite(log);
    } catch (error) {
      throw nameDiskError(error);
    }
  },
};

/** SQLite names it by the file itself, whatever link leads there. */
const logOf = (file: string) => `${realpathSync(file)}-wal`;

/** Device and number of the file. */
function identityOf(path: string): string | null {
  const facts = statSync(path, { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? null : `${facts.dev} ${facts.ino}`;
}

const STEP_BYTES = 1_048_576;

/** The locks of SQLite are on other files, so that closing this one drops none. */
function rewrite(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const bytes = Buffer.alloc(STEP_BYTES);
    for (let at = 0; ; ) {
      const read = readSync(file, bytes, 0, STEP_BYTES, at);
      if (read === 0) break;
      for (let done = 0; done < read; ) done += writeSync(file, bytes, done, read - done, at + done);
      at += read;
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Creates the file if it is missing, so that it is private before any data is written. */
function keepPrivate(file: string): void {
  if (process.platform === 'win32') return;
  try {
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL, PRIVATE));
    syncFolder(dirname(file));
  } catch {
    // It is there already, or cannot be made, of which SQLite will say more.
  }
  for (const path of STORE_FILES.map((end) => `${file}${end}`)) {
    try {
      if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, PRIVATE);
    } catch {
      // Not there, or of another user, who must do it: `kashbox doctor` says so.
    }
  }
}
