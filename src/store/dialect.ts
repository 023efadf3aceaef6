/**
 * Minimal Kysely dialect: it compiles for an engine and passes the SQL to a function. Kysely does not handle
 * transactions here; the stores begin and commit them.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Db, Engine, Schema } from './schema/index.js';

/** Result of a statement: the rows of a query, or the number of changed rows. */
interface StatementResult<Row> {
  readonly rows: Row[];
  readonly changed: number;
}

/** SQLite answers at once, PostgreSQL later. */
export type Execute = <Row>(
  sql: string,
  parameters: readonly unknown[],
) => StatementResult<Row> | Promise<StatementResult<Row>>;

class StoreDriver extends DummyDriver {
  constructor(private readonly execute: Execute) {
    super();
  }

  override async beginTransaction(): Promise<never> {
    throw new Error('Transactions belong to Store.write, not to Kysely');
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        const { rows, changed } = await this.execute<Row>(query.sql, query.parameters);
        return { rows, numAffectedRows: BigInt(changed) };
      },
      streamQuery() {
        throw new Error('Streaming is not offered by this store');
      },
    };
  }
}

const PARTS = {
  sqlite: { adapter: SqliteAdapter, compiler: SqliteQueryCompiler, introspector: SqliteIntrospector },
  postgres: { adapter: PostgresAdapter, compiler: PostgresQueryCompiler, introspector: PostgresIntrospector },
};

/** @returns Kysely for that engine; `driver` runs what it compiles. */
export function createKysely(
  engine: Engine,
  driver: Driver,
  Compiler: new () => QueryCompiler = PARTS[engine].compiler,
): Kysely<Schema> {
  const { adapter: Adapter, introspector: Introspector } = PARTS[engine];
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new Compiler(),
    createIntrospector: (db) => new Introspector(db),
  };
  return new Kysely<Schema>({ dialect });
}

/**
 * Creates a connection of the store over functions that run SQL of that engine.
 * @param execute runs queries that are built each time.
 * @param executePrepared runs the few fixed statements.
 */
export function createDb(engine: Engine, execute: Execute, executePrepared = execute): Db {
  return {
    engine,
    query: createKysely(engine, new StoreDriver(execute)),
    execute: async <Row>(sql: string, parameters: readonly unknown[]) =>
      (await executePrepared<Row>(sql, parameters)).rows,
  };
}
