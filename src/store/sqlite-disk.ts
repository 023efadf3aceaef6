/** What the embedded store needs of the machine: the driver, and the files under it. */
import { chmodSync, closeSync, constants, fsync, fsyncSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { KashboxError } from '../base/errors/errors.js';
import { syncFolder } from '../base/io/durable-file.js';
import { openSqliteFile, type SqliteConnection } from './sqlite-driver.js';

/** The write-ahead log of a database. Each method throws what the system says. */
export interface LogFile {
  /** Brings onto the disk what was written to it. */
  sync(): void;
  /** The same beside other work of this process. */
  syncInThread(): Promise<void>;
  close(): void;
}

export interface SqliteDisk {
  /** @param file path of the database; made where it is absent, so that only its owner can read it. */
  open(file: string): SqliteConnection;
  /** @param connection has read, so that the log is there. @throws KashboxError `store_unreachable` */
  openLog(connection: SqliteConnection): LogFile;
}

/** Longer waits would block the event loop: better-sqlite3 waits synchronously. */
const BUSY_TIMEOUT_MS = 5;
/** Names, numbers and texts of customers stand in the file: only its owner may read it. */
const PRIVATE = 0o600;
/** SQLite gives those that it makes the mode of the file itself. */
const STORE_FILES = ['', '-wal', '-shm', '-journal'];
/** Windows syncs a file only for who may write it. */
const OPEN_FOR_SYNC = process.platform === 'win32' ? 'r+' : 'r';

const fsyncInThread = promisify(fsync);

export const machineDisk: SqliteDisk = {
  open(file) {
    keepPrivate(file);
    return openSqliteFile(file, { timeout: BUSY_TIMEOUT_MS });
  },
  openLog({ name }) {
    const path = realpathSync(name);
    const file = openFile(`${path}-wal`);
    // The name of the log, and that the journal of the time before it is gone: SQLite syncs neither for us.
    syncFolder(dirname(path));
    return {
      sync: () => fsyncSync(file),
      syncInThread: () => fsyncInThread(file),
      close: () => closeSync(file),
    };
  },
};

function openFile(path: string): number {
  try {
    return openSync(path, OPEN_FOR_SYNC);
  } catch (cause) {
    throw new KashboxError('store_unreachable', { cause });
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
