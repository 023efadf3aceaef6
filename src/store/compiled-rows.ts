/** Inserts and updates rows of any table, without a list of their columns. */
import type { Insertable, Updateable } from 'kysely';
import type { PreparedQuery } from './compiled-query.js';
import type { Db, Schema } from './schema/index.js';

type ColumnName<Table extends keyof Schema> = keyof Schema[Table] & string;

const listOf = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

/** Binds a value in handwritten SQL. @returns its placeholder. */
export type Bind = (value: unknown) => string;

/** Runs SQL that is written by hand. */
export async function runSql<Row>(db: Db, write: (bind: Bind) => string): Promise<Row[]> {
  const values: unknown[] = [];
  const sql = write((value) => {
    values.push(value ?? null);
    // With its number, so that values may be bound in another order than they stand in.
    return `${db.engine === 'postgres' ? '$' : '?'}${values.length}`;
  });
  return db.execute<Row>(sql, values);
}

/** @param rows of one shape, at least one. @param end what follows the values. */
function insertRows<Row>(
  db: Db,
  table: string,
  rows: readonly object[],
  end: string,
  columns: readonly string[] = Object.keys(rows[0] ?? {}),
): Promise<Row[]> {
  const names = listOf(columns);
  return runSql(db, (bind) => {
    if (db.engine === 'postgres' && rows.length > 1) {
      // One text for however many rows, so that it is prepared once.
      const list = `json_populate_recordset(NULL::${table}, CAST(${bind(JSON.stringify(rows))} AS json)) AS r`;
      return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${list} ${end}`;
    }
    const tupleOf = (row: Readonly<Record<string, unknown>>) => columns.map((column) => bind(row[column]));
    const tuples = rows.map((row) => `(${tupleOf(row as Readonly<Record<string, unknown>>)})`);
    return `INSERT INTO ${table} (${names}) VALUES ${tuples} ${end}`;
  });
}

/** Type that allows only columns of the table: extra fields of a spread would be written, too. */
type Only<Table extends keyof Schema, Row> = Readonly<Record<Exclude<keyof Row, keyof Schema[Table]>, never>>;

/** Columns of the table and no others; those that have a default may be left out. */
type RowOf<Table extends keyof Schema, Row> = Partial<Schema[Table]> & Only<Table, Row>;

/** A row as it is inserted. */
type NewRow<Table extends keyof Schema, Row> = Insertable<Schema[Table]> & Only<Table, Row>;

/**
 * Inserts many rows of one shape with one statement. Rows that meet a unique key are passed over.
 * @returns the `returning` column of the rows that were really inserted, in no particular order.
 */
export async function insertMany<Table extends keyof Schema, Row extends RowOf<Table, Row>>(
  db: Db,
  table: Table,
  rows: readonly Row[],
  returning: keyof Row & string,
): Promise<string[]> {
  if (rows.length === 0) return [];
  const end = `ON CONFLICT DO NOTHING RETURNING "${returning}"`;
  const inserted = await insertRows<Record<string, string>>(db, table, rows, end);
  return inserted.map((row) => row[returning] ?? '');
}

/** @returns a function that inserts one row. It throws `already_exists` where the row meets a unique key. */
export function inserter<Table extends keyof Schema>(table: Table) {
  return async <Row extends NewRow<Table, Row>>(db: Db, row: Row): Promise<void> => {
    await insertRows(db, table, [row], '');
  };
}

const DO_NOTHING = 'DO NOTHING RETURNING 1 AS one';

/**
 * @param key columns of the unique key that the row may meet; of any key where none are given.
 * @returns a function that inserts one row. It answers false, and nothing is written, where the key is met.
 */
export function newInserter<Table extends keyof Schema>(table: Table, ...key: readonly ColumnName<Table>[]) {
  const target = key.length === 0 ? '' : `(${listOf(key)}) `;
  return async <Row extends NewRow<Table, Row>>(db: Db, row: Row): Promise<boolean> =>
    (await insertRows(db, table, [row], `ON CONFLICT ${target}${DO_NOTHING}`)).length > 0;
}

interface Upsert<Table extends keyof Schema, Returned> {
  /** Columns of the unique key that the row may meet. */
  readonly key: readonly ColumnName<Table>[];
  /** Columns that overwrite those of the existing row. */
  readonly news: readonly ColumnName<Table>[];
  /** Columns that it adds to its own. */
  readonly sums?: readonly ColumnName<Table>[];
  /** Columns that it keeps. */
  readonly kept?: readonly ColumnName<Table>[];
  readonly returning: Returned;
}

/** @returns an upsert of these columns; it returns the `returning` column of the inserted or updated row. */
export function upserter<Table extends keyof Schema, Returned extends ColumnName<Table>>(
  table: Table,
  { key, news, sums = [], kept = [], returning }: Upsert<Table, Returned>,
): PreparedQuery<Insertable<Schema[Table]>, Pick<Schema[Table], Returned>> {
  const set = [
    ...news.map((column) => `"${column}" = excluded."${column}"`),
    ...sums.map((column) => `"${column}" = ${table}."${column}" + excluded."${column}"`),
  ].join(', ');
  const end = `ON CONFLICT (${listOf(key)}) DO UPDATE SET ${set} RETURNING "${returning}"`;
  const columns = [...key, ...kept, ...sums, ...news];
  const all = (db: Db, row: Insertable<Schema[Table]>) =>
    insertRows<Pick<Schema[Table], Returned>>(db, table, [row], end, columns);
  return { all, first: (db, row) => all(db, row).then(([written]) => written) };
}

/** @returns a function that changes the columns which it is given of the row with that id. */
export function changer<Table extends keyof Schema>(table: Table) {
  return async (db: Db, id: string, change: Updateable<Schema[Table]>): Promise<void> => {
    await runSql(db, (bind) => {
      const set = Object.entries(change).map(([column, value]) => `"${column}" = ${bind(value)}`);
      return `UPDATE ${table} SET ${set} WHERE id = ${bind(id)}`;
    });
  };
}

/**
 * @returns a function that serializes database transactions on one row. SQLite has a single writer, so that
 * it needs no lock.
 */
export function locker(table: 'sessions' | 'devices' | 'payment_links') {
  return async (db: Db, id: string): Promise<void> => {
    if (db.engine === 'sqlite') return;
    await db.execute(`SELECT id FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  };
}
