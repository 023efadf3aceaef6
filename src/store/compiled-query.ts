/**
 * Queries of the ways that are taken often: Kysely builds and compiles each once for an engine, and it is run
 * with other values each time. To build them each time would double the processor time of a verification.
 */
import { type Compilable, DummyDriver, PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely';
import { createKysely } from './dialect.js';
import type { Db } from './schema/index.js';

/** Placeholder for a value: its name, or its index in the list. */
class Placeholder {
  constructor(readonly of: string | number) {}
}

/** Writes constants into the SQL text, so that the planner sees that a partial index applies. */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Placeholder) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

class PostgresCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Placeholder) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

const COMPILERS = { sqlite: SqliteCompiler, postgres: PostgresCompiler };

type Values = Readonly<Record<string, string | number | null>>;

/** Puts the value of that name into a query. */
export type QueryParam<V extends Values> = <Name extends keyof V & string>(name: Name) => V[Name];

export interface PreparedQuery<V, Row> {
  /** All rows, in the order of the query. */
  all(db: Db, values: V): Promise<Row[]>;
  /** The first row, or undefined. */
  first(db: Db, values: V): Promise<Row | undefined>;
}

/**
 * `hot<{ id: string }>()((db, value) => …)`: the builder says `value('id')` wherever that value belongs.
 * In two steps so that the row type follows from the query.
 */
export function prepared<V extends Values>() {
  return <Row>(build: (db: Db, value: QueryParam<V>) => Compilable<Row>): PreparedQuery<V, Row> => {
    const run = preparedIn<V>()(build);
    const all = (db: Db, values: V) => run(db, values, []);
    return { all, first: (db, values) => all(db, values).then((rows) => rows[0]) };
  };
}

/**
 * Like `prepared`, for queries with one list, as in `where … in`. Lists are padded to the next power of two
 * by repeating their last item, so that few SQL texts serve lists of every length.
 */
export function preparedIn<V extends Values>() {
  return <Row>(build: (db: Db, value: QueryParam<V>, list: readonly string[]) => Compilable<Row>) => {
    const compiled = new Map<string, { readonly sql: string; readonly parameters: readonly unknown[] }>();
    return (db: Db, values: V, list: readonly string[]): Promise<Row[]> => {
      const size = list.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(list.length));
      const name = `${db.engine} ${size}`;
      let query = compiled.get(name);
      if (query === undefined) {
        const value = (of: string) => new Placeholder(of) as unknown as V[string];
        const places = Array.from({ length: size }, (_, at) => new Placeholder(at) as unknown as string);
        const compiler = createKysely(db.engine, new DummyDriver(), COMPILERS[db.engine]);
        query = build({ ...db, query: compiler }, value as QueryParam<V>, places).compile();
        compiled.set(name, query);
      }
      const last = list.length - 1;
      const parameters = query.parameters.map((place) => {
        const { of } = place as Placeholder;
        return typeof of === 'number' ? list[Math.min(of, last)] : values[of];
      });
      return db.execute<Row>(query.sql, parameters);
    };
  };
}
