/** Alerts leave for their targets while the daemon runs: none delays another, and none is lost. */

import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startAlerter } from '../../../daemon/loops/alerter.js';
import {
  addAlertTarget,
  listAlertTargets,
  removeAlertTarget,
  testAlertTargets,
} from '../../../src/actions/alerts/alert-targets.js';
import { recordDelivery, sendAlert, takeAlertMessages } from '../../../src/actions/alerts/deliver-alerts.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { endAlert, raiseAlert } from '../../../src/actions/alerts/raise-alert.js';
import type { TypedTarget } from '../../../src/actions/alerts/target-input.js';
import { tellSummaries } from '../../../src/actions/alerts/tell-summaries.js';
import type { Core } from '../../../src/actions/core/core.js';
import { checkAlerts } from '../../../src/actions/doctor/check-jobs.js';
import { openLog } from '../../../src/base/io/log.js';
import { createSender } from '../../../src/notify/send.js';
import { createAlertSender } from '../../../src/notify/send-alert.js';
import { checkSignature, checkStandardSignature } from '../../../src/notify/signature.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { insertAlertMessage } from '../../../src/store/tables/alert-messages.js';
import { insertAlert } from '../../../src/store/tables/alerts.js';
import { inEnglish } from '../../helpers/in-english.js';
import { openReceiver } from '../../helpers/network/receiver.js';
import { openShop, type Shop } from '../../helpers/shop/shop.js';
import { engines, openTestCore, temporaryFolder, testClock } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';

/** With all the time that a slow machine needs. */
export const alertSender = createAlertSender({
  sender: createSender(),
  env: { PATH: process.env.PATH },
  limitMs: 120_000,
});

/** An alerter that runs for as long as the test does. */
export function runAlerter(t: ExecutionContext<unknown>, core: Core, lines: string[] = []): void {
  const { log } = openLog('debug', { write: (line) => lines.push(line) });
  const alerter = startAlerter(core, log, { alertSender, records: { record: () => {} } });
  t.teardown(() => alerter.stop());
}

export const add = (core: Core, target: TypedTarget) => addAlertTarget(core, { target, who: 'test' });
export const webhook = (url: string): TypedTarget => ({ kind: 'webhook', url, allowPrivate: false });

export async function openScene(t: ExecutionContext<unknown>, engine: Engine = 'sqlite') {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  let raised = 0;
  const raise = async () => {
    raised += 1;
    // Lists are in the order of time.
    clock.advance(1);
    const incident = `device.battery_low:${shop.deviceId}:${raised}`;
    const { merchantId, deviceId } = shop;
    await core.store.write((db) =>
      raiseAlert(core, db, {
        ...{ kind: 'device.battery_low', merchantId, deviceId, incident, detail: { battery: 20 - raised } },
      }),
    );
    return incident;
  };
  return { clock, core, shop, raise };
}

/** What was told of the newest alert, `state tries error`. */
export async function tellings(core: Core): Promise<string[]> {
  const [alert] = await listAlerts(core, { open: false, limit: 1 });
  return (alert?.told ?? []).map(({ kind, state, tries, error }) =>
    [kind, state, tries, error ?? ''].join(' ').trimEnd(),
  );
}

const who = 'test';
const TOKEN = '123456:AAH-not_a_real_token_of_anybody_0';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

