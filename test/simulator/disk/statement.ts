/** A prepared statement with what src/store uses of one of Node's SQLite. */
import type { SqliteStatement, SqliteValue } from '../../../src/store/sqlite-driver.js';
import { SqliteError } from './sqlite-error.js';
import { bindAll, columnValue } from './values.js';
import { capi, functions, textAt } from './wasm.js';

const { SQLITE_ROW, SQLITE_DONE, SQLITE_STMTSTATUS_REPREPARE } = capi;

/** The connection of a statement. */
export interface Owner {
  /** @returns the pointer of the connection. @throws where it is closed, or its process is dead */
  use(): number;
}

type Row = Record<string, SqliteValue> | SqliteValue[];

export class Statement implements SqliteStatement {
  private readonly parameters: number;
  private isList = false;
  private names: readonly string[] = [];
  /** How often SQLite had prepared it again when the names were read; -1 before that. */
  private namesOf = -1;

  /** @param pointer of the statement, which its connection frees */
  constructor(
    private readonly owner: Owner,
    private readonly pointer: number,
  ) {
    this.parameters = functions.sqlite3_bind_parameter_count(pointer);
  }

  setReturnArrays(isOn: boolean): void {
    this.isList = isOn;
  }

  columns(): { name: string }[] {
    this.owner.use();
    return this.columnNames().map((name) => ({ name }));
  }

  /** @returns how many rows it has changed. */
  run(...parameters: SqliteValue[]): { changes: number } {
    const db = this.begin(parameters);
    let code: number = SQLITE_ROW;
    while (code === SQLITE_ROW) code = functions.sqlite3_step(this.pointer);
    this.end(db, code);
    return { changes: functions.sqlite3_changes(db) };
  }

  /** @returns all rows. */
  all(...parameters: SqliteValue[]): Row[] {
    return this.rows(parameters, Number.POSITIVE_INFINITY);
  }

  /** @returns the first row; undefined where there is none. */
  get(...parameters: SqliteValue[]): Row | undefined {
    return this.rows(parameters, 1)[0];
  }

  private rows(parameters: readonly SqliteValue[], limit: number): Row[] {
    const db = this.begin(parameters);
    const found: Row[] = [];
    let code = functions.sqlite3_step(this.pointer);
    if (code === SQLITE_ROW) {
      const columns = functions.sqlite3_column_count(this.pointer);
      const names = this.isList ? [] : this.columnNames();
      try {
        while (code === SQLITE_ROW && found.length < limit) {
          found.push(this.row(columns, names));
          // The first of several rows is enough, and a change is done before its first row.
          code = found.length === limit ? SQLITE_DONE : functions.sqlite3_step(this.pointer);
        }
      } catch (error) {
        functions.sqlite3_reset(this.pointer);
        throw error;
      }
    }
    this.end(db, code);
    return found;
  }

  private row(columns: number, names: readonly string[]): Row {
    const values: SqliteValue[] = [];
    for (let at = 0; at < columns; at += 1) values.push(columnValue(this.pointer, at));
    if (this.isList) return values;
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
  }

  /** Binds the values. @returns the connection */
  private begin(values: readonly SqliteValue[]): number {
    const db = this.owner.use();
    if (values.length > this.parameters) throw new SqliteError(0, capi.SQLITE_RANGE);
    const code = bindAll(this.pointer, values, this.parameters);
    if (code !== 0) throw new SqliteError(db, code);
    return db;
  }

  /** Ends a run, which releases what it has locked. @throws SqliteError where it has failed */
  private end(db: number, code: number): void {
    if (code === SQLITE_DONE || code === SQLITE_ROW) {
      const late = functions.sqlite3_reset(this.pointer);
      if (late !== 0) throw new SqliteError(db, late);
      return;
    }
    const error = new SqliteError(db, code);
    functions.sqlite3_reset(this.pointer);
    throw error;
  }

  private columnNames(): readonly string[] {
    const prepared = functions.sqlite3_stmt_status(this.pointer, SQLITE_STMTSTATUS_REPREPARE, 0);
    if (prepared === this.namesOf) return this.names;
    const count = functions.sqlite3_column_count(this.pointer);
    this.names = Array.from({ length: count }, (_, at) =>
      textAt(functions.sqlite3_column_name(this.pointer, at)),
    );
    this.namesOf = prepared;
    return this.names;
  }
}
