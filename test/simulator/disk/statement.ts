/** A prepared statement with what src/store uses of one of better-sqlite3. */
import { SqliteError } from './sqlite-error.js';
import { bindAll, columnValue } from './values.js';
import { capi, functions, textAt } from './wasm.js';

const { SQLITE_ROW, SQLITE_DONE, SQLITE_STMTSTATUS_REPREPARE } = capi;

/** The connection of a statement. */
export interface Owner {
  /** @returns the pointer of the connection. @throws where it is closed, or its process is dead */
  use(): number;
}

type Form = 'object' | 'raw' | 'pluck';

export class Statement {
  readonly reader: boolean;
  readonly readonly: boolean;
  private readonly parameters: number;
  private form: Form = 'object';
  private names: readonly string[] = [];
  /** How often SQLite had prepared it again when the names were read; -1 before that. */
  private namesOf = -1;

  /** @param pointer of the statement, which its connection frees */
  constructor(
    private readonly owner: Owner,
    private readonly pointer: number,
  ) {
    this.reader = functions.sqlite3_column_count(pointer) > 0;
    this.readonly = functions.sqlite3_stmt_readonly(pointer) !== 0;
    this.parameters = functions.sqlite3_bind_parameter_count(pointer);
  }

  /** From now on rows are lists of values. */
  raw(): this {
    this.form = 'raw';
    return this;
  }

  /** From now on a row is its first value. */
  pluck(): this {
    this.form = 'pluck';
    return this;
  }

  columns(): { name: string }[] {
    this.owner.use();
    return this.columnNames().map((name) => ({ name }));
  }

  /** @returns how many rows it has changed. */
  run(...parameters: readonly unknown[]): { changes: number } {
    if (this.reader) {
      throw new TypeError('This statement returns data. Use get(), all(), or iterate() instead');
    }
    const db = this.begin(parameters);
    const before = functions.sqlite3_total_changes(db);
    this.end(db, functions.sqlite3_step(this.pointer));
    const changes = functions.sqlite3_total_changes(db) - before;
    return { changes: changes === 0 ? 0 : functions.sqlite3_changes(db) };
  }

  /** @returns all rows. */
  all(...parameters: readonly unknown[]): unknown[] {
    this.wantReader();
    return this.rows(parameters, Number.POSITIVE_INFINITY);
  }

  /** @returns the first row; undefined where there is none. */
  get(...parameters: readonly unknown[]): unknown {
    this.wantReader();
    return this.rows(parameters, 1)[0];
  }

  /** As `all`, also for a statement that returns no rows. */
  rows(parameters: readonly unknown[], limit: number): unknown[] {
    const db = this.begin(parameters);
    const found: unknown[] = [];
    let code = functions.sqlite3_step(this.pointer);
    if (code === SQLITE_ROW) {
      const columns = functions.sqlite3_column_count(this.pointer);
      const names = this.form === 'object' ? this.columnNames() : [];
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

  private row(columns: number, names: readonly string[]): unknown {
    if (this.form === 'pluck') return columnValue(this.pointer, 0);
    if (this.form === 'raw') {
      const values: unknown[] = [];
      for (let at = 0; at < columns; at += 1) values.push(columnValue(this.pointer, at));
      return values;
    }
    const row: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) row[name] = columnValue(this.pointer, at);
    return row;
  }

  /** Binds the values. @returns the connection */
  private begin(parameters: readonly unknown[]): number {
    const db = this.owner.use();
    const [first] = parameters;
    const values = parameters.length === 1 && Array.isArray(first) ? first : parameters;
    if (values.length !== this.parameters) {
      const problem = values.length < this.parameters ? 'few' : 'many';
      throw new RangeError(`Too ${problem} parameter values were provided`);
    }
    if (values.length === 0) return db;
    const code = bindAll(this.pointer, values);
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

  private wantReader(): void {
    if (!this.reader) throw new TypeError('This statement does not return data. Use run() instead');
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
