/**
 * The daemon is killed in the middle of its work, again and again, and in the end told politely to stop.
 * Whatever it had answered must be in the store, once.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { verify } from '../actions/audit/ground.js';
import { startDaemon } from '../helpers/programs/daemon.js';
import { withinTime } from '../helpers/programs/processes.js';
import { equipShop, keepBusy, noPromises, relaySms, verifyAgain } from '../helpers/shop/till.js';
import { openTestCore, temporaryFolder } from '../helpers/stores/engines.js';
import { brokenRules, lostPromises } from '../helpers/stores/ledger-audit.js';
import { amount } from '../helpers/tiers.js';

const KILLS = amount(3, 50);

test.serial('kills under load lose no acknowledged SMS or credit and double none', async (t) => {
  t.timeout(600_000);
  const home = await temporaryFolder(t);
  const file = join(home, 'kashbox.db');
  const keys = await equipShop(home);
  const promises = noPromises();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const daemon = await startDaemon(t, { home });
    const busy = keepBusy(daemon, keys, promises);
    // Every fifth life ends before it has come to much.
    if (kill % 5 !== 0) await busy.credited;
    await sleep(Math.random() * 300);
    busy.expectEnd();
    daemon.process.kill('SIGKILL');
    await busy.over;
    await daemon.process.ended;
  }
  t.deepEqual(promises.faults, []);
  t.deepEqual(lostPromises(file, promises), []);
  t.deepEqual(brokenRules(file), []);
  const { created, sms, completed } = promises;
  t.log(`${KILLS} kills, ${created.size} orders, ${sms.size} SMS, ${completed.size} credits acknowledged`);
  t.true(completed.size > KILLS / 2, 'the tills were busy');

  const daemon = await startDaemon(t, { home });
  await verifyAgain(t, daemon, keys, promises);
  const rest = [...promises.unanswered.values()].slice(0, 200);
  const { status, body } = await relaySms(daemon, keys, rest);
  t.is(status, 200);
  for (const sms of rest) promises.sms.add(sms.body);
  t.is((body.results as readonly unknown[]).length, rest.length);
  t.deepEqual(lostPromises(file, promises), [], 'what the phone sends again is there too');
  t.deepEqual(brokenRules(file), [], 'and nothing of it is there twice');
  const core = await openTestCore(t, 'sqlite', { folder: home });
  t.like(
    await verify(core),
    { ok: true, pending: 0 },
    'every credit is in the audit chain, which has no gap',
  );
});

test.serial('SIGTERM under load leaves no request hanging and loses nothing', async (t) => {
  const home = await temporaryFolder(t);
  const file = join(home, 'kashbox.db');
  const keys = await equipShop(home);
  const promises = noPromises();
  for (let stop = 1; stop <= amount(2, 4); stop += 1) {
    const daemon = await startDaemon(t, { home });
    const busy = keepBusy(daemon, keys, promises, 12);
    await busy.credited;
    await sleep(200);
    busy.expectEnd();
    daemon.process.kill('SIGTERM');
    // Every till comes back, with an answer or an error: nobody is left hanging.
    await busy.over;
    t.deepEqual(await withinTime(daemon.process), { code: 0, signal: null });
    t.deepEqual(promises.faults, []);
    t.deepEqual(lostPromises(file, promises), []);
    t.deepEqual(brokenRules(file), []);
  }
  t.true(promises.completed.size > 0);
});

test.serial('a daemon that is stopped twice leaves at once, and loses nothing all the same', async (t) => {
  const home = await temporaryFolder(t);
  const keys = await equipShop(home);
  const promises = noPromises();
  const daemon = await startDaemon(t, { home });
  const busy = keepBusy(daemon, keys, promises);
  await busy.credited;
  busy.expectEnd();
  daemon.process.kill('SIGTERM');
  daemon.process.kill('SIGINT');
  await busy.over;
  // The second signal may meet a process that has finished already.
  t.true([0, 1].includes((await withinTime(daemon.process)).code ?? -1));
  t.deepEqual(lostPromises(join(home, 'kashbox.db'), promises), []);
  t.deepEqual(brokenRules(join(home, 'kashbox.db')), []);
});
