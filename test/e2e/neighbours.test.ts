/**
 * The daemon is not alone with its store: the command line changes it, other programs lock it, other daemons
 * share it, and a newer Kashbox may have been there.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { type Answer, type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { kashboxProgram, runNode, withinTime } from '../helpers/programs/processes.js';
import {
  createPayment,
  equipShop,
  keepBusy,
  newSms,
  noPromises,
  relaySms,
  type ShopKeys,
  verifyPayment,
} from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules, lostPromises } from '../helpers/stores/ledger-audit.js';

const LOCK_MS = 3_000;

interface Shop {
  readonly home: string;
  readonly keys: ShopKeys;
  readonly daemon: Daemon;
  /** Runs a command of the same home, beside the daemon. */
  cli(...args: readonly string[]): Promise<{ readonly code: number | null; readonly stdout: string }>;
}

async function openShopWithDaemon(t: ExecutionContext): Promise<Shop> {
  const home = await temporaryFolder(t);
  const keys = await equipShop(home);
  const daemon = await startDaemon(t, { home });
  const cli = (...args: readonly string[]) =>
    runNode(t, [kashboxProgram, ...args], { HOME: home, KASHBOX_HOME: home });
  return { home, keys, daemon, cli };
}

/** Takes the write lock of the store as another program would. @returns how to let go of it. */
function lockStore(t: ExecutionContext, home: string): () => void {
  const other = new SqliteFile(join(home, 'kashbox.db'), { timeout: 5_000 });
  t.teardown(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  return () => other.exec('COMMIT');
}

test.serial('while another program holds the store for 3 s, requests wait and none fails', async (t) => {
  const { home, keys, daemon } = await openShopWithDaemon(t);
  const { sms, reference } = newSms();
  const { id } = (await createPayment(daemon, keys)).body;
  const release = lockStore(t, home);
  const waiting: Promise<Answer>[] = [
    ...Array.from({ length: 10 }, () => createPayment(daemon, keys)),
    relaySms(daemon, keys, [sms]),
    verifyPayment(daemon, keys, String(id), 'DHK0000000'),
  ];
  const end = Date.now() + LOCK_MS;
  let beats = 0;
  while (Date.now() < end || beats < 10) {
    t.is((await daemon.get('/healthz')).status, 200);
    t.is((await daemon.get('/readyz')).status, 200);
    beats += 1;
    await sleep(20);
  }
  release();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  t.deepEqual(statuses, [...Array.from({ length: 11 }, () => 200), 404]);
  t.is((await verifyPayment(daemon, keys, String(id), reference)).status, 200);
});

test.serial('SIGTERM while requests wait for the store: they are answered before the end', async (t) => {
  const { home, keys, daemon } = await openShopWithDaemon(t);
  // Their connections are open before, so that all requests are surely with the daemon.
  await Promise.all(Array.from({ length: 8 }, () => createPayment(daemon, keys)));
  const release = lockStore(t, home);
  const waiting = Array.from({ length: 8 }, () => createPayment(daemon, keys));
  // Until the daemon has read them, also on a busy machine; well below what a request waits for the store.
  await sleep(2_000);
  daemon.process.kill('SIGTERM');
  await sleep(300);
  release();
  const answers = await Promise.all(waiting);
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.deepEqual(await withinTime(daemon.process), { code: 0, signal: null });
  const promises = noPromises();
  for (const { body } of answers) promises.created.add(String(body.id));
  t.deepEqual(lostPromises(join(home, 'kashbox.db'), promises), []);
});

test.serial('a merchant suspended by the CLI is refused at the next request', async (t) => {
  const { keys, daemon, cli } = await openShopWithDaemon(t);
  t.is((await createPayment(daemon, keys)).status, 200);
  t.is((await cli('merchants', 'suspend', 'Alo Store', '--json')).code, 0);
  const refused = await createPayment(daemon, keys);
  t.is(refused.status, 403);
  t.regex(String(refused.body.message), /suspended/);
  t.is((await relaySms(daemon, keys, [newSms().sms])).status, 403);
  t.is((await cli('merchants', 'activate', 'Alo Store', '--json')).code, 0);
  t.is((await createPayment(daemon, keys)).status, 200);
});

test.serial('a key rotated by the CLI is invalid at the next request, and the new one works', async (t) => {
  const { keys, daemon, cli } = await openShopWithDaemon(t);
  t.is((await createPayment(daemon, keys)).status, 200);
  const rotated = await cli('keys', 'rotate', '--brand', 'Alo Store', '--json');
  t.is(rotated.code, 0);
  const { brand_key } = JSON.parse(rotated.stdout) as { readonly brand_key: string };
  t.is((await createPayment(daemon, keys)).status, 401);
  t.is((await createPayment(daemon, { ...keys, brandKey: brand_key })).status, 200);
});

test.serial('two daemons and the command line work on one store at the same time', async (t) => {
  const { home, keys, daemon, cli } = await openShopWithDaemon(t);
  const second = await startDaemon(t, { home });
  t.is(second.fingerprint, daemon.fingerprint);
  const promises = noPromises();
  const tills = [keepBusy(daemon, keys, promises), keepBusy(second, keys, promises)];
  for (const name of ['one', 'two', 'three']) {
    const made = await cli('merchants', 'create', '--name', name, '--json');
    t.is(made.code, 0, made.stdout);
  }
  await Promise.all(tills.map((till) => till.credited));
  for (const till of tills) till.expectEnd();
  await Promise.all(tills.map((till) => till.over));
  t.deepEqual(promises.faults, []);
  t.true(promises.completed.size > 0);
  t.deepEqual(lostPromises(join(home, 'kashbox.db'), promises), []);
  t.deepEqual(brokenRules(join(home, 'kashbox.db')), []);
});

test.serial('a second daemon on the same port says so and leaves the first alone', async (t) => {
  const { home, keys, daemon } = await openShopWithDaemon(t);
  const env = { HOME: home, KASHBOX_HOME: home, KASHBOX_HTTP_PORT: '0' };
  const second = await runNode(t, [kashboxProgram, 'daemon', '--port', new URL(daemon.url).port], env);
  t.is(second.code, 5);
  t.regex(second.stderr, /in use/);
  t.is((await createPayment(daemon, keys)).status, 200);
});

test.serial('a store that a newer Kashbox has changed is refused, and left as it is', async (t) => {
  const home = await temporaryFolder(t);
  await equipShop(home);
  const file = join(home, 'kashbox.db');
  const store = new SqliteFile(file);
  store.exec("INSERT INTO schema_versions VALUES (999, 'of-tomorrow', 0)");
  const versions = () => store.column('SELECT version FROM schema_versions');
  const before = versions();
  const env = { HOME: home, KASHBOX_HOME: home, KASHBOX_PORT: '0', KASHBOX_HTTP_PORT: '0' };
  for (const args of [['daemon'], ['merchants', 'list']]) {
    const { code, stderr, stdout } = await runNode(t, [kashboxProgram, ...args], env);
    t.is(code, 4, stdout + stderr);
    t.regex(stderr, /999/);
    t.regex(stderr, /later|newer/);
  }
  t.deepEqual(versions(), before);
  store.close();
});
