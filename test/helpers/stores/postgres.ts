/**
 * A real PostgreSQL database for one test, its own: empty, or with Kashbox's tables. `npm test` starts the
 * server; a test file run by hand starts one for itself.
 */
import { randomBytes } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { openStore } from '../../../src/store/open.js';
import { type PostgresServer, startPostgres } from './postgres-server.js';

let ownServer: Promise<PostgresServer> | undefined;

async function serverUrl(): Promise<string> {
  const shared = process.env.KASHBOX_TEST_DATABASE_URL;
  if (shared !== undefined && shared !== '') return shared;
  ownServer ??= startPostgres().then(async (server) => {
    await makeTemplate(server.url);
    return server;
  });
  return (await ownServer).url;
}

/** A database with all tables and without rows. Copying it takes a quarter of the time of the migrations. */
const TEMPLATE = 'kashbox_template';

/** Makes what `databaseWithTables` copies; to be called once for a server. @param server its URL. */
export async function makeTemplate(server: string): Promise<void> {
  await run(server, `CREATE DATABASE ${TEMPLATE}`);
  const store = await openStore({ databaseUrl: urlOf(server, TEMPLATE), file: '', now: Date.now() });
  await store.close();
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
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
export function freshDatabase(t: ExecutionContext<unknown>): Promise<string> {
  return createDatabase(t, 'template1');
}

/** The same with the tables of the newest migration, for tests that are not about making them. */
export function databaseWithTables(t: ExecutionContext<unknown>): Promise<string> {
  return createDatabase(t, TEMPLATE);
}

async function createDatabase(t: ExecutionContext<unknown>, template: string): Promise<string> {
  const server = await serverUrl();
  const name = `kashbox_${randomBytes(8).toString('hex')}`;
  await run(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  t.teardown(() => run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return urlOf(server, name);
}
