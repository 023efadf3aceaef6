/** Quiet hours hold back what can wait and tell it as one; a day is summed up once, whoever runs when. */
import test, { type ExecutionContext } from 'ava';
import {
  addAlertTarget,
  listAlertTargets,
  updateAlertTarget,
} from '../../../src/actions/alerts/alert-targets.js';
import { takeAlertMessages } from '../../../src/actions/alerts/deliver-alerts.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { raiseAlert } from '../../../src/actions/alerts/raise-alert.js';
import type { TargetChoices } from '../../../src/actions/alerts/target-input.js';
import { tellSummaries } from '../../../src/actions/alerts/tell-summaries.js';
import { dhakaMs } from '../../../src/base/values/clock.js';
import { formatTaka } from '../../../src/base/values/money.js';
import type { AlertEvent } from '../../../src/domain/alerts/alert.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer } from '../../helpers/shop/scene.js';
import { bkashId, bkashText, openShop } from '../../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { findByIndex, recorded } from '../../helpers/stores/plans.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const who = 'test';

async function open(t: ExecutionContext<unknown>, engine: Engine, choices: TargetChoices, hour = 23) {
  const clock = testClock(dhakaMs(2026, 8, 21, hour, 0, 0));
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  const target = { kind: 'command', command: 'true' } as const;
  const { id } = (await addAlertTarget(core, { target, choices, who })).target;
  let raised = 0;
  const raise = async (news: AlertEvent) => {
    raised += 1;
    clock.advance(1);
    const alert = { ...news, merchantId: shop.merchantId, incident: `${news.kind}:${raised}` };
    await core.store.write((db) => raiseAlert(core, db, alert));
  };
  /** Event and state of each message, the newest first. */
  const messages = async () =>
    (await listAlerts(core, { open: false, limit: 50 })).map(
      ({ event, told }) => `${event} ${told.map(({ state }) => state).join()}`,
    );
  return { clock, core, shop, id, raise, messages };
}

const failed: AlertEvent = { kind: 'backup.failed', detail: { reason: 'the disk is full' } };
const guessed: AlertEvent = { kind: 'security.key_guessing', detail: { address: '203.0.113.9', limit: 30 } };
const dead: AlertEvent = {
  kind: 'webhook.failed',
  detail: { brand: 'Alo Store', host: 'shop.example', outcome: 'timeout' },
};
const paid = (paisa: number): AlertEvent => ({
  kind: 'payment.completed',
  detail: {
    ...{ payment: 'K7Q2M9XW4TZB', channel: 'mfs_a', reference: 'DHL7CD1EF2' },
    ...{ amount: formatTaka(paisa), brand: 'Alo Store', customer: 'Rahim' },
  },
});

