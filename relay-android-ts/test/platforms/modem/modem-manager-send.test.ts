/** How SMS are sent once at most, and what happens when ModemManager hangs, with a played mmcli. */
import test from 'ava';
import type { SendResult } from '../../../src/platforms/modem/modem.js';
import { BKASH, ONE, OUT, problem, texts, world } from '../../helpers/modem-manager/world.js';

test('a timeout is unknown, is not sent again, and its result is reported when it arrives', async (t) => {
  const { fake, modem, late, wait } = await world(t);
  const device = fake.plug(ONE);
  fake.refusals.push('Timeout was reached');
  t.deepEqual(await modem.send(OUT), { kind: 'unknown', error: 'ModemManager does not answer' });
  await modem.list();
  t.deepEqual(late, []);
  for (const sms of device.sms.values()) Object.assign(sms, { state: 'sent', reference: 77 });
  await modem.list();
  t.deepEqual(late, [['d1', { kind: 'sent', references: [77] }]]);
  t.is(device.sms.size, 0);
  wait(1_000_000);
  await modem.list();
  t.is(late.length, 1);
  t.is(fake.calls.filter((call) => call.endsWith('--send')).length, 1);
  const shown = fake.calls.filter((call) => call.includes(OUT.text) || call.includes(OUT.number));
  t.deepEqual(shown, [], 'each user of the machine sees a command line');
});

test('a hanging mmcli is killed, and an SMS that it still sent is found', async (t) => {
  const { fake, modem, late } = await world(t, ONE, { sendLimitMs: 6_000 });
  fake.plug(ONE);
  fake.hangs = /--send$/;
  t.is((await modem.send(OUT)).kind, 'unknown');
  await modem.list();
  t.deepEqual(late, [['d1', { kind: 'sent', references: [1] }]]);
});

test('definite errors count as refused, unclear ones as unknown', async (t) => {
  const { fake, modem } = await world(t);
  const device = fake.plug(ONE);
  const error = (name: string, words: string) =>
    `GDBus.Error:org.freedesktop.ModemManager1.Error.${name}: ${words}`;
  const cases: readonly (readonly [string, SendResult['kind']])[] = [
    [error('Message.NoNetwork', 'No network'), 'refused'],
    [error('Message.SmscAddressUnknown', 'SMSC address unknown'), 'refused'],
    [error('Message.Unknown', 'Unknown message error: 50'), 'refused'],
    [error('MobileEquipment.SimPin', 'SIM PIN required'), 'refused'],
    [error('Core.Unauthorized', 'PolicyKit authorization failed'), 'refused'],
    [error('Core.WrongState', 'Cannot send SMS: device not yet enabled'), 'refused'],
    [error('Message.NetworkTimeout', 'Network timeout'), 'unknown'],
    [error('MobileEquipment.Unknown', 'Unknown error'), 'unknown'],
    [error('Serial.ResponseTimeout', 'Serial command timed out'), 'unknown'],
    [error('Core.Failed', "Couldn't read message reference"), 'unknown'],
    [error('Core.Cancelled', 'Operation was cancelled'), 'unknown'],
    ['GDBus.Error:org.freedesktop.DBus.Error.NoReply: Message recipient disconnected', 'unknown'],
    ['The connection is closed', 'unknown'],
  ];
  for (const [words, kind] of cases) {
    fake.refusals.push(words);
    t.is((await modem.send(OUT)).kind, kind, words);
  }
  const unknown = cases.filter(([, kind]) => kind === 'unknown').length;
  t.is(device.sms.size, unknown, 'what was refused is removed');
});

test('nothing is sent where it cannot be created, and no text is changed', async (t) => {
  const { fake, modem } = await world(t);
  fake.plug(ONE);
  for (const sms of [
    { ...OUT, number: '01711",text="x' },
    { ...OUT, text: 'nul\0' },
  ]) {
    t.is((await modem.send(sms)).kind, 'refused');
  }
  t.false(fake.calls.some((call) => call.endsWith('--send')));
});

test('SMS left in ModemManager by an earlier run are removed after some time', async (t) => {
  const { fake, modem, wait } = await world(t);
  const device = fake.plug(ONE);
  const left = { type: 'submit', storage: 'unknown' } as const;
  fake.receive(device, 'Thank you', { ...left, state: 'unknown' });
  fake.receive(device, 'Thank you', { ...left, state: 'sent' });
  fake.receive(device, 'by somebody else', { type: 'submit', state: 'sent' });
  t.deepEqual(await modem.list(), []);
  t.is(device.sms.size, 3);
  wait(1_200_000);
  await modem.list();
  t.is(device.sms.size, 1);
});

test('a report that cannot be removed is passed on once', async (t) => {
  const { fake, modem, reports } = await world(t, ONE, { callLimitMs: 6_000 });
  const device = fake.plug(ONE);
  const report = { type: 'status-report', storage: 'unknown', reference: 9 } as const;
  fake.receive(device, null, { ...report, number: '01711000000', deliveryState: 'completed-received' });
  fake.hangs = /delete/;
  await modem.list().catch(() => {});
  fake.hangs = null;
  fake.receive(device, BKASH);
  t.deepEqual(await texts(modem), [BKASH]);
  t.deepEqual(reports, [{ reference: 9, number: '01711000000', state: 'delivered' }]);
  t.is(device.sms.size, 1);
});

test('a hanging modem is reset, but not often, and then the problem asks for manual help', async (t) => {
  const { fake, modem, wait } = await world(t);
  fake.plug(ONE);
  await modem.list();
  fake.silence = /^(?!.*--reset)/;
  let resets = 0;
  fake.onReset = () => {
    resets += 1;
  };
  const tries = async (count: number) => {
    for (let index = 0; index < count; index += 1) await modem.readState();
  };
  t.is(await problem(modem), 'ModemManager does not answer');
  await tries(2);
  t.is(resets, 0);
  await tries(3);
  t.is(resets, 1);
  t.regex((await problem(modem)) ?? '', /systemctl restart ModemManager/);
  await tries(3);
  t.is(resets, 1);
  wait(300_000);
  await tries(4);
  t.is(resets, 2);
  fake.silence = null;
  wait(600_000);
  await tries(1);
  t.is(await problem(modem), null);
});

test('a modem that does not answer ModemManager while sending is reset', async (t) => {
  const { fake, modem } = await world(t);
  fake.plug(ONE);
  let resets = 0;
  fake.onReset = () => {
    resets += 1;
  };
  for (let index = 0; index < 3; index += 1) {
    fake.refusals.push('GDBus.Error:org.freedesktop.ModemManager1.Error.Serial.ResponseTimeout: timed out');
    await modem.send(OUT);
  }
  t.is(await problem(modem), 'the modem does not answer, also after a reset: unplug it and plug it in again');
  t.is(resets, 1);
  t.is((await modem.send(OUT)).kind, 'sent');
  t.is(await problem(modem), null);
});
