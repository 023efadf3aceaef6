/**
 * Hot queries: written with Kysely, compiled once per engine, then run with other values each time, because
 * building and compiling a query costs more than running it. Single rows are inserted and changed likewise.
 */
import {
  type Compilable,
  type Insertable,
  type KyselyPlugin,
  LimitNode,
  type OperationNode,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  RawNode,
  type Updateable,
  ValueListNode,
  ValueNode,
} from 'kysely';
import type { Db, Engine, Schema } from './schema/index.js';

interface CompiledHot {
  readonly sql: string;
  /** For each SQL parameter the name of the value that goes there. */
  readonly slots: readonly string[];
}

class Slot {
  constructor(readonly name: string) {}
}

/**
 * A value that is bound where a partial index names one, or as a limit, makes SQLite plan the statement again
 * for every run. So what never differs stands in the text, and a limit is a sum, which the planner skips.
 */
class PlannedOnce extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return node.value instanceof Slot ? node : ValueNode.createImmediate(node.value);
  }

  /** Plain values are always bound, so they become a list of nodes, which is compiled by its kind. */
  protected override transformPrimitiveValueList({ values }: PrimitiveValueListNode): PrimitiveValueListNode {
    const nodes = values.map((value) => this.transformValue(ValueNode.create(value)));
    return ValueListNode.create(nodes) as OperationNode as PrimitiveValueListNode;
  }

  protected override transformLimit(node: LimitNode): LimitNode {
    const { limit } = super.transformLimit(node);
    const isText = ValueNode.is(limit) && limit.immediate === true;
    return isText ? LimitNode.create(limit) : LimitNode.create(RawNode.create(['', ' + 0'], [limit]));
  }
}

const plannedOnce = new PlannedOnce();

const PLANNED_ONCE: KyselyPlugin = {
  transformQuery: ({ node }) => plannedOnce.transformNode(node),
  transformResult: async ({ result }) => result,
};

/** Values by name; each is given to the builder as a stand-in of its own type. */
type Values = Readonly<Record<string, string | number | null>>;

export interface HotQuery<V, Row> {
  /** All rows, in the order of the query. */
  all(db: Db, values: V): Promise<Row[]>;
  /** The first row, or undefined. */
  first(db: Db, values: V): Promise<Row | undefined>;
}

/**
 * `hot<{ id: string }>()((db, value) => …)`: the builder puts `value.id` wherever that value belongs.
 * In two steps so that the row type follows from the query.
 */
export function hot<V extends Values>() {
  return <Row>(build: (db: Db, value: V) => Compilable<Row>): HotQuery<V, Row> => {
    const cache = new Map<Engine, CompiledHot>();
    const all = (db: Db, values: V): Promise<Row[]> => {
      let known = cache.get(db.engine);
      if (known === undefined) {
        known = compile(db, (hotDb, value) => build(hotDb, value as V));
        cache.set(db.engine, known);
      }
      return db.execute<Row>(
        known.sql,
        known.slots.map((slot) => values[slot]),
      );
    };
    return { all, first: (db, values) => all(db, values).then((rows) => rows[0]) };
  };
}

function compile(db: Db, build: (db: Db, value: Values) => Compilable<unknown>): CompiledHot {
  const standIns = new Proxy({}, { get: (_target, name) => new Slot(String(name)) });
  const query = build({ ...db, query: db.query.withPlugin(PLANNED_ONCE) }, standIns as Values).compile();
  const slots = query.parameters.map((item) => {
    if (item instanceof Slot) return item.name;
    throw new Error(`${String(item)} would be bound for every run: ${query.sql}`);
  });
  return { sql: query.sql, slots };
}

/**
 * As `hot`, for queries with one list, as in `where … in`. Lists are filled up to the next power of two by
 * repeating their last item, so that few texts serve lists of every length.
 */