for (const engine of engines) {
  test(`on ${engine}, an alert is told by webhook, command and Telegram, whole and signed`, async (t) => {
    const { core, shop, raise, clock } = await openScene(t, engine);
    const hook = await openReceiver(t, (_got, response) => void response.writeHead(204).end());
    const bot = await openReceiver(t, (_got, response) => void response.end('{"ok":true}'));
    const file = join(await temporaryFolder(t), 'told');
    const { webhook_secret: secret } = await add(core, webhook(hook.url));
    clock.advance(1);
    const shown = '$KASHBOX_ALERT|$KASHBOX_ALERT_EVENT|$KASHBOX_ALERT_DEVICE|$KASHBOX_ALERT_MERCHANT';
    await add(core, {
      kind: 'command',
      command: `cat > ${file}.new; echo "${shown}" >> ${file}.new; mv ${file}.new ${file}`,
    });
    const api = new URL(bot.url).origin;
    clock.advance(1);
    await add(core, { kind: 'telegram', chat: '-1007', token: TOKEN, api, allowPrivate: false });
    runAlerter(t, core);
    await raise();
    await until(async () => (await tellings(core)).every((line) => line.includes('DELIVERED')));

    const message = 'The phone "Alo Store phone" has 19% of its battery left and is not charging.';
    const [got] = hook.received;
    const body = JSON.parse(got?.body ?? '') as Record<string, unknown>;
    t.deepEqual(body, {
      event: 'device.battery_low',
      id: body.id,
      created_at: new Date(clock.now()).toISOString(),
      device: { id: shop.deviceId, name: 'Alo Store phone' },
      merchant: { id: shop.merchantId, name: 'Alo Store' },
      detail: { battery: 19 },
      message,
      text: message,
    });
    t.is(got?.headers['webhook-id'], String(body.id));
    const check = { body: got?.body ?? '', secrets: [secret ?? ''], now: clock.now(), toleranceS: 0 };
    t.is(checkSignature(String(got?.headers['x-service-signature']), check).result, 'valid');
    t.is(checkStandardSignature(got?.headers ?? {}, check).result, 'valid');
    t.is(readFileSync(file, 'utf8'), `${got?.body}${message}|device.battery_low|Alo Store phone|Alo Store\n`);
    t.is(bot.received[0]?.path, `/bot${TOKEN}/sendMessage`);
    const sent = { chat_id: '-1007', text: message, link_preview_options: { is_disabled: true } };
    t.deepEqual(JSON.parse(bot.received[0]?.body ?? ''), sent);
    t.deepEqual([hook.received.length, bot.received.length], [1, 1]);
    t.deepEqual(await tellings(core), ['webhook DELIVERED 1', 'command DELIVERED 1', 'telegram DELIVERED 1']);
  });

  test(`on ${engine}, of several daemons one tells each alert`, async (t) => {
    const { core, raise } = await openScene(t, engine);
    const hook = await openReceiver(t);
    await add(core, webhook(hook.url));
    for (let n = 0; n < 10; n += 1) await raise();
    for (let n = 0; n < 3; n += 1) runAlerter(t, core);
    const isOver = async () => (await listAlertTargets(core)).every(({ waiting }) => waiting === 0);
    await until(isOver);
    t.is(hook.received.length, 10);
    t.is(new Set(hook.received.map(({ id }) => id)).size, 10);
  });

  test(`on ${engine}, what a killed daemon had taken is told by another, and nobody takes it before`, async (t) => {
    const { core, clock, raise } = await openScene(t, engine);
    const hook = await openReceiver(t);
    await add(core, webhook(hook.url));
    await raise();
    const take = () => takeAlertMessages(core, { busy: new Set() });
    const first = await take();
    t.is(first.taken.length, 1);
    const second = await take();
    t.deepEqual([second.taken.length, second.waitMs], [0, 20 * SECOND]);
    clock.advance(20 * SECOND);
    const [message] = (await take()).taken;
    if (message === undefined) return t.fail('the lease has not ended');
    t.is(
      (await recordDelivery(core, message, await sendAlert(core, alertSender, message))).state,
      'DELIVERED',
    );
    clock.advance(60 * MINUTE);
    t.deepEqual(await take(), { taken: [], waitMs: null });
  });
}

