/**
 * Hot queries: written with Kysely, compiled once per engine, then run with other values each time.
 * Building and compiling a query costs more than running it (style.md, "Traps"), and what is on a
 * request's way runs ten thousand times a second.
 */
import {
  type Compilable,
  type KyselyPlugin,
  LimitNode,
  type OperationNode,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  RawNode,
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
 * A value that is bound where a partial index names one, or as a limit, makes SQLite look at it and plan the
 * statement anew for every run, which takes three times as long as a small query itself. So what is the same
 * for every run stands in the text, and a limit is a sum, into which the planner does not look.
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

export interface HotQuery<V extends Values, Row> {
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

const manySql = new Map<string, string>();

/** Columns of the table and no others; those that have a default may be left out. */
type RowOf<Table extends keyof Schema, Row> = Partial<Schema[Table]> &
  Readonly<Record<Exclude<keyof Row, keyof Schema[Table]>, never>>;

/**
 * Inserts many rows of one shape with one statement whose text is made once per table and row count.
 * Rows that meet a unique key are passed over.
 * @returns the `returning` column of the rows that were really inserted, in no particular order.
 */
export async function insertMany<Table extends keyof Schema, Row extends RowOf<Table, Row>>(
  db: Db,
  table: Table,
  rows: readonly Row[],
  returning: keyof Row & string,
): Promise<string[]> {
  const first = rows[0];
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const name = `${db.engine} ${table} ${columns.length} ${rows.length} ${returning}`;
  let text = manySql.get(name);
  if (text === undefined) {
    text = insertManyText(db.engine, table, columns, rows.length, returning);
    manySql.set(name, text);
  }
  const parameters: unknown[] = [];
  for (const row of rows) for (const column of columns) parameters.push(row[column as keyof Row]);
  const inserted = await db.execute<Record<string, string>>(text, parameters);
  return inserted.map((row) => row[returning] ?? '');
}

function insertManyText(
  engine: Engine,
  table: string,
  columns: readonly string[],
  count: number,
  returning: string,
): string {
  let next = 0;
  const mark = () => (engine === 'postgres' ? `$${++next}` : '?');
  const tuple = () => `(${columns.map(mark).join(', ')})`;
  const tuples = Array.from({ length: count }, tuple).join(', ');
  const list = columns.map((column) => `"${column}"`).join(', ');
  return `INSERT INTO ${table} (${list}) VALUES ${tuples} ON CONFLICT DO NOTHING RETURNING "${returning}"`;
}
