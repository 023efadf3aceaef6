/**
 * Two PostgreSQL servers, one of which follows the other: the primary dies under load, and the standby takes
 * over. An address that names both finds the one that takes writes.
 */
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { type Core, openCore } from '../../src/actions/core/core.js';
import { openShop } from '../helpers/shop/shop.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { type FragilePostgres, fragilePostgres } from '../helpers/stores/postgres-outage.js';
import { until } from '../helpers/until.js';

async function run(server: FragilePostgres, ...statements: readonly string[]) {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    const answers = [];
    for (const statement of statements) answers.push(...(await client.query(statement)).rows);
    return answers;
  } finally {
    await client.end();
  }
}

const WAIT = ["ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'", 'SELECT pg_reload_conf()'];

async function openPair(t: ExecutionContext) {
  const primary = await fragilePostgres(t);
  await primary.start();
  const standby = await fragilePostgres(t, { standbyOf: primary });
  await standby.start();
  await until(async () => (await run(primary, 'SELECT 1 FROM pg_stat_replication')).length === 1);
  return { primary, standby };
}

const hostOf = ({ url }: FragilePostgres) => new URL(url).host;

async function coreOn(t: ExecutionContext, ...servers: readonly FragilePostgres[]): Promise<Core> {
  const hosts = servers.map(hostOf).join(',');
  const core = await openCore({
    folder: await temporaryFolder(t),
    env: {
      KASHBOX_DATABASE_URL: `postgres://kashbox@${hosts}/postgres?target_session_attrs=read-write`,
    },
  });
  t.teardown(() => core.close());
  return core;
}

const AT_ONCE = 8;
const AGAIN_MS = 50;

/** Opens payments again and again, whatever fails meanwhile. `acknowledged` are the answered ids. */
function keepOrdering(shop: { order(paisa: number): Promise<string> }) {
  const acknowledged: string[] = [];
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      try {
        acknowledged.push(await shop.order(50_000));
      } catch {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
  const workers = Array.from({ length: AT_ONCE }, work);
  return {
    acknowledged,
    reach: (count: number) => until(() => acknowledged.length >= count),
    async stop() {
      isOver = true;
      await Promise.all(workers);
    },
  };
}

async function idsOn(server: FragilePostgres): Promise<Set<string>> {
  return new Set((await run(server, 'SELECT id FROM sessions')).map(({ id }) => id as string));
}

/** Acknowledged payments before the primary dies, and after the standby has taken over. */
const ORDERS = 60;

test('a failover to a synchronous standby loses nothing that was acknowledged, and the work goes on there', async (t) => {
  const { primary, standby } = await openPair(t);
  const core = await coreOn(t, primary, standby);
  const shop = await openShop(core);
  await run(primary, ...WAIT);
  await until(async () => {
    const [row] = await run(primary, 'SELECT sync_state FROM pg_stat_replication');
    return row?.sync_state === 'quorum';
  });
  const orders = keepOrdering(shop);
  await orders.reach(ORDERS);
  await primary.stop('crash');
  const before = orders.acknowledged.length;
  await run(standby, 'SELECT pg_promote()');
  await orders.reach(before + ORDERS);
  await orders.stop();
  const kept = await idsOn(standby);
  t.deepEqual(
    orders.acknowledged.filter((id) => !kept.has(id)),
    [],
  );
  t.is(core.store.writing.failure, null);
});

test('a failover to a standby that commits did not wait for loses what it lacks: the test above can fail', async (t) => {
  const { primary, standby } = await openPair(t);
  const core = await coreOn(t, primary, standby);
  const shop = await openShop(core);
  await until(async () => (await run(standby, "SELECT 1 FROM brands WHERE name = 'Alo Store'")).length === 1);
  await standby.stop('fast');
  const orders = keepOrdering(shop);
  await orders.reach(ORDERS);
  await primary.stop('crash');
  const before = orders.acknowledged.length;
  await standby.start();
  await run(standby, 'SELECT pg_promote()');
  await orders.reach(before + ORDERS);
  await orders.stop();
  const kept = await idsOn(standby);
  t.true(orders.acknowledged.filter((id) => !kept.has(id)).length >= ORDERS);
});

test('of several hosts the one that takes writes is used, wherever it stands; with none, a standby is named', async (t) => {
  const { primary, standby } = await openPair(t);
  const core = await coreOn(t, standby, primary);
  const shop = await openShop(core);
  const id = await shop.order(50_000);
  t.true((await idsOn(primary)).has(id));
  await primary.stop('fast');
  await until(async () => {
    const error: { code?: string } | null = await shop.order(50_000).then(
      () => null,
      (failure) => failure,
    );
    return error?.code === 'store_read_only';
  });
  await t.throwsAsync(shop.order(50_000), { message: /read-only standby/ });
  await primary.start();
  await until(() =>
    shop.order(50_000).then(
      () => true,
      () => false,
    ),
  );
  t.is(core.store.writing.failure, null);
});