for (const engine of engines) {
  test(`${engine}: quiet hours hold non-urgent alerts and send them as one message when they end`, async (t) => {
    const { clock, core, raise, messages, id } = await open(t, engine, {
      events: 'all',
      quiet: '23:00-07:00',
    });
    await raise(failed);
    await raise(guessed);
    await raise(paid(50_000));
    await raise(paid(12_345));
    t.deepEqual(await messages(), [
      'payment.completed HELD',
      'payment.completed HELD',
      'security.key_guessing PENDING',
      'backup.failed HELD',
    ]);
    t.like((await listAlertTargets(core))[0], { waiting: 1, held: 3 });
    clock.advance(8 * HOUR - 5);
    t.is(await tellSummaries(core), 0);
    clock.advance(1);
    t.is(await tellSummaries(core), 1);
    t.is(await tellSummaries(core), 0);
    t.deepEqual(await messages(), [
      'summary.quiet PENDING',
      'payment.completed SUMMED',
      'payment.completed SUMMED',
      'security.key_guessing PENDING',
      'backup.failed SUMMED',
    ]);
    const [summary] = await listAlerts(core, { open: false, limit: 1 });
    t.is(summary?.told[0]?.target, id);
    t.is(
      summary?.message.split('\n').slice(0, 5).join('\n'),
      'Held back in your quiet hours: 3 alerts.\n- payment.completed: 2, 623.45 BDT\n- backup.failed: 1\n' +
        'In full:\n- 123.45 BDT from Rahim for Alo Store (mfs_a). Payment K7Q2M9XW4TZB is completed.',
    );
  });

  test(`${engine}: daemons that sum up at the same time send one summary`, async (t) => {
    const { clock, core, raise, messages } = await open(t, engine, { quiet: '23:00-07:00', daily: '07:00' });
    await raise(failed);
    await raise(dead);
    clock.advance(8 * HOUR);
    await Promise.all([tellSummaries(core), tellSummaries(core), tellSummaries(core)]);
    const summaries = (await messages()).filter((line) => line.startsWith('summary')).toSorted();
    t.deepEqual(summaries, ['summary.daily PENDING', 'summary.quiet PENDING']);
  });

  test(`${engine}: a day is summed up by wallet, with all that waits`, async (t) => {
    const { clock, core, shop, messages } = await open(t, engine, { events: 'devices', daily: '21:00' }, 20);
    for (const [n, taka] of ['500.00', '250.50'].entries()) {
      const trxId = bkashId(clock.now(), n + 1);
      const session = await shop.order(Number(taka.replace('.', '')));
      await shop.receive(bkashText({ taka, trxId, at: clock.now() }));
      t.is(await answer(core, shop, session, trxId), 'completed');
    }
    const unclaimed = { taka: '77.00', trxId: bkashId(clock.now(), 9), at: clock.now() };
    await shop.receive(bkashText(unclaimed));
    clock.advance(HOUR - 1);
    t.is(await tellSummaries(core), 0);
    clock.advance(1);
    t.is(await tellSummaries(core), 1);
    t.deepEqual(await messages(), ['summary.daily PENDING']);
    const [{ message } = { message: '' }] = await listAlerts(core, { open: false, limit: 1 });
    t.is(
      message,
      '2026-08-21 so far: 2 payments completed, 750.50 BDT.\n- mfs_a: 2, 750.50 BDT\n' +
        'Verifications waiting: 0\nUnclaimed money: 1, 77.00 BDT\nNotifications failed permanently: 0\n' +
        'Phones offline: none',
    );
    clock.advance(23 * HOUR);
    t.is(await tellSummaries(core), 0, 'the next one is due a day later');
    clock.advance(HOUR);
    t.is(await tellSummaries(core), 1);
  });

  test(`${engine}: a daemon that was down sends a summary a day late, but never for days long past`, async (t) => {
    const { clock, core, messages } = await open(t, engine, { daily: '21:00' }, 20);
    clock.advance(3 * 24 * HOUR + 2 * HOUR);
    t.is(await tellSummaries(core), 0, 'due for three days');
    clock.advance(23 * HOUR + 5 * HOUR);
    t.is(await tellSummaries(core), 1, 'due for five hours');
    t.is((await messages()).length, 1);
    const [{ message } = { message: '' }] = await listAlerts(core, { open: false, limit: 1 });
    t.true(message.startsWith('2026-08-25 so far: 0 payments'), message);
  });

  test(`${engine}: summaries and what they read are found by an index`, async (t) => {
    const { clock, core, raise } = await open(t, engine, {
      events: 'all',
      quiet: '23:00-07:00',
      daily: '07:00',
    });
    await raise(failed);
    await raise(paid(100));
    clock.advance(8 * HOUR);
    const statements = new Map<string, readonly unknown[]>();
    await tellSummaries(recorded(core, statements));
    // Targets are few, and what is open or held is counted in the index of that alone.
    const counted = /from "alert_targets"|group by "target_id"|count\(\*\).*from "reviews"/;
    const found = [...statements].filter(([text]) => !counted.test(text));
    t.true(found.length > 6, `${found.length} statements were seen`);
    await findByIndex(t, core, new Map(found));
  });
}

test('with --quiet-all urgent alerts wait, too, and a single alert is sent unchanged', async (t) => {
  const { clock, raise, core, messages } = await open(t, 'sqlite', { quiet: '23:00-07:00', quietAll: true });
  await raise(guessed);
  t.deepEqual(await messages(), ['security.key_guessing HELD']);
  clock.advance(8 * HOUR);
  await tellSummaries(core);
  t.deepEqual(await messages(), ['security.key_guessing PENDING']);
  t.is((await takeAlertMessages(core, { busy: new Set() })).taken.length, 1);
});

test('after quiet hours are removed, nothing is held back', async (t) => {
  const { clock, raise, core, messages, id } = await open(t, 'sqlite', { quiet: '23:00-07:00' });
  await raise(failed);
  await raise(dead);
  await updateAlertTarget(core, { target: id, choices: { quiet: null }, who });
  await raise(dead);
  clock.advance(MINUTE);
  t.is(await tellSummaries(core), 1);
  const now = await messages();
  t.deepEqual(now.toSorted(), [
    'backup.failed SUMMED',
    'summary.quiet PENDING',
    'webhook.failed PENDING',
    'webhook.failed SUMMED',
  ]);
});

test('a clock that was set back keeps nobody waiting for days', async (t) => {
  const { clock, raise, core, messages } = await open(t, 'sqlite', { quiet: '23:00-07:00', daily: '21:00' });
  await raise(failed);
  clock.advance(-3 * 24 * HOUR);
  await tellSummaries(core);
  t.deepEqual(await messages(), ['backup.failed PENDING']);
  clock.advance(22 * HOUR);
  t.is(await tellSummaries(core), 1, 'the day is summed up by the new clock');
});
