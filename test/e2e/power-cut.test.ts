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
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { kashboxProgram, runNode, startNode, withinTime } from '../helpers/programs/processes.js';
import {
  createPayment,
  equipShop,
  keepBusy,
  noPromises,
  type Promises,
  type ShopKeys,
  verifyAgain,
  verifyPayment,
} from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules, lostPromises } from '../helpers/stores/ledger-audit.js';
import { type PowerCutDisk, powerCutDisk } from '../helpers/stores/power-cut.js';
import { amount } from '../helpers/tiers.js';
import { until } from '../helpers/until.js';

const CUTS = amount(3, 14);
const fillStore = fileURLToPath(new URL('../fixtures/fill-store.js', import.meta.url));
const longReader = fileURLToPath(new URL('../fixtures/long-reader.js', import.meta.url));

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
  },
) {
  const { disk, keys, promises } = shop;
  const { daemons: count = 1 } = life;
  const start = () => startDaemon(t, { home: disk.folder, env: disk.env });
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
  shop.disk.setLying(true);
  for (let cut = 1; cut <= 2; cut += 1) {
    await liveUntilCut(t, shop, { ms: 500, luck: 0, random: Math.random });
  }
  const lost = lostPromises(await copyOf(t, shop.disk), shop.promises);
  t.log(`${lost.length} acknowledged things are gone, as they should be`);
  t.true(lost.length > 0);
});

test.serial('a power cut during the first start does not keep the next from starting', async (t) => {
  for (let cut = 1; cut <= amount(1, 6); cut += 1) {
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

test.serial('a merchant created just before a power cut survives it, with its secrets', async (t) => {
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
    const after = new SqliteFile(await copyOf(t, disk, 'filled.db'));
    t.is(after.pragma('integrity_check'), 'ok');
    const kept = after.prepare('SELECT max(n) AS newest, count(*) AS count FROM filled').get();
    after.close();
    t.true(Number(kept?.newest) >= acknowledged, `${kept?.newest} of ${acknowledged}`);
    t.is(kept?.count, kept?.newest);
  }
});

/**
 * A shop whose daemon has ended because a sync failed: the log looks whole, and is not on the disk. Another
 * process reads it for as long as the test takes, as a backup does.
 */
async function shopAfterFailedSync(t: ExecutionContext) {
  const shop = await shopOnDisk(t);
  const { disk, keys, promises } = shop;
  const first = await startDaemon(t, { home: disk.folder, env: disk.env });
  promises.created.add(String((await createPayment(first, keys)).body.id));
  disk.setBroken(true);
  t.is((await createPayment(first, keys)).status, 503);
  t.deepEqual(await withinTime(first.process), { code: 70, signal: null });
  disk.setBroken(false);
  const start = () => startDaemon(t, { home: disk.folder, env: disk.env });
  // It opens the store before the daemon does, and so finds the log as it is.
  const reader = startNode(t, [longReader, join(disk.folder, 'kashbox.db')], disk.env);
  await reader.printed(/^reading$/m);
  const pay = async (daemon: Daemon) => {
    const answer = await createPayment(daemon, keys);
    if (answer.status === 200) promises.created.add(String(answer.body.id));
    return answer.status;
  };
  /** The power goes while the daemon runs. */
  const cut = async (daemon: Daemon) => {
    for (const child of [daemon.process, reader]) child.kill('SIGKILL');
    await Promise.all([daemon.process.ended, reader.ended]);
    await disk.cut(0, Math.random);
    const file = await copyOf(t, disk);
    t.deepEqual(lostPromises(file, promises), []);
    t.deepEqual(brokenRules(file), []);
  };
  /** The other process stops reading. */
  const endReader = async () => {
    reader.kill('SIGKILL');
    await reader.ended;
  };
  return { ...shop, start, pay, cut, endReader };
}

const readiness = async (daemon: Daemon) => {
  const { status, body } = await daemon.get('/readyz');
  return `${status} ${body.message}`;
};
const READ = /^503 Another process is reading the store; waiting for it to end/;

test.serial(
  'a failed sync, a restart with a reader open, payments and a power cut lose nothing',
  async (t) => {
    const { start, pay, cut, endReader } = await shopAfterFailedSync(t);
    const daemon = await start();
    t.regex(await readiness(daemon), READ);
    for (let payment = 0; payment < 4; payment += 1) t.is(await pay(daemon), 503);
    await endReader();
    await until(async () => (await readiness(daemon)) === '200 ready');
    for (let payment = 0; payment < 8; payment += 1) t.is(await pay(daemon), 200);
    await cut(daemon);
  },
);

test.serial(
  'what a command stores next to a daemon that waits for a reader survives a power cut',
  async (t) => {
    const { disk, start, cut } = await shopAfterFailedSync(t);
    const daemon = await start();
    const env = { ...disk.env, HOME: disk.folder, KASHBOX_HOME: disk.folder };
    const made = await runNode(t, [kashboxProgram, 'merchants', 'create', '--name', 'Alo', '--json'], env);
    t.is(made.code, 0, made.stderr);
    t.regex(await readiness(daemon), READ);
    await cut(daemon);
    const after = new SqliteFile(await copyOf(t, disk));
    t.teardown(() => after.close());
    t.is(after.prepare("SELECT count(*) AS n FROM merchants WHERE name = 'Alo'").get()?.n, 1);
  },
);

test.serial(
  'a failed sync and a disk that is full at the restart: not ready until there is room',
  async (t) => {
    const { disk, keys, promises, start, pay, cut, endReader } = await shopAfterFailedSync(t);
    disk.setFull(true);
    const daemon = await start();
    t.is(await readiness(daemon), '503 The disk of the store is full');
    t.is(await pay(daemon), 503);
    const [known = ''] = promises.created;
    t.is((await verifyPayment(daemon, keys, known, 'DKL3ZCS4HH')).status, 503, 'nothing is told, either');
    t.is((await daemon.get('/healthz')).status, 200);
    disk.setFull(false);
    await until(async () => READ.test(await readiness(daemon)));
    await endReader();
    await until(async () => (await readiness(daemon)) === '200 ready');
    for (let payment = 0; payment < 4; payment += 1) t.is(await pay(daemon), 200);
    await daemon.process.logged(/the store is not writable[\s\S]*the store is writable again/);
    await cut(daemon);
  },
);

test.serial('the certificate that phones have pinned survives a power cut', async (t) => {
  const disk = await powerCutDisk(t);
  const first = await startDaemon(t, { home: disk.folder, env: disk.env });
  first.process.kill('SIGKILL');
  await first.process.ended;
  await disk.cut(0, Math.random);
  const second = await startDaemon(t, { home: disk.folder, env: disk.env });
  t.is(second.fingerprint, first.fingerprint);
});