test('a target that hangs delays no other, and an alert to it is given up after six tries', async (t) => {
  const { core, clock, raise } = await openScene(t);
  const held = new Set<ServerResponse>();
  let isFree = false;
  let most = 0;
  const hanging = await openReceiver(t, (_got, response) => {
    if (isFree) return void response.end();
    held.add(response);
    most = Math.max(most, held.size);
  });
  const refusing = await openReceiver(t, (_got, response) => void response.writeHead(500).end('no\u001b[2J'));
  const good = await openReceiver(t);
  for (const { url } of [hanging, refusing, good]) {
    await add(core, webhook(url));
    clock.advance(1);
  }
  const lines: string[] = [];
  runAlerter(t, core, lines);
  await raise();
  await raise();
  await good.different(2);
  /** What became of both at the one that refuses. */
  const refused = async () => {
    const alerts = await listAlerts(core, { open: false, limit: 2 });
    return alerts.map(({ told }) => `${told[1]?.state} ${told[1]?.tries}`).join(', ');
  };
  for (const [tries, waitS] of [5, 30, 120, 600, 1_800].map((s, n) => [n + 1, s] as const)) {
    await until(async () => (await refused()) === `DUE ${tries}, DUE ${tries}`);
    clock.advance(waitS * SECOND);
  }
  await until(async () => (await refused()) === 'DEAD 6, DEAD 6');
  t.is((await tellings(core))[1], 'webhook DEAD 6 answered 500: no[2J');
  t.is((await tellings(core))[2], 'webhook DELIVERED 1');
  await until(() => lines.some((line) => line.includes('given up')));
  const log = lines.join('');
  t.true(log.includes(new URL(refusing.url).origin) && !log.includes('/hook'), 'of the address its origin');
  t.is(most, 1, 'it is asked one at a time');
  isFree = true;
  for (const response of held) response.end();
  const checks = await inEnglish(checkAlerts(core));
  const warned = checks.find(({ message }) => message.includes('given up'));
  t.regex(warned?.message ?? '', /^2 given up in 7 days; at last: answered 500/);
});

test('an alert is told where there is somebody when it is raised, and each incident once', async (t) => {
  const { core, shop, raise } = await openScene(t);
  t.like((await inEnglish(checkAlerts(core)))[0], { state: 'ok' });
  const incident = await raise();
  await add(core, { kind: 'command', command: 'true' });
  t.deepEqual(await tellings(core), []);
  const again = await core.store.write((db) =>
    raiseAlert(core, db, {
      ...{ kind: 'device.battery_low', merchantId: shop.merchantId, deviceId: shop.deviceId, incident },
      detail: { battery: 1 },
    }),
  );
  t.is(again, 'known');
  const open = () => listAlerts(core, { open: true, limit: 9 });
  t.is((await open()).length, 1);
  t.is(await core.store.write((db) => endAlert(core, db, incident)), 'ended');
  t.is(await core.store.write((db) => endAlert(core, db, incident)), 'not_open');
  t.is((await open()).length, 0);
  await raise();
  t.deepEqual(await tellings(core), ['command DUE 0']);
});

test('what waits for a target that is removed is given up, and the target is called no more', async (t) => {
  const { core, clock, raise } = await openScene(t);
  const { target } = await add(core, { kind: 'command', command: 'exit 9' });
  await raise();
  const [message] = (await takeAlertMessages(core, { busy: new Set() })).taken;
  await removeAlertTarget(core, { target: target.id, who });
  t.deepEqual(await tellings(core), ['command DEAD 0 its target was removed']);
  if (message === undefined) return t.fail('nothing was due');
  await recordDelivery(core, message, {
    ...{ isDelivered: false, isBusy: false, detail: 'late word', retryAfterS: null },
  });
  t.deepEqual(await tellings(core), ['command DEAD 0 its target was removed']);
  clock.advance(60 * MINUTE);
  t.deepEqual((await takeAlertMessages(core, { busy: new Set() })).taken, []);
  t.deepEqual(await listAlertTargets(core), []);
  await t.throwsAsync(removeAlertTarget(core, { target: target.id, who }), { code: 'not_found' });
});

test('a clock that is set back puts nothing off for long', async (t) => {
  const { core, clock, raise } = await openScene(t);
  await add(core, { kind: 'command', command: 'true' });
  await raise();
  clock.advance(-5 * 60 * MINUTE);
  runAlerter(t, core);
  await until(async () => (await tellings(core))[0] === 'command DELIVERED 1');
  t.pass();
});

test('credentials stand sealed in the store; with another key they cannot be opened, and that is told', async (t) => {
  const { core, raise } = await openScene(t);
  const url = 'https://hooks.example.com/T0/very-secret';
  const { target, webhook_secret: secret } = await add(core, webhook(url));
  await add(core, { kind: 'telegram', chat: '7', token: TOKEN, api: undefined, allowPrivate: false });
  const rows = await core.store.read((db) => db.query.selectFrom('alert_targets').selectAll().execute());
  const audit = await core.store.read((db) => db.query.selectFrom('audit').selectAll().execute());
  const stored = JSON.stringify([rows, audit, await listAlertTargets(core)]);
  for (const text of ['very-secret', secret ?? 'none', TOKEN]) t.false(stored.includes(text), text);
  await raise();
  await core.store.write((db) => db.query.updateTable('alert_targets').set({ secret: 'v1.AAAA' }).execute());
  runAlerter(t, core);
  await until(async () => (await tellings(core)).every((line) => / DUE 1 its credentials cannot/.test(line)));
  const [tested] = await testAlertTargets(core, alertSender, { target: target.id });
  t.like(tested, { id: target.id, delivered: false });
});

