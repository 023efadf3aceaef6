/**
 * Hot queries: written with Kysely, compiled once per engine, then run with other values each time, because
 * building and compiling a query costs more than running it (rows: compiled-rows.ts).
 */
import {
  BinaryOperationNode,
  type Compilable,
  type KyselyPlugin,
  LimitNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  RawNode,
  ValueListNode,
  ValueNode,
} from 'kysely';
import type { Db, Engine } from './schema/index.js';

interface CompiledHot {
  readonly sql: string;
  /** For each SQL parameter the name of the value that goes there. */
  readonly slots: readonly string[];
}

class Slot {
  constructor(readonly name: string) {}
}

/** Of a whole list, which PostgreSQL takes as one value. */
class ListSlot extends Slot {}

const LIST = new ListSlot('list');

/** Whether a builder's list is the stand-in of a whole list. */
export const isWhole = (list: readonly string[]): boolean => (list[0] as unknown) === LIST;

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

  /** `in ($1, $2 …)` of a list that is one value becomes `= any($1)`: one text for lists of every length. */
  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    const { leftOperand, rightOperand } = node;
    const list = PrimitiveValueListNode.is(rightOperand) ? rightOperand.values[0] : undefined;
    if (!(list instanceof ListSlot)) return super.transformBinaryOperation(node);
    const any = RawNode.create(['any(', ')'], [ValueNode.create(list)]);
    return BinaryOperationNode.create(this.transformNode(leftOperand), OperatorNode.create('='), any);
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
    const compiled = (db: Db): CompiledHot => {
      let known = cache.get(db.engine);
      if (known === undefined) {
        known = compile(db, (hotDb, value) => build(hotDb, value as V));
        cache.set(db.engine, known);
      }
      return known;
    };
    const all = (db: Db, values: V): Promise<Row[]> => {
      const { sql, slots } = compiled(db);
      const parameters = slots.map((slot) => values[slot]);
      return db.execute<Row>(sql, parameters);
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
 * As `hot`, for queries with one list, as in `where … in`. PostgreSQL takes a list as one value, of which the
 * builder gets a stand-in (`isWhole`), but not one of one item: with a list the plan is made again each time.
 * For SQLite lists are filled up to the next power of two by repeating their last item, so that few texts
 * serve lists of every length.
 */
export function hotIn<V extends Values>() {
  return <Row>(build: (db: Db, value: V, list: readonly string[]) => Compilable<Row>) => {
    const cache = new Map<string, CompiledHot>();
    /** @param list at least one item. */
    return (db: Db, values: V, list: readonly string[]): Promise<Row[]> => {
      const isOne = db.engine === 'postgres' && list.length > 1;
      const size = isOne ? 1 : 2 ** Math.ceil(Math.log2(list.length));
      const name = `${db.engine} ${isOne ? 'list' : size}`;
      const places = Array.from({ length: size }, (_, index) => String(index));
      let known = cache.get(name);
      if (known === undefined) {
        const listOf = (value: Values) => (isOne ? [LIST] : places.map((place) => value[place]));
        known = compile(db, (hotDb, value) => build(hotDb, value as V, listOf(value) as string[]));
        cache.set(name, known);
      }
      const item = (place: string) => list[Math.min(Number(place), list.length - 1)];
      const given = (slot: string) => (slot === LIST.name ? list : item(slot));
      const parameters = known.slots.map((slot) => (slot in values ? values[slot] : given(slot)));
      return db.execute<Row>(known.sql, parameters);
    };
  };
}

const texts = new Map<string, string>();

/** Runs SQL whose text is made once under a name; `mark` stands for the next parameter. */
export async function runOnce<Row>(
  db: Db,
  name: string,
  parameters: readonly unknown[],
  write: (mark: () => string) => string,
): Promise<Row[]> {
  return db.execute<Row>(textOnce(db, name, write), parameters);
}

/** @returns the SQL of that name, which is written once for each engine. */
export function textOnce(db: Db, name: string, write: (mark: () => string) => string): string {
  const known = `${db.engine} ${name}`;
  let text = texts.get(known);
  if (text === undefined) {
    text = write(markerFor(db));
    texts.set(known, text);
  }
  return text;
}

/** @returns what stands for the next parameter. */
export function markerFor({ engine }: Db): () => string {
  let next = 0;
  return () => (engine === 'postgres' ? `$${++next}` : '?');
}
