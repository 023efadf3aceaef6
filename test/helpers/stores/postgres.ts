/**
 * A real PostgreSQL database for one test, its own: empty, or with Kashbox's tables. `npm test` starts the
 * server; a test file run by hand starts one for itself.
 */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
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

interface Server {
  readonly url: string;
  readonly pool: pg.Pool;
  /** How a database is copied. */
  readonly strategy: Promise<string>;
}

let maintained: Server | undefined;

/** Connected once for all databases of this process: connecting costs as much as dropping one. */
function maintenanceOf(url: string): Server {
  if (maintained?.url === url) return maintained;
  const pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
  // The server may end before this process; a statement that comes then says so.
  pool.on('error', () => {});
  maintained = { url, pool, strategy: strategyOn(pool) };
  return maintained;
}

/**
 * Copying the files of a database takes half the work of copying it through the log, but each of the files is
 * fsynced: that is for a server in memory. Servers before version 15 know no other way and no word for it.
 */
async function strategyOn(pool: pg.Pool): Promise<string> {
  if (!tmpdir().startsWith('/dev/shm')) return '';
  const { rows } = await pool.query<{ server_version_num: string }>('SHOW server_version_num');
  return Number(rows[0]?.server_version_num) >= 150_000 ? 'STRATEGY FILE_COPY' : '';
}

async function run(server: string, statement: string): Promise<void> {
  await maintenanceOf(server).pool.query(statement);
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
  const strategy = await maintenanceOf(server).strategy;
  await run(server, `CREATE DATABASE ${name} TEMPLATE ${template} ${strategy}`);
  t.teardown(() => run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return urlOf(server, name);
}
