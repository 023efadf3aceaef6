/**
 * A real PostgreSQL database for one test, empty and its own. `npm test` starts the server; a test file run
 * by hand starts one for itself.
 */
import { randomBytes } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { type PostgresServer, startPostgres } from './postgres-server.js';

let ownServer: Promise<PostgresServer> | undefined;

async function serverUrl(): Promise<string> {
  const shared = process.env.KASHBOX_TEST_DATABASE_URL;
  if (shared !== undefined && shared !== '') return shared;
  ownServer ??= startPostgres();
  return (await ownServer).url;
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Creates an empty database and drops it when the test is over, whoever is still connected to it.
 * @returns its connection URL
 * @throws Error when there is no server and none can be started
 */
export async function freshDatabase(t: ExecutionContext<unknown>): Promise<string> {
  const server = await serverUrl();
  const name = `kashbox_${randomBytes(8).toString('hex')}`;
  await run(server, `CREATE DATABASE ${name}`);
  t.teardown(() => run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
