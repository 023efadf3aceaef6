/**
 * The thinnest Kysely dialect there can be: it compiles for an engine and hands SQL to a function.
 * Transactions are not Kysely's business here; the stores begin and commit around a unit of work.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Db, Engine, Schema } from './schema/index.js';

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

function refuse(): Promise<never> {
  return Promise.reject(new Error('Transactions belong to Store.write, not to Kysely'));
}

function driverOver(execute: Execute): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changed } = await execute<Row>(query.sql, query.parameters);
      return { rows, numAffectedRows: BigInt(changed) };
    },
    // biome-ignore lint/correctness/useYield: streaming is not offered, the interface asks for a generator
    async *streamQuery() {
      throw new Error('Streaming is not offered by this store');
    },
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

/** @returns a connection of the store over any function that runs SQL of that engine. */
export function dbOver(engine: Engine, execute: Execute): Db {
  const shared = { createDriver: () => driverOver(execute) };
  const dialect: Dialect =
    engine === 'sqlite'
      ? {
          ...shared,
          createAdapter: () => new SqliteAdapter(),
          createQueryCompiler: () => new SqliteQueryCompiler(),
          createIntrospector: (db) => new SqliteIntrospector(db),
        }
      : {
          ...shared,
          createAdapter: () => new PostgresAdapter(),
          createQueryCompiler: () => new PostgresQueryCompiler(),
          createIntrospector: (db) => new PostgresIntrospector(db),
        };
  return {
    engine,
    query: new Kysely<Schema>({ dialect }),
    execute: async <Row>(sql: string, parameters: readonly unknown[]) => {
      const executed = execute<Row>(sql, parameters);
      return (executed instanceof Promise ? await executed : executed).rows;
    },
  };
}
