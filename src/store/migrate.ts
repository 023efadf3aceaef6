/**
 * Numbered, forward-only changes of the tables, run at every opening of a store. The row of a version is
 * inserted first and in the same transaction: of several processes that start together the others wait.
 */
import { isKashboxError, KashboxError } from '../base/errors/errors.js';
import { MIGRATION_ROWS, type MigrationStatement } from './migrations/index.js';
import type { Db } from './schema/index.js';

/** One numbered change of the tables. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly MigrationStatement[];
}

export const MIGRATIONS: readonly Migration[] = MIGRATION_ROWS.map(([name, statements], index) => ({
  version: index + 1,
  name,
  statements,
}));

/** Runs one durable database transaction of a migration. */
type RunInTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

const VERSION_TABLE = `CREATE TABLE IF NOT EXISTS schema_versions (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at BIGINT NOT NULL
)`;

/**
 * Brings the tables to the newest version.
 * @returns the versions that this call applied, in order.
 * @throws KashboxError `store_newer` if the store has a version that this code does not know.
 */
export async function migrate(
  run: RunInTransaction,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number[]> {
  const newest = newestOf(await versions(run));
  const known = migrations.length;
  if (newest > known) {
    throw new KashboxError('store_newer', {
      message: `The store has schema version ${newest}, this Kashbox supports up to ${known}`,
    });
  }
  const applied: number[] = [];
  for (const migration of migrations.slice(newest)) {
    if (await run((db) => apply(db, migration, now))) applied.push(migration.version);
  }
  return applied;
}

/** @returns the newest version that a store has; 0 where it has no tables of ours. */
export async function tablesVersion(db: Db): Promise<number> {
  const tables =
    db.engine === 'sqlite'
      ? "sqlite_master WHERE name = 'schema_versions'"
      : "pg_class WHERE oid = to_regclass('schema_versions')";
  const made = await db.execute(`SELECT 1 FROM ${tables}`, []);
  return made.length === 0 ? 0 : newestOf(await db.execute(VERSIONS, []));
}

const VERSIONS = 'SELECT version FROM schema_versions';

const newestOf = (rows: readonly { readonly version: number }[]) =>
  Math.max(0, ...rows.map(({ version }) => version));

async function versions(run: RunInTransaction): Promise<{ version: number }[]> {
  const ask = () =>
    run(async (db) => {
      await db.execute(VERSION_TABLE, []);
      return db.execute<{ version: number }>(VERSIONS, []);
    });
  try {
    return await ask();
  } catch (error) {
    // PostgreSQL answers a CREATE TABLE IF NOT EXISTS that lost a race with a unique violation.
    if (isKashboxError(error, 'already_exists')) return ask();
    throw error;
  }
}

async function apply(db: Db, migration: Migration, now: number): Promise<boolean> {
  const mark = db.query
    .insertInto('schema_versions' as never)
    .values({ version: migration.version, name: migration.name, applied_at: now } as never)
    .onConflict((conflict) => conflict.doNothing())
    .returning('version' as never)
    .compile();
  const won = await db.execute(mark.sql, mark.parameters);
  if (won.length === 0) return false;
  for (const statement of migration.statements) {
    if (typeof statement === 'string') await db.execute(statement, []);
    else if (db.engine === 'postgres') await db.execute(statement.postgres, []);
  }
  return true;
}
