/** Alerts on their way: by webhook, command and Telegram, each once, tried again, none delayed by another. */

import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import test from 'ava';
import {
  listAlertTargets,
  removeAlertTarget,
  testAlertTargets,
} from '../../../src/actions/alerts/alert-targets.js';
import { recordDelivery, sendAlert, takeAlertMessages } from '../../../src/actions/alerts/deliver-alerts.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { endAlert, raiseAlert } from '../../../src/actions/alerts/raise-alert.js';
import type { TypedTarget } from '../../../src/actions/alerts/target-input.js';
import { checkAlerts } from '../../../src/actions/doctor/check-jobs.js';
import { checkSignature, checkStandardSignature } from '../../../src/notify/signature.js';
import { inEnglish } from '../../helpers/in-english.js';
import { openReceiver } from '../../helpers/network/receiver.js';
import { engines, temporaryFolder } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';
import { add, alertSender, openScene, runAlerter, tellings, webhook } from './alert-scene.js';

const who = 'test';
const TOKEN = '123456:AAH-not_a_real_token_of_anybody_0';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

for (const engine of engines) {
  test(`on ${engine}, only one of several daemons sends each alert`, async (t) => {
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

  test(`on ${engine}, an alert is sent by webhook, command and Telegram, complete and signed`, async (t) => {
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

  test(`on ${engine}, an alert leased by a killed daemon is sent by another, but not before the lease ends`, async (t) => {
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

test('a hanging target delays no other, and an alert to it is abandoned after six tries', async (t) => {
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
    await until(async () => (await refused()) === `PENDING ${tries}, PENDING ${tries}`);
    clock.advance(waitS * SECOND);
  }
  await until(async () => (await refused()) === 'FAILED 6, FAILED 6');
  t.is((await tellings(core))[1], 'webhook FAILED 6 answered 500: no[2J');
  t.is((await tellings(core))[2], 'webhook DELIVERED 1');
  await until(() => lines.some((line) => line.includes('failed permanently')));
  const log = lines.join('');
  t.true(log.includes(new URL(refusing.url).origin) && !log.includes('/hook'), 'of the address its origin');
  t.is(most, 1, 'it is asked one at a time');
  isFree = true;
  for (const response of held) response.end();
  const checks = await inEnglish(checkAlerts(core));
  const warned = checks.find(({ message }) => message.includes('failed permanently'));
  t.regex(warned?.message ?? '', /^2 failed permanently in 7 days; last error: answered 500/);
});

test('an alert is sent to targets that exist when it is raised, and each incident once', async (t) => {
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
  t.deepEqual(await tellings(core), ['command PENDING 0']);
});

test('alerts waiting for a removed target are abandoned, and the target is not called again', async (t) => {
  const { core, clock, raise } = await openScene(t);
  const { target } = await add(core, { kind: 'command', command: 'exit 9' });
  await raise();
  const [message] = (await takeAlertMessages(core, { busy: new Set() })).taken;
  await removeAlertTarget(core, { target: target.id, who });
  t.deepEqual(await tellings(core), ['command FAILED 0 its target was removed']);
  if (message === undefined) return t.fail('nothing was due');
  await recordDelivery(core, message, {
    ...{ isDelivered: false, isBusy: false, detail: 'late word', retryAfterS: null },
  });
  t.deepEqual(await tellings(core), ['command FAILED 0 its target was removed']);
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

test('stores credentials encrypted, and reports those that cannot be opened with another key', async (t) => {
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
  await until(async () =>
    (await tellings(core)).every((line) => / PENDING 1 its credentials cannot/.test(line)),
  );
  const [tested] = await testAlertTargets(core, alertSender, { target: target.id });
  t.like(tested, { id: target.id, delivered: false });
});

test('an invalid target is refused, and the error repeats nothing that was typed', async (t) => {
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

test('a test is sent at once to every target, and raises no alert', async (t) => {
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
