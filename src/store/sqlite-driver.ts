/** Node's own SQLite, as the store uses it. */
import { DatabaseSync } from 'node:sqlite';

/** A value of a column: text, a number, bytes or nothing. */
export type SqliteValue = string | number | bigint | Uint8Array | null;

/** What the store uses of a prepared statement. */
export interface SqliteStatement {
  run(...parameters: SqliteValue[]): { readonly changes: number | bigint };
  /** The first row, or undefined. */
  get(...parameters: SqliteValue[]): unknown;
  all(...parameters: SqliteValue[]): unknown[];
  /** Empty for a statement that answers no rows. */
  columns(): readonly { readonly name: string }[];
  /** From now on rows are lists. */
  setReturnArrays(isOn: boolean): void;
}

/** What the store uses of a connection. */
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
  /** How long a statement waits for a lock, in milliseconds. The event loop waits with it. */
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

  /** Also where it is closed already. */
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
