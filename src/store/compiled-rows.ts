/** Rows inserted and changed with SQL whose text is made once for each table and form of row. */
import type { Insertable, Updateable } from 'kysely';
import { type HotQuery, markerFor, runOnce, textOnce } from './compiled-query.js';
import type { Db, Schema } from './schema/index.js';

type Column<Table extends keyof Schema> = keyof Schema[Table] & string;

const listOf = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

const inserts = new Map<string, { readonly sql: string; readonly columns: readonly string[] }>();

/** @param rows of one shape, at least one. @param end what follows the values. */
function insertRows<Row>(
  db: Db,
  table: string,
  rows: readonly object[],
  end: string,
  columns: readonly string[] = Object.keys(rows[0] ?? {}),
): Promise<Row[]> {
  if (db.engine === 'postgres' && rows.length > 1) return insertList(db, table, rows, end, columns);
  const name = `${db.engine} ${table} ${rows.length} ${columns.length} ${end}`;
  let known = inserts.get(name);
  // Compared one by one: to join the names costs more than all else that is done here.
  if (known === undefined || !columns.every((column, at) => column === known?.columns[at])) {
    const mark = markerFor(db);
    const tuples = rows.map(() => `(${columns.map(mark).join(', ')})`).join(', ');
    known = { columns, sql: `INSERT INTO ${table} (${listOf(columns)}) VALUES ${tuples} ${end}` };
    inserts.set(name, known);
  }
  const parameters: unknown[] = [];
  for (const row of rows) {
    for (const column of columns) parameters.push((row as Readonly<Record<string, unknown>>)[column] ?? null);
  }
  return db.execute<Row>(known.sql, parameters);
}

/** On PostgreSQL: one text and one value for however many rows, so that it is prepared once. */
function insertList<Row>(
  db: Db,
  table: string,
  rows: readonly object[],
  end: string,
  columns: readonly string[],
): Promise<Row[]> {
  const text = textOnce(db, `list of ${table} ${columns} ${end}`, (mark) => {
    const names = listOf(columns);
    const list = `json_populate_recordset(NULL::${table}, CAST(${mark()} AS json)) AS r`;
    return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${list} ${end}`;
  });
  return db.execute<Row>(text, [JSON.stringify(rows)]);
}

/** No columns but those of the table: what a spread brings along would be written, too. */
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
export function newInserter<Table extends keyof Schema>(table: Table, ...key: readonly Column<Table>[]) {
  const target = key.length === 0 ? '' : `(${listOf(key)}) `;
  return async <Row extends NewRow<Table, Row>>(db: Db, row: Row): Promise<boolean> =>
    (await insertRows(db, table, [row], `ON CONFLICT ${target}${DO_NOTHING}`)).length > 0;
}

interface Upsert<Table extends keyof Schema, Returned> {
  /** Columns of the unique key that the row may meet. */
  readonly key: readonly Column<Table>[];
  /** Columns that the row which is there takes over then. */
  readonly news: readonly Column<Table>[];
  /** Columns that it adds to its own. */
  readonly sums?: readonly Column<Table>[];
  /** Columns that it keeps. */
  readonly kept?: readonly Column<Table>[];
  readonly returning: Returned;
}

/**
 * @returns a query that inserts these columns of a row, or brings the row that is there up to date; it
 * answers the `returning` column of that one.
 */
export function upserter<Table extends keyof Schema, Returned extends Column<Table>>(
  table: Table,
  { key, news, sums = [], kept = [], returning }: Upsert<Table, Returned>,
): HotQuery<Insertable<Schema[Table]>, Pick<Schema[Table], Returned>> {
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
    const columns = Object.keys(change);
    await runOnce(
      db,
      `change ${table} ${columns}`,
      [...Object.values(change).map((value) => value ?? null), id],
      (mark) => {
        const set = columns.map((column) => `"${column}" = ${mark()}`).join(', ');
        return `UPDATE ${table} SET ${set} WHERE id = ${mark()}`;
      },
    );
  };
}

/**
 * @returns a function that makes the units of work which touch one row come one after the other. SQLite has
 * one writer anyway.
 */
export function locker(table: 'sessions' | 'devices' | 'payment_links') {
  return async (db: Db, id: string): Promise<void> => {
    if (db.engine === 'sqlite') return;
    await db.execute(`SELECT id FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  };
}
