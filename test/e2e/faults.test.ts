/**
 * The disk fills up or breaks, the database server goes away: nobody is told that something was done which
 * was not, and work goes on when the fault is gone.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { type Answer, type Daemon, startDaemon } from '../helpers/programs/daemon.js';
import { withinTime } from '../helpers/programs/processes.js';
import {
  createPayment,
  equipShop,
  keepBusy,
  newSms,
  noPromises,
  type Promises,
  relaySms,
  type ShopKeys,
  verifyAgain,
  verifyPayment,
} from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules, lostPromises } from '../helpers/stores/ledger-audit.js';
import { fragilePostgres } from '../helpers/stores/postgres-outage.js';
import { powerCutDisk } from '../helpers/stores/power-cut.js';
import { variants } from '../helpers/tiers.js';

async function work(daemon: Daemon, keys: ShopKeys, promises: Promises): Promise<void> {
  const busy = keepBusy(daemon, keys, promises);
  await busy.credited;
  await sleep(200);
  busy.expectEnd();
  await busy.over;
}

/** Every kind of request that writes. */
function everyWrite(daemon: Daemon, keys: ShopKeys): Promise<Answer[]> {
  return Promise.all([
    createPayment(daemon, keys),
    createPayment(daemon, keys),
    relaySms(daemon, keys, [newSms().sms]),
  ]);
}

function checkUnavailable(t: ExecutionContext, answers: readonly Answer[]): void {
  for (const { status, headers, body } of answers) {
    t.is(status, 503, JSON.stringify(body));
    t.is(body.status, false);
    t.regex(String(headers['retry-after']), /^\d+$/);
  }
}

/** A daemon on a disk of our own making that has served some payments. */
async function openWorking(t: ExecutionContext) {
  const disk = await powerCutDisk(t);
  const keys = await equipShop(disk.folder);
  await disk.settle();
  const daemon = await startDaemon(t, { home: disk.folder, env: disk.env });
  const promises = noPromises();
  await work(daemon, keys, promises);
  return { disk, keys, daemon, promises };
}

test.serial(
  'a full disk: 503, stored data stays readable, and work continues when there is room',
  async (t) => {
    const { disk, keys, daemon, promises } = await openWorking(t);
    t.deepEqual(promises.faults, []);

    disk.setFull(true);
    for (let round = 0; round < 3; round += 1) checkUnavailable(t, await everyWrite(daemon, keys));
    const [id = '', reference = ''] = [...promises.completed][0] ?? [];
    t.is((await verifyPayment(daemon, keys, id, reference)).status, 200, 'a paid payment is still paid');
    t.is((await daemon.get('/healthz')).status, 200);

    disk.setFull(false);
    await work(daemon, keys, promises);
    t.deepEqual(promises.faults, []);
    daemon.process.kill('SIGKILL');
    await daemon.process.ended;
    await disk.cut(0, Math.random);
    t.deepEqual(lostPromises(join(disk.folder, 'kashbox.db'), promises), []);
    t.deepEqual(brokenRules(join(disk.folder, 'kashbox.db')), []);
  },
);

const failing = test.macro(async (t: ExecutionContext, isSlow: boolean) => {
  const disk = await powerCutDisk(t);
  const keys = await equipShop(disk.folder);
  await disk.settle();
  const daemon = await startDaemon(t, { home: disk.folder, env: disk.env });
  const promises = noPromises();
  const busy = keepBusy(daemon, keys, promises);
  await busy.credited;
  disk.setSlow(isSlow);
  await sleep(200);
  busy.expectEnd();
  disk.setBroken(true);
  const last = await Promise.allSettled([createPayment(daemon, keys), createPayment(daemon, keys)]);
  await busy.over;
  t.deepEqual(await withinTime(daemon.process), { code: 70, signal: null });
  t.true(last.every((answer) => answer.status === 'rejected' || answer.value.status === 503));
  t.deepEqual(
    promises.faults.filter((fault) => !fault.includes(': 503 ')),
    [],
  );

  disk.setBroken(false);
  await disk.cut(0, Math.random);
  const again = await startDaemon(t, { home: disk.folder, env: disk.env });
  t.is((await createPayment(again, keys)).status, 200);
  t.deepEqual(lostPromises(join(disk.folder, 'kashbox.db'), promises), []);
  t.deepEqual(brokenRules(join(disk.folder, 'kashbox.db')), []);
});

for (const kind of variants(['disk', 'slow disk'])) {
  const title = `a ${kind} that fails under a commit: no false answer, exit 70, then recovery`;
  test.serial(title, failing, kind === 'slow disk');
}

/** SQLite asks for a lock more than a hundred times, over 10 s, before it gives up. */
const ASKED_BY_SQLITE = 100;

test.serial(
  'files that the system does not lock: the daemon waits once, then 503 without waiting',
  async (t) => {
    const { disk, keys, daemon, promises } = await openWorking(t);
    disk.setUnlockable(true);
    checkUnavailable(t, await everyWrite(daemon, keys));
    const before = disk.refusedLocks();
    t.true(before > ASKED_BY_SQLITE);
    for (let round = 0; round < 3; round += 1) {
      checkUnavailable(t, await everyWrite(daemon, keys));
      t.is((await daemon.get('/readyz')).status, 503);
      t.is((await daemon.get('/healthz')).status, 200);
    }
    t.true(disk.refusedLocks() - before < ASKED_BY_SQLITE, `${disk.refusedLocks()} after ${before}`);

    disk.setUnlockable(false);
    await work(daemon, keys, promises);
    t.deepEqual(promises.faults, []);
    t.is((await daemon.get('/readyz')).status, 200);
    t.deepEqual(lostPromises(join(disk.folder, 'kashbox.db'), promises), []);
    t.deepEqual(brokenRules(join(disk.folder, 'kashbox.db')), []);
  },
);

/** Log lines of errors that are in no table, to be shown when a test fails. */
function unexpectedIn(daemon: Daemon): string {
  const lines = daemon.process.stderr().split('\n');
  return lines
    .filter((line) => line.includes('"level":"error"') && !line.includes('"type":"Kashbox'))
    .join('\n');
}

for (const how of variants(['crash', 'fast'] as const)) {
  test.serial(
    `PostgreSQL ends (${how}) under load and comes back: 503 until then, nothing is lost`,
    async (t) => {
      const postgres = await fragilePostgres(t);
      await postgres.start();
      const home = await temporaryFolder(t);
      const env = { KASHBOX_DATABASE_URL: postgres.url };
      const keys = await equipShop(home, env);
      const daemon = await startDaemon(t, { home, env });
      const promises = noPromises();
      const busy = keepBusy(daemon, keys, promises);
      await busy.credited;
      await sleep(500);
      await postgres.stop(how);
      await sleep(200);
      busy.expectEnd();
      await busy.over;
      t.true(promises.completed.size > 0);
      t.deepEqual(
        promises.faults.filter((fault) => !fault.includes(': 503 ')),
        [],
        unexpectedIn(daemon),
      );
      checkUnavailable(t, await everyWrite(daemon, keys));
      t.is((await daemon.get('/readyz')).status, 503);
      t.is((await daemon.get('/healthz')).status, 200);

      await postgres.start();
      const after = noPromises();
      await work(daemon, keys, after);
      t.deepEqual(after.faults, []);
      t.true(after.completed.size > 0, 'it works again, without a restart');
      await verifyAgain(t, daemon, keys, promises);
    },
  );
}
