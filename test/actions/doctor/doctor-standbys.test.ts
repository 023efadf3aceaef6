/** A standby that commits do not wait for is told of: promoted, it would lack what was acknowledged last. */

import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { openCore } from '../../../src/actions/core/core.js';
import { checkStandbys } from '../../../src/actions/doctor/check-store.js';
import { inEnglish } from '../../helpers/in-english.js';
import { startProgram } from '../../helpers/programs/processes.js';
import { openTestCore, temporaryFolder } from '../../helpers/stores/engines.js';
import { type FragilePostgres, fragilePostgres } from '../../helpers/stores/postgres-outage.js';
import { until } from '../../helpers/until.js';

async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** A client that takes the log of writes as a standby does. */
async function connectStandby(t: ExecutionContext, postgres: FragilePostgres): Promise<void> {
  const { hostname, port, username } = new URL(postgres.url);
  const args = ['-D', await temporaryFolder(t), '-h', hostname, '-p', port, '-U', username];
  startProgram(t, postgres.program('pg_receivewal'), args);
}

test('nothing is said of SQLite, and of a server without standbys', async (t) => {
  t.deepEqual(await inEnglish(checkStandbys(await openTestCore(t, 'sqlite'))), []);
  t.deepEqual(await inEnglish(checkStandbys(await openTestCore(t, 'postgres'))), []);
});

test('a standby that commits do not wait for is warned of, also to a user without rights', async (t) => {
  const postgres = await fragilePostgres(t);
  await postgres.start();
  await run(postgres.url, 'CREATE ROLE shop LOGIN', 'CREATE DATABASE shop OWNER shop');
  const url = postgres.url.replace('kashbox@', 'shop@').replace('/postgres', '/shop');
  const core = await openCore({ folder: await temporaryFolder(t), env: { KASHBOX_DATABASE_URL: url } });
  t.teardown(() => core.close());
  t.deepEqual(await inEnglish(checkStandbys(core)), []);
  await connectStandby(t, postgres);
  await until(async () => (await inEnglish(checkStandbys(core))).length > 0);
  const [check] = await inEnglish(checkStandbys(core));
  t.is(check?.state, 'warn');
  t.is(
    check?.message,
    '1 standby is connected, but synchronous_standby_names is empty: a failover now would lose acknowledged payments',
  );
  const reload = 'SELECT pg_reload_conf()';
  const waits = "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'";
  await run(postgres.url, waits, 'ALTER SYSTEM SET synchronous_commit = local', reload);
  const becomes = (state: string, message: RegExp) =>
    until(async () => {
      const [now] = await inEnglish(checkStandbys(core));
      return now?.state === state && message.test(now.message);
    });
  await becomes('warn', /synchronous_commit is local/);
  await run(postgres.url, 'ALTER SYSTEM RESET synchronous_commit', reload);
  await becomes('ok', /commits wait for ANY 1 \(\*\)$/);
  t.pass();
});

test('a server whose standby is gone is warned of', async (t) => {
  const postgres = await fragilePostgres(t);
  await postgres.start();
  const env = { KASHBOX_DATABASE_URL: postgres.url };
  const core = await openCore({ folder: await temporaryFolder(t), env });
  t.teardown(() => core.close());
  t.deepEqual(await inEnglish(checkStandbys(core)), []);
  await run(postgres.url, "SELECT pg_create_physical_replication_slot('db2', true)");
  const [check] = await inEnglish(checkStandbys(core));
  t.like(check, { state: 'warn', message: 'no standby is connected: this server has the only copy' });
  await run(postgres.url, "SELECT pg_drop_replication_slot('db2')");
  t.deepEqual(await inEnglish(checkStandbys(core)), []);
  const several = { ...core.settings, databaseUrl: `${postgres.url}`.replace('@', '@127.0.0.2:1,') };
  t.is((await inEnglish(checkStandbys({ ...core, settings: several })))[0]?.state, 'warn');
});

test('an engine that has no such table is said to be unseen, and fails nothing', async (t) => {
  const core = await openTestCore(t, 'postgres');
  const read: typeof core.store.read = () => Promise.reject(new Error('relation does not exist'));
  const [check] = await inEnglish(checkStandbys({ ...core, store: { ...core.store, read } }));
  t.like(check, { state: 'ok', message: 'this database user cannot see whether standbys are connected' });
});
