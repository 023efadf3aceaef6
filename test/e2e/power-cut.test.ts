/**
 * The power goes while the daemon works: of what the process wrote only that is left which was fsynced.
 * Everything that was answered before must still be there.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { authenticateBrand } from '../../src/actions/access/authenticate-brand.js';
import { openCore } from '../../src/actions/core/core.js';
import { createMerchant } from '../../src/actions/merchants/create-merchant.js';
import { openSqliteFile } from '../../src/store/sqlite-driver.js';
import { startDaemon } from '../helpers/programs/daemon.js';
import { kashboxProgram, runNode, startNode } from '../helpers/programs/processes.js';
import {
  equipShop,
  keepBusy,
  noPromises,
  type Promises,
  type ShopKeys,
  verifyAgain,
} from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules, lostPromises } from '../helpers/stores/ledger-audit.js';
import { type PowerCutDisk, powerCutDisk } from '../helpers/stores/power-cut.js';

const CUTS = 14;
const fillStore = fileURLToPath(new URL('../fixtures/fill-store.js', import.meta.url));
const readMerchants = fileURLToPath(new URL('../fixtures/read-merchants.js', import.meta.url));
const notDurable = fileURLToPath(new URL('../fixtures/not-durable.js', import.meta.url));

/** Small and repeatable: the seed is printed when a test fails. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function shopOnDisk(t: ExecutionContext) {
  const disk = await powerCutDisk(t);
  const keys = await equipShop(disk.folder);
  await disk.settle();
  const promises = noPromises();
  return { disk, keys, promises };
}

/** Looking at a store recovers it, and that is the daemon's to do: the audit gets a store of its own. */
async function copyOf(t: ExecutionContext, disk: PowerCutDisk, file = 'kashbox.db'): Promise<string> {
  const folder = await temporaryFolder(t);
  await cp(disk.folder, folder, { recursive: true });
  return join(folder, file);
}

/** One life of the daemons, from their start to the power cut. */
async function liveUntilCut(
  t: ExecutionContext,
  shop: { readonly disk: PowerCutDisk; readonly keys: ShopKeys; readonly promises: Promises },
  life: {
    readonly ms: number;
    readonly luck: number;
    readonly random: () => number;
    /** Daemons that share the store; one unless told otherwise. */
    readonly daemons?: number;
    readonly nodeArgs?: string[];
  },
) {
  const { disk, keys, promises } = shop;
  const { daemons: count = 1, nodeArgs = [] } = life;
  const start = () => startDaemon(t, { home: disk.folder, env: disk.env, nodeArgs });
  const daemons = await Promise.all(Array.from({ length: count }, start));
  const busy = daemons.map((daemon) => keepBusy(daemon, keys, promises));
  await Promise.all(busy.map((till) => till.credited));
  await sleep(life.ms);
  for (const till of busy) till.expectEnd();
  for (const daemon of daemons) daemon.process.kill('SIGKILL');
  await Promise.all([...busy.map((till) => till.over), ...daemons.map((daemon) => daemon.process.ended)]);
  await disk.cut(life.luck, life.random);
}

test.serial('a power cut loses nothing that was acknowledged, however often it comes', async (t) => {
  const shop = await shopOnDisk(t);
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed);
  t.log(`seed ${seed}`);
  for (let cut = 1; cut <= CUTS; cut += 1) {
    // Every second disk was quick: it has written some of the sectors that nobody had asked it to.
    const luck = cut % 2 === 0 ? random() : 0;
    const daemons = cut % 4 === 3 ? 2 : 1;
    // Then commits are synced in a thread of their own.
    shop.disk.setSlow(cut % 3 === 0);
    await liveUntilCut(t, shop, { ms: random() * 400, luck, random, daemons });
    const file = await copyOf(t, shop.disk);
    t.deepEqual(lostPromises(file, shop.promises), [], `cut ${cut}`);
    t.deepEqual(brokenRules(file), [], `cut ${cut}`);
  }
  t.deepEqual(shop.promises.faults, []);
  const { created, sms, completed } = shop.promises;
  t.log(`${CUTS} cuts, ${created.size} orders, ${sms.size} SMS, ${completed.size} credits acknowledged`);
  t.true(completed.size >= CUTS, 'the tills were busy');
  const daemon = await startDaemon(t, { home: shop.disk.folder, env: shop.disk.env });
  await verifyAgain(t, daemon, shop.keys, shop.promises);
});

test.serial('the same test loses acknowledged work when commits are not fsynced', async (t) => {
  const shop = await shopOnDisk(t);
  const nodeArgs = ['--import', notDurable];
  for (let cut = 1; cut <= 2; cut += 1) {
    await liveUntilCut(t, shop, { ms: 500, luck: 0, random: Math.random, nodeArgs });
  }
  const lost = lostPromises(await copyOf(t, shop.disk), shop.promises);
  t.log(`${lost.length} acknowledged things are gone, as they should be`);
  t.true(lost.length > 0);
});