export function hotIn<V extends Values>() {
  return <Row>(build: (db: Db, value: V, list: readonly string[]) => Compilable<Row>) => {
    const cache = new Map<string, CompiledHot>();
    /** @param list at least one item. */
    return (db: Db, values: V, list: readonly string[]): Promise<Row[]> => {
      const size = 2 ** Math.ceil(Math.log2(list.length));
      const name = `${db.engine} ${size}`;
      const places = Array.from({ length: size }, (_, index) => String(index));
      let known = cache.get(name);
      if (known === undefined) {
        const listOf = (value: Values) => places.map((place) => value[place]) as string[];
        known = compile(db, (hotDb, value) => build(hotDb, value as V, listOf(value)));
        cache.set(name, known);
      }
      const item = (place: string) => list[Math.min(Number(place), list.length - 1)];
      const parameters = known.slots.map((slot) => (slot in values ? values[slot] : item(slot)));
      return db.execute<Row>(known.sql, parameters);
    };
  };
}

type Column<Table extends keyof Schema> = keyof Schema[Table] & string;

const texts = new Map<string, string>();

/** Runs SQL whose text is made once under a name; `mark` stands for the next parameter. */
export async function runOnce<Row>(
  db: Db,
  name: string,
  parameters: readonly unknown[],
  write: (mark: () => string) => string,
): Promise<Row[]> {
  const known = `${db.engine} ${name}`;
  let text = texts.get(known);
  if (text === undefined) {
    text = write(markerFor(db));
    texts.set(known, text);
  }
  return db.execute<Row>(text, parameters);
}

/** @returns what stands for the next parameter. */
function markerFor({ engine }: Db): () => string {
  let next = 0;
  return () => (engine === 'postgres' ? `$${++next}` : '?');
}

const listOf = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

const inserts = new Map<string, { readonly columns: readonly string[]; readonly text: string }>();

/** @param rows of one shape, at least one. @param end what follows the values. */
async function insertRows<Row>(
  db: Db,
  table: string,
  rows: readonly object[],
  end: string,
  columns: readonly string[] = Object.keys(rows[0] ?? {}),
): Promise<Row[]> {
  const name = `${db.engine} ${table} ${rows.length} ${columns.length} ${end}`;
  let known = inserts.get(name);
  // Compared one by one: to join the names costs more than all else that is done here.
  if (known === undefined || !columns.every((column, at) => column === known?.columns[at])) {
    const mark = markerFor(db);
    const tuples = rows.map(() => `(${columns.map(mark).join(', ')})`).join(', ');
    known = { columns, text: `INSERT INTO ${table} (${listOf(columns)}) VALUES ${tuples} ${end}` };
    inserts.set(name, known);
  }
  const parameters: unknown[] = [];
  for (const row of rows) {
    for (const column of columns) parameters.push((row as Readonly<Record<string, unknown>>)[column]);
  }
  return db.execute<Row>(known.text, parameters);
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

/**
 * @param key columns of the unique key that the row may meet; of any key where none are given.
 * @returns a function that inserts one row. It answers false, and nothing is written, where the key is met.
 */
export function newInserter<Table extends keyof Schema>(table: Table, ...key: readonly Column<Table>[]) {
  const target = key.length === 0 ? '' : `(${listOf(key)}) `;
  return async <Row extends NewRow<Table, Row>>(db: Db, row: Row): Promise<boolean> =>
    (await insertRows(db, table, [row], `ON CONFLICT ${target}DO NOTHING RETURNING 1 AS one`)).length > 0;
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
    await runOnce(db, `change ${table} ${columns}`, [...Object.values(change), id], (mark) => {
      const set = columns.map((column) => `"${column}" = ${mark()}`).join(', ');
      return `UPDATE ${table} SET ${set} WHERE id = ${mark()}`;
    });
  };
}

/**
 * @returns a function that makes the units of work which touch one row come one after the other. SQLite has
 * one writer anyway.
 */
export function locker(table: 'merchants' | 'sessions' | 'devices' | 'payment_links') {
  return async (db: Db, id: string): Promise<void> => {
    if (db.engine === 'sqlite') return;
    await db.execute(`SELECT id FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  };
}
