/** What the embedded store needs of the machine: the driver, and the files under it. */
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
import { syncFolder } from '../base/io/durable-file.js';
import { nameDiskError } from './driver-errors.js';
import { type SqliteConnection, SqliteFile } from './sqlite-driver.js';

export interface FileIdentity {
  readonly file: string | null;
  readonly log: string | null;
}

export interface SqliteDisk {
  /** @param file path of the database; made where it is absent, so that only its owner can read it. */
  open(file: string): SqliteConnection;
  /**
   * Writes all bytes of a database's write-ahead log once more and syncs them, where there are any.
   * @throws KashboxError `store_full`, `store_read_only`, `store_damaged`
   */
  rewriteLog(file: string): void;
  /** Tells files of a database and of its log from others that may lie there later; null where none is. */
  identity(file: string): FileIdentity;
}

/** Longer waits would block the event loop: SQLite waits synchronously. */
const BUSY_TIMEOUT_MS = 5;
/** Names, numbers and texts of customers stand in the file: only its owner may read it. */
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

/** Makes the file where it is absent, so that it is private before anything stands in it. */
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
