/** What a modem of ModemManager does when things fail, with a played mmcli. */
import test, { type ExecutionContext } from 'ava';
import type { DeliveryReport, Handover, Modem } from '../../../src/platforms/modem/modem.js';
import { listModems } from '../../../src/platforms/modem/modem-manager/modem-facts.js';
import {
  type ModemManagerTimes,
  modemManagerModem,
} from '../../../src/platforms/modem/modem-manager/modem-manager.js';
import { FakeModemManager } from '../../helpers/modem-manager/fake-mmcli.js';

const ONE = '356938035643809';
const OTHER = '490154203237518';
const BKASH = 'You have received Tk 500.00 from 01711000000. Fee Tk 0.00. TrxID 8N7A6B5C4D';
const NAGAD = 'Money Received. Amount: Tk 50.00 Sender: 01811000000 TxnID: 71ABCDE2';

interface World {
  readonly fake: FakeModemManager;
  readonly modem: Modem;
  readonly reports: DeliveryReport[];
  readonly late: [string, Handover][];
  readonly warnings: string[];
  /** Time goes on by so many milliseconds. */
  wait(ms: number): void;
}

async function world(
  t: ExecutionContext,
  id: string | null = ONE,
  times: ModemManagerTimes = {},
): Promise<World> {
  const fake = new FakeModemManager();
  let now = 1_000_000;
  const warnings: string[] = [];
  const reports: DeliveryReport[] = [];
  const late: [string, Handover][] = [];
  const log = { info: () => {}, warn: (message: string) => warnings.push(message) };
  const clock = { now: () => now, after: () => () => {} };
  const modem = modemManagerModem({ slot: 1, id, clock, log, path: fake.path, times });
  t.teardown(async () => {
    await modem.close();
    fake.close();
  });
  await modem.open({
    onSms: () => {},
    onReport: (report) => reports.push(report),
    onHandedOver: (dispatch, handover) => late.push([dispatch, handover]),
  });
  const wait = (ms: number): void => {
    now += ms;
  };
  return { fake, modem, reports, late, warnings, wait };
}

const texts = async (modem: Modem): Promise<readonly string[]> =>
  (await modem.list()).map(({ text }) => text);
const problem = async (modem: Modem): Promise<string | null> => (await modem.readState()).problem;
const OUT = { id: 'd1', number: '01711000000', text: 'Thank you' };

test('an SMS is read once, so that a poll is one call', async (t) => {
  const { fake, modem } = await world(t);
  const device = fake.plug(ONE);
  fake.receive(device, BKASH);
  t.deepEqual(await texts(modem), [BKASH]);
  fake.calls.length = 0;
  t.deepEqual(await texts(modem), [BKASH]);
  t.deepEqual(await texts(modem), [BKASH]);
  t.deepEqual(fake.calls, Array(2).fill('-m /org/freedesktop/ModemManager1/Modem/0 --messaging-list-sms'));
});

test('a modem is known by its IMEI, at whatever place it is plugged in', async (t) => {
  const { fake, modem } = await world(t);
  fake.receive(fake.plug(OTHER), NAGAD);
  await t.throwsAsync(modem.list(), { message: 'the modem is not plugged in' });
  const device = fake.plug(ONE);
  fake.receive(device, BKASH);
  t.deepEqual(await texts(modem), [BKASH]);
  fake.unplug(device);
  await t.throwsAsync(modem.list(), { message: 'the modem is not plugged in' });
  t.is(await problem(modem), 'the modem is not plugged in');
  const again = fake.plug(ONE, { state: 'disabled' });
  fake.receive(again, BKASH);
  t.is((await modem.send(OUT)).kind, 'sent', 'it is enabled first');
  t.deepEqual(await texts(modem), [BKASH]);
});

test('after another start of ModemManager an SMS is neither read nor removed in the name of another', async (t) => {
  const { fake, modem, wait } = await world(t);
  const [other, device] = [fake.plug(OTHER), fake.plug(ONE)];
  fake.receive(other, NAGAD);
  fake.receive(device, BKASH);
  const [sms] = await modem.list();
  fake.receive(device, NAGAD);
  fake.receive(device, 'OTP 1234');
  device.sms.delete(1);
  fake.restart([device, other]);
  await modem.remove([sms?.place ?? '']);
  t.is(device.sms.size + other.sms.size, 3);
  wait(60_000);
  t.deepEqual(await texts(modem), [NAGAD, 'OTP 1234']);
});

test('without an IMEI the only modem is used, and of several none', async (t) => {
  const { fake, modem } = await world(t, null);
  fake.receive(fake.plug(OTHER), NAGAD);
  t.deepEqual(await texts(modem), [NAGAD]);
  const several = await world(t, null);
  several.fake.plug(ONE);
  several.fake.plug(OTHER);
  t.is(await problem(several.modem), 'there are several modems: choose one by its IMEI');
});

test('what stops the modem is told in plain words', async (t) => {
  const { fake, modem } = await world(t);
  fake.isRunning = false;
  t.is(await problem(modem), 'ModemManager is not running');
  fake.isRunning = true;
  const device = fake.plug(ONE, { state: 'locked', lock: 'sim-pin', registration: 'unknown' });
  t.like(await modem.readState(), {
    problem: 'the SIM wants its PIN: switch the PIN off in a phone',
    sim: 'locked',
    signal: null,
  });
  await t.throwsAsync(modem.list(), { message: /wants its PIN/ });
  Object.assign(device, { state: 'failed', failedReason: 'sim-missing', lock: undefined });
  t.like(await modem.readState(), { problem: 'there is no SIM in the modem', sim: 'absent' });
  Object.assign(device, { state: 'searching', failedReason: undefined, registration: 'searching' });
  t.like(await modem.readState(), { problem: 'not registered with the network', registration: 'searching' });
  Object.assign(device, { state: 'registered', registration: 'roaming', lock: 'sim-pin2' });
  t.like(await modem.readState(), { problem: null, registration: 'roaming', sim: 'ready', signal: 64 });
  const none = modemManagerModem({
    slot: 1,
    id: null,
    clock: { now: () => 0, after: () => () => {} },
    log: { info: () => {}, warn: () => {} },
    path: '/nowhere',
  });
  t.regex((await problem(none)) ?? '', /install the package modemmanager/);
});