test('what is no target is refused, and nothing that was typed is repeated', async (t) => {
  const { core } = await openScene(t);
  const bot = { kind: 'telegram', chat: '7', token: TOKEN, api: undefined, allowPrivate: false } as const;
  const wrong: readonly TypedTarget[] = [
    ...[
      'hello',
      'ftp://x.example',
      'http://x.example/s3cret',
      'https://10.0.0.7/s3cret',
      'https://nas.local/x',
    ].map(webhook),
    ...['https://u:s3cret@x.example/', 'https://x.example:22/', 'http:// s3cret'].map(webhook),
    { kind: 'command', command: '  ' },
    { kind: 'command', command: 'echo s3cret\nrm' },
    { ...bot, token: 's3cret' },
    { ...bot, chat: 's3cret chat' },
    { ...bot, api: 'http://api.example/s3cret' },
  ];
  for (const target of wrong) {
    const error = await t.throwsAsync(add(core, target), { code: 'invalid_input' }, JSON.stringify(target));
    t.false(error?.message.includes('s3cret'), error?.message);
  }
  t.is((await listAlertTargets(core)).length, 0);
  const home: TypedTarget = { kind: 'webhook', url: 'http://192.168.1.20:8123/hook', allowPrivate: true };
  for (const target of [home, webhook('http://localhost:9/x'), webhook('https://hooks.example.com/x')])
    await t.notThrowsAsync(add(core, target));
  await Promise.all(
    Array.from({ length: 17 }, (_, n) => add(core, { kind: 'command', command: `true ${n}` })),
  );
  await t.throwsAsync(add(core, { kind: 'command', command: ' true 3 ' }), { code: 'already_exists' });
  await t.throwsAsync(add(core, { kind: 'command', command: 'true' }), { code: 'state_refused' });
});

test('a test is told at once, everywhere, and of none is an alert', async (t) => {
  const { core, clock } = await openScene(t);
  await t.throwsAsync(testAlertTargets(core, alertSender, { target: undefined }), { code: 'not_found' });
  const file = join(await temporaryFolder(t), 'ran');
  await add(core, { kind: 'command', command: `touch ${file}; test "$KASHBOX_ALERT_EVENT" = test` });
  clock.advance(1);
  await add(core, { kind: 'command', command: 'exit 3' });
  const tested = await testAlertTargets(core, alertSender, { target: undefined });
  t.deepEqual(
    tested.map(({ delivered, detail }) => [delivered, detail]),
    [
      [true, 'exit code 0'],
      [false, 'exit code 3'],
    ],
  );
  t.true(existsSync(file));
  t.deepEqual(await listAlerts(core, { open: false, limit: 9 }), []);
});

/** A chat that takes 20 messages a minute, as groups do. */
async function openChat(t: Parameters<typeof openReceiver>[0], now: () => number) {
  const taken: { readonly at: number; readonly text: string }[] = [];
  const bot = await openReceiver(t, ({ body }, response) => {
    const [oldest] = taken.slice(-20);
    const isFull = taken.length >= 20 && oldest !== undefined && now() - oldest.at < MINUTE;
    if (!isFull) {
      taken.push({ at: now(), text: (JSON.parse(body) as { text: string }).text });
      return void response.end('{"ok":true}');
    }
    const wait = Math.ceil((oldest.at + MINUTE - now()) / SECOND);
    const said = { ok: false, error_code: 429, parameters: { retry_after: wait } };
    response.writeHead(429).end(JSON.stringify(said));
  });
  return { bot, taken };
}

const reviewDetail = (n: number) => ({
  ...({ payment: `P${n}`, channel: 'bank', reference: `R${n}`, verification: `rev_${n}` } as const),
  ...{ reason: 'bank_transfer', amount: '500.00', brand: 'Alo Store', customer: 'Mallory' },
});

