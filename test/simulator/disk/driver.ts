/**
 * Connections to SQLite on a simulated disk, with what src/store uses of Node's SQLite. They wait for no
 * lock: what is busy is thrown at once.
 */
import type { SqliteConnection, SqliteValue } from '../../../src/store/sqlite-driver.js';
import type { Disk } from './disk.js';
import type { Process } from './process.js';
import { SqliteError } from './sqlite-error.js';
import { Statement } from './statement.js';
import { addOpener, removeOpener, VFS_NAME } from './vfs.js';
import { capi, functions, OUT, peek32, textAt, wasm, withText } from './wasm.js';

/** What Node's is built with, and this SQLite is not. */
const LIKE_NATIVE = 'PRAGMA page_size = 4096; PRAGMA foreign_keys = ON';

const vfsName = wasm.allocCString(VFS_NAME, false);

class Connection implements SqliteConnection {
  private db = 0;
  private readonly prefix: string;
  /** Pointers of the statements that are prepared. */
  private readonly compiled = new Set<number>();

  constructor(
    disk: Disk,
    private readonly process: Process,
    readonly file: string,
  ) {
    this.prefix = addOpener({ disk, process });
    process.connections.add(this);
    const { SQLITE_OPEN_READWRITE, SQLITE_OPEN_CREATE, SQLITE_OPEN_EXRESCODE } = capi;
    const flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE;
    const code = withText(`${this.prefix}${file}`, (path) =>
      functions.sqlite3_open_v2(path, OUT, flags, vfsName),
    );
    this.db = peek32(OUT);
    if (code !== 0) {
      const error = new SqliteError(this.db, code);
      this.free();
      throw error;
    }
    this.exec(LIKE_NATIVE);
  }

  get isTransaction(): boolean {
    return this.db !== 0 && functions.sqlite3_get_autocommit(this.db) === 0;
  }

  use(): number {
    if (this.process.isDead) throw new SqliteError(0, capi.SQLITE_IOERR);
    if (this.db === 0) throw new TypeError('database is not open');
    return this.db;
  }

  prepare(sql: string): Statement {
    return new Statement(this, this.compile(sql, capi.SQLITE_PREPARE_PERSISTENT));
  }

  pragma(text: string): SqliteValue | undefined {
    const pointer = this.compile(`PRAGMA ${text}`, 0);
    try {
      const row = new Statement(this, pointer).get();
      return row === undefined ? undefined : Object.values(row)[0];
    } finally {
      // A process that is killed meanwhile may have freed all.
      if (this.compiled.delete(pointer)) functions.sqlite3_finalize(pointer);
    }
  }

  /** Runs all statements of `sql`. */
  exec(sql: string): void {
    const db = this.use();
    const code = withText(sql, (text) => functions.sqlite3_exec(db, text, 0, 0, 0));
    if (code !== 0) throw new SqliteError(db, code);
  }

  /** Of a dead process it does nothing: `Process.dispose` frees. */
  close(): void {
    if (!this.process.isDead) this.free();
  }

  /** Finalizes its statements and closes it. */
  free(): void {
    const { db } = this;
    this.db = 0;
    this.process.connections.delete(this);
    if (db !== 0) {
      for (const statement of this.compiled) functions.sqlite3_finalize(statement);
      this.compiled.clear();
      functions.sqlite3_close_v2(db);
    }
    removeOpener(this.prefix);
  }

  /** @returns the pointer of the one statement of `sql`. */
  private compile(sql: string, flags: number): number {
    const db = this.use();
    return withText(sql, (text) => {
      const code = functions.sqlite3_prepare_v3(db, text, -1, flags, OUT, OUT + 4);
      if (code !== 0) throw new SqliteError(db, code);
      const pointer = peek32(OUT);
      if (pointer === 0) throw new RangeError('The supplied SQL string contains no statements');
      if (textAt(peek32(OUT + 4)).trim() !== '') {
        functions.sqlite3_finalize(pointer);
        throw new RangeError('The supplied SQL string contains more than one statement');
      }
      this.compiled.add(pointer);
      return pointer;
    });
  }
}

/**
 * Opens the database `file` on `disk` for `process`; the file is made when absent.
 * @returns a connection that can what src/store uses: prepare, pragma, exec, isTransaction, close, file
 * @throws SqliteError
 */
export function openSimulated(disk: Disk, process: Process, file: string): SqliteConnection {
  return new Connection(disk, process, file);
}
