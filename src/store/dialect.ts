/**
 * The thinnest Kysely dialect there can be: it compiles for an engine and hands SQL to a function.
 * Transactions are not Kysely's business here; the stores begin and commit around a unit of work.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Db, Engine, NameLock, Schema } from './schema/index.js';

/** What a driver did: rows of a query, or how many rows a statement changed. */
export interface Executed<Row> {
  readonly rows: Row[];
  readonly changed: number;
}

/** SQLite answers at once, PostgreSQL later. */
export type Execute = <Row>(
  sql: string,
  parameters: readonly unknown[],
) => Executed<Row> | Promise<Executed<Row>>;

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

/** How hot statements run where that differs from all others (`Db`). */
export interface HotStatements {
  readonly execute: Execute;
  send(sql: string, parameters: readonly unknown[]): void;
  isAhead(): boolean;
  /** Keeps it for later. Called only while ahead. */
  expect(sql: string, parameters: readonly unknown[], rows: number): void;
  lock(names: NameLock): void;
}

/** @returns a connection of the store over any function that runs SQL of that engine. */
export function dbOver(engine: Engine, execute: Execute, hot?: HotStatements): Db {
  const { adapter: Adapter, compiler: Compiler, introspector: Introspector } = PARTS[engine];
  const dialect: Dialect = {
    createDriver: () => new StoreDriver(execute),
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new Compiler(),
    createIntrospector: (db) => new Introspector(db),
  };
  const run = hot?.execute ?? execute;
  const rowsOf = async <Row>(sql: string, parameters: readonly unknown[]) => {
    const executed = run<Row>(sql, parameters);
    return (executed instanceof Promise ? await executed : executed).rows;
  };
  return {
    engine,
    query: new Kysely<Schema>({ dialect }),
    execute: rowsOf,
    send: async (sql, parameters) => {
      if (hot === undefined) await execute(sql, parameters);
      else hot.send(sql, parameters);
    },
    get isAhead() {
      return hot?.isAhead() ?? false;
    },
    expect: async (sql, parameters, rows) => {
      if (hot === undefined || !hot.isAhead()) return (await rowsOf(sql, parameters)).length === rows;
      hot.expect(sql, parameters, rows);
      return true;
    },
    lock: async (names) => hot?.lock(names),
  };
}