function raiseReview(core: Core, shop: Shop, n: number) {
  return core.store.write((db) =>
    raiseAlert(core, db, {
      ...{ kind: 'review.waiting', merchantId: shop.merchantId, detail: reviewDetail(n) },
      incident: `review.waiting:${n}`,
    }),
  );
}

function raiseDispute(core: Core, shop: Shop) {
  const detail = { payment: 'P', channel: 'mfs_a', reference: 'R', amount: '70000.00' } as const;
  return core.store.write((db) =>
    raiseAlert(core, db, {
      ...{ kind: 'payment.disputed', merchantId: shop.merchantId, detail, incident: 'payment.disputed:1' },
    }),
  );
}

/** Lets a daemon's delivery run for that long, a second at a time. */
async function runFor(
  core: Core,
  clock: ReturnType<typeof testClock>,
  seconds: number,
  isOver: () => boolean,
) {
  for (let second = 0; second < seconds; second += 1) {
    for (;;) {
      const { taken } = await takeAlertMessages(core, { busy: new Set() });
      if (taken.length === 0) break;
      for (const message of taken)
        await recordDelivery(core, message, await sendAlert(core, alertSender, message));
    }
    if (isOver()) return second;
    clock.advance(SECOND);
  }
  return seconds;
}

for (const engine of engines) {
  test(`on ${engine}, an urgent alert overtakes 1,300 that wait for a chat of 20 a minute`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    const { bot, taken } = await openChat(t, () => clock.now());
    const api = new URL(bot.url).origin;
    const { target } = await add(core, {
      kind: 'telegram',
      chat: '-1007',
      token: TOKEN,
      api,
      allowPrivate: false,
    });
    // As an earlier version has left them, one by one.
    const at = clock.now();
    await core.store.write(async (db) => {
      for (let n = 0; n < 1_300; n += 1) {
        const facts = { kind: 'review.waiting', merchant_id: shop.merchantId, device_id: null } as const;
        const detail = JSON.stringify(reviewDetail(n));
        await insertAlert(db, { ...facts, id: `a${n}`, incident: `i${n}`, detail, at, ended_at: at });
        await insertAlertMessage(db, {
          ...{ id: `m${String(n).padStart(4, '0')}`, alert_id: `a${n}`, target_id: target.id, tries: 0 },
          ...{ state: 'DUE', next_at: at, error: null, urgent: 0, held_for: null },
        });
      }
    });
    await runFor(core, clock, 30, () => false);
    t.is(taken.length, 20);
    await raiseDispute(core, shop);
    const isTold = () => taken.some(({ text }) => text.includes('70000.00 BDT under R'));
    t.true((await runFor(core, clock, 90, isTold)) <= 40, 'as soon as the chat takes a message again');
    await runFor(core, clock, 600, () => false);
    const states = await core.store.read((db) =>
      db.query.selectFrom('alert_messages').groupBy('state').select('state').execute(),
    );
    t.false(
      states.some(({ state }) => state === 'DEAD'),
      'a pause costs no try',
    );
  });

  test(`on ${engine}, more than ten of a kind in ten minutes are told as one`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    const { bot, taken } = await openChat(t, () => clock.now());
    const api = new URL(bot.url).origin;
    await add(core, { kind: 'telegram', chat: '-1007', token: TOKEN, api, allowPrivate: false });
    clock.advance(10 * MINUTE - (clock.now() % (10 * MINUTE)));
    for (let n = 0; n < 47; n += 1) await raiseReview(core, shop, n);
    await runFor(core, clock, 60, () => false);
    t.is(taken.length, 10);
    t.is(await tellSummaries(core), 0);
    clock.advance(10 * MINUTE);
    t.is(await tellSummaries(core), 1);
    await runFor(core, clock, 1, () => false);
    t.is(taken.length, 11);
    t.true(taken[10]?.text.startsWith('37 payments wait for you: "kashbox verifications list".\n'));
    t.true(taken[10]?.text.includes('- review.waiting: 37\n'));
    await raiseReview(core, shop, 99);
    await runFor(core, clock, 1, () => false);
    t.is(taken.length, 12, 'the next one is told by itself again');
  });
}