test('all modems are listed for those who choose one', async (t) => {
  const { fake } = await world(t);
  fake.plug(ONE);
  fake.plug(OTHER, { state: 'failed', failedReason: 'sim-missing' });
  const { modems } = await listModems(fake.path);
  t.like(modems, [
    { imei: ONE, model: 'huawei E173 11.126', sim: 'ready' },
    { imei: OTHER, sim: 'absent' },
  ]);
  fake.isRunning = false;
  t.deepEqual(await listModems(fake.path), { modems: [], problem: 'ModemManager is not running' });
});

test('parts that never come block nothing, and are given if there is a text', async (t) => {
  const { fake, modem, wait, warnings } = await world(t);
  const device = fake.plug(ONE, { port: 'cdc-wdm0 (qmi)' });
  fake.receive(device, null, { state: 'receiving' });
  fake.receive(device, 'first half', { state: 'receiving' });
  fake.receive(device, BKASH);
  t.deepEqual(await texts(modem), [BKASH]);
  wait(600_000);
  t.deepEqual([...(await texts(modem))].sort(), [BKASH, 'first half'].sort());
  await modem.list();
  t.is(warnings.filter((one) => one === 'parts of an SMS have not come').length, 2);
  t.is(device.sms.size, 3);
});

test('data without a text is left alone, and said once', async (t) => {
  const { fake, modem, warnings } = await world(t);
  const device = fake.plug(ONE);
  fake.receive(device, null, { data: '0102' });
  fake.receive(device, BKASH);
  t.deepEqual(await texts(modem), [BKASH]);
  t.deepEqual(await texts(modem), [BKASH]);
  t.is(warnings.length, 1);
});

test('one SMS that cannot be read blocks no other', async (t) => {
  const { fake, modem } = await world(t);
  const device = fake.plug(ONE);
  fake.receive(device, BKASH);
  fake.receive(device, NAGAD, { timestamp: null });
  t.deepEqual(
    (await modem.list()).map(({ sentAt }) => sentAt),
    ['1970-01-01T00:00:00+00:00', '2026-11-26T10:15:30+06:00'],
  );
});

test('a time-out is unknown, is not sent again, and its result is told when it comes', async (t) => {
  const { fake, modem, late, wait } = await world(t, ONE, {
    sender: { sendLimitMs: 1_000, lateMs: 360_000 },
  });
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
});

test('an mmcli that hangs is killed, and what it sent meanwhile is found', async (t) => {
  const { fake, modem, late } = await world(t, ONE, { sender: { sendLimitMs: 1_000, lateMs: 360_000 } });
  fake.plug(ONE);
  fake.hangs = /--send$/;
  t.is((await modem.send(OUT)).kind, 'unknown');
  await modem.list();
  t.deepEqual(late, [['d1', { kind: 'sent', references: [1] }]]);
});

test('what the network refuses is refused, and what nobody knows is unknown', async (t) => {
  const { fake, modem } = await world(t);
  const device = fake.plug(ONE);
  const error = (name: string, words: string) =>
    `GDBus.Error:org.freedesktop.ModemManager1.Error.${name}: ${words}`;
  const cases: readonly (readonly [string, Handover['kind']])[] = [
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
    // The played ModemManager has no busctl.
    { ...OUT, text: `both ' and "` },
  ]) {
    t.is((await modem.send(sms)).kind, 'refused');
  }
  t.false(fake.calls.some((call) => call.endsWith('--send')));
});

test('what an earlier run has left in the memory of ModemManager is removed after some time', async (t) => {
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

test('a report that cannot be removed is told once', async (t) => {
  const { fake, modem, reports } = await world(t, ONE, { callLimitMs: 1_000 });
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

test('a modem that hangs is reset, not often, and then a person is asked to help', async (t) => {
  const watchdog = { silences: 3, gapMs: 300_000, maxGapMs: 3_600_000 };
  const { fake, modem, wait } = await world(t, ONE, { watchdog });
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

test('the storage is read again after SMS have come, by AT only, and not while sending is unsure', async (t) => {
  const { fake, modem, wait } = await world(t);
  const device = fake.plug(ONE);
  const resyncs = () => fake.calls.filter((call) => call.endsWith(' -d')).length;
  wait(1_000_000);
  await modem.list();
  t.is(resyncs(), 0);
  fake.receive(device, BKASH);
  await modem.list();
  wait(20_000);
  fake.refusals.push('Timeout was reached');
  await modem.send(OUT);
  await modem.list();
  t.is(resyncs(), 0);
  wait(400_000);
  await modem.list();
  await modem.list();
  t.is(resyncs(), 1);
  wait(1_000_000);
  t.deepEqual(await texts(modem), [BKASH]);
  await modem.list();
  t.is(resyncs(), 1, 'what has lain there before is no reason');
  device.port = 'cdc-wdm0 (qmi)';
  fake.receive(device, NAGAD);
  wait(1_000_000);
  await modem.list();
  wait(1_000_000);
  await modem.list();
  t.is(resyncs(), 1);
});
