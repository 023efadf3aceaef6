/** How SMS are read and removed through ModemManager, and what is told of the modem, with a played mmcli. */
import test from 'ava';
import { listModems } from '../../../src/platforms/modem/modem-manager/modem-facts.js';
import { modemManagerModem } from '../../../src/platforms/modem/modem-manager/modem-manager.js';
import { until } from '../../helpers/agent.js';
import { settled } from '../../helpers/clock.js';
import { BKASH, NAGAD, ONE, OTHER, OUT, problem, texts, world } from '../../helpers/modem-manager/world.js';

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

test('after another start of ModemManager no SMS is taken for another', async (t) => {
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

test('a modem problem is reported in plain words', async (t) => {
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

test('a modem that is found disabled is enabled, at the start and later, each minute until it is', async (t) => {
  const { fake, modem, wait } = await world(t);
  // As an agent leaves it that dies while it reads the storage again.
  const device = fake.plug(ONE, { state: 'disabled' });
  const enabled = () => fake.calls.filter((call) => call.endsWith(' -e')).length;
  await modem.readState();
  await until('it is enabled', () => device.state === 'registered');
  t.is(enabled(), 1);
  fake.silence = / -e$/;
  device.state = 'disabled';
  await modem.readState();
  await until('it was tried', () => enabled() === 2);
  await modem.readState();
  await settled();
  t.is(enabled(), 2, 'not at once again');
  fake.silence = null;
  wait(60_000);
  await modem.readState();
  await until('it is enabled again', () => device.state === 'registered');
  t.is(await problem(modem), null);
});

test('a modem that cannot be enabled after its storage was read again is enabled later', async (t) => {
  const { fake, modem, wait } = await world(t);
  const device = fake.plug(ONE);
  fake.receive(device, BKASH);
  await modem.list();
  wait(1_000_000);
  fake.silence = / -e$/;
  await modem.list();
  t.is(device.state, 'disabled');
  fake.silence = null;
  await modem.readState();
  await until('it is enabled', () => device.state === 'registered');
  t.deepEqual(await texts(modem), [BKASH]);
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

test('parts without the others are removed after a day, before they are joined with others', async (t) => {
  const { fake, modem, wait } = await world(t);
  const device = fake.plug(ONE, { port: 'cdc-wdm0 (qmi)' });
  fake.receive(device, null, { state: 'receiving' });
  wait(Date.parse('2026-11-27T10:15:00+06:00') - 1_000_000);
  await modem.list();
  wait(600_000);
  t.is(device.sms.size, 1);
  await modem.list();
  t.is(device.sms.size, 0);
});

test('a whole SMS without a text is waited for, and then said to be two dashes', async (t) => {
  const { fake, modem, wait } = await world(t);
  const device = fake.plug(ONE, { port: 'cdc-wdm0 (qmi)' });
  const one = fake.receive(device, null);
  fake.receive(device, null, { number: '16247' });
  t.deepEqual(await modem.list(), []);
  one.text = BKASH;
  t.deepEqual(await texts(modem), [BKASH]);
  wait(600_000);
  t.deepEqual([...(await texts(modem))].sort(), ['--', BKASH]);
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
    [null, '2026-11-26T10:15:30+06:00'],
  );
});

test('the storage is read again after SMS have come, if that is safe', async (t) => {
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
  t.is(resyncs(), 0, 'ModemManager may be sending');
  wait(400_000);
  device.state = 'connected';
  await modem.list();
  await modem.list();
  t.is(resyncs(), 0, 'the modem is the way to the Internet');
  device.state = 'registered';
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