test.serial('a power cut during the first start does not keep the next from starting', async (t) => {
  for (let cut = 1; cut <= 6; cut += 1) {
    const disk = await powerCutDisk(t);
    const env = { ...disk.env, HOME: disk.folder, KASHBOX_HOME: disk.folder };
    const ports = { KASHBOX_PORT: '0', KASHBOX_HTTP_PORT: '0' };
    const first = startNode(t, [kashboxProgram, 'daemon'], { ...env, ...ports });
    await sleep(150 + cut * 55 + Math.random() * 55);
    first.kill('SIGKILL');
    await first.ended;
    await disk.cut(cut % 2 === 0 ? Math.random() : 0, Math.random);
    const next = await startDaemon(t, { home: disk.folder });
    t.is((await next.get('/readyz')).status, 200);
    next.process.kill('SIGKILL');
  }
});

test.serial('what an operator has just set up survives a power cut, with its secrets', async (t) => {
  const disk = await powerCutDisk(t);
  const env = { ...disk.env, HOME: disk.folder, KASHBOX_HOME: disk.folder };
  const made = await runNode(t, [kashboxProgram, 'merchants', 'create', '--name', 'Alo', '--json'], env);
  t.is(made.code, 0, made.stderr);
  const { brand, brand_key, webhook_secret } = JSON.parse(made.stdout) as {
    readonly brand: { readonly id: string };
    readonly brand_key: string;
    readonly webhook_secret: string;
  };
  await disk.cut(0, Math.random);
  const core = await openCore({ folder: disk.folder, env: {} });
  t.teardown(() => core.close());
  const found = await authenticateBrand(core, { credentials: [brand_key], ip: '127.0.0.1' });
  t.is(found.brandId, brand.id);
  const row = await core.store.read((db) =>
    db.query.selectFrom('brands').select('webhook_secret').executeTakeFirstOrThrow(),
  );
  t.is(core.secrets.open(row.webhook_secret, `brand:${brand.id}:webhook`), webhook_secret);
});

test.serial('a power cut around the time at which the log begins again loses nothing', async (t) => {
  const disk = await powerCutDisk(t);
  const file = join(disk.folder, 'filled.db');
  let acknowledged = 0;
  for (const wanted of [30, 34, 70]) {
    const filling = startNode(t, [fillStore, file], disk.env);
    await filling.printed(new RegExp(`^${wanted}$`, 'm'));
    filling.kill('SIGKILL');
    await filling.ended;
    acknowledged = Math.max(acknowledged, ...filling.stdout().trim().split('\n').map(Number));
    await disk.cut(0, Math.random);
    const after = openSqliteFile(await copyOf(t, disk, 'filled.db'));
    t.is(after.pragma('integrity_check', { simple: true }), 'ok');
    const [kept] = after.prepare('SELECT max(n), count(*) FROM filled').raw().all() as [[number, number]];
    after.close();
    t.true(kept[0] >= acknowledged, `${kept[0]} of ${acknowledged}`);
    t.is(kept[1], kept[0]);
  }
});

test.serial('what a process tells of the commits of another is on the disk by then', async (t) => {
  for (const way of ['read', 'write', null]) {
    const disk = await powerCutDisk(t);
    // What this process syncs, the shadow does not see: it counts as not synced.
    const core = await openCore({ folder: disk.folder, env: {} });
    await disk.settle();
    const reader = startNode(t, [readMerchants, join(disk.folder, 'kashbox.db')], disk.env);
    await reader.printed(/open/);
    await createMerchant(core, { name: 'Alo', allowIps: [], who: 'test' });
    if (way !== null) {
      reader.stdin.write(`${way}\n`);
      await reader.printed(/"Alo"/);
    }
    reader.kill('SIGKILL');
    await reader.ended;
    await core.close();
    await disk.cut(0, Math.random);
    const after = await openCore({ folder: disk.folder, env: {} });
    const kept = await after.store.read((db) => db.execute('SELECT name FROM merchants', []));
    t.deepEqual(kept, way === null ? [] : [{ name: 'Alo' }], `${way}`);
    await after.close();
  }
});

test.serial('the certificate that phones have pinned survives a power cut', async (t) => {
  const disk = await powerCutDisk(t);
  const first = await startDaemon(t, { home: disk.folder, env: disk.env });
  first.process.kill('SIGKILL');
  await first.process.ended;
  await disk.cut(0, Math.random);
  const second = await startDaemon(t, { home: disk.folder, env: disk.env });
  t.is(second.fingerprint, first.fingerprint);
});
