/** What goes wrong with modems and with gammu-smsd: nothing is lost, and the state says what it is. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import anyTest from 'ava';
import { GammuLog } from '../../../src/platforms/modem/gammu/gammu-log.js';
import { until } from '../../helpers/agent.js';
import { GammuSetup, hasGammu } from '../../helpers/modem/gammu-setup.js';

const test = hasGammu() ? anyTest : anyTest.skip;

test('the state has signal, registration, SIM and model, and null for unknown values', async (t) => {
  const setup = await GammuSetup.make(t);
  t.regex(await setup.problem(), /started/);
  await setup.open();
  await until('the signal', async () => (await setup.agent.readState()).signal !== null, 120_000);
  await until('the registration', async () => (await setup.agent.readState()).registration !== null, 120_000);
  t.deepEqual(await setup.agent.readState(), {
    problem: null,
    registration: 'home',
    sim: 'ready',
    signal: 65,
    temperature: null,
    number: null,
    model: 'Kashbox Scripted GSM',
  });
});

test('an unplugged modem is reported, and SMS sent during the outage arrive once it is back', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  await setup.modem.unplug();
  setup.modem.deliver({ from: 'bKash', text: 'meanwhile' });
  await setup.tells(/not there/);
  await setup.modem.plug();
  await setup.works();
  t.is((await setup.list(1))[0]?.text, 'meanwhile');
});

test('a modem that was never there is a problem, and is found when it comes', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.modem.unplug();
  // Resolves though there is no modem.
  await setup.begin();
  await setup.tells(/^the modem is not there$/);
  await setup.modem.plug();
  await setup.works();
  t.pass();
});

test('without gammu-smsd the state says what to install', async (t) => {
  const setup = await GammuSetup.make(t, {}, { path: '/nonexistent' });
  await setup.begin();
  await setup.tells(/install/);
  t.deepEqual(await setup.agent.list(), []);
});

test('a modem that stops answering in the middle of a command is started again', async (t) => {
  const setup = await GammuSetup.make(t, {}, { times: { silenceMs: 2500, deafMs: 8000 } });
  await setup.open();
  const pid = await setup.pid();
  setup.modem.onCommand = (command) => (command.startsWith('AT+CMGL') ? 'silent' : null);
  setup.modem.deliver({ from: 'bKash', text: 'kept' });
  await until('another gammu', async () => ![0, pid].includes(await setup.pid()), 120_000);
  setup.modem.onCommand = () => null;
  t.is((await setup.list(1))[0]?.text, 'kept');
  await setup.works();
});

test('a gammu that is stopped is killed and started again', async (t) => {
  const setup = await GammuSetup.make(t, {}, { times: { silenceMs: 2000 } });
  await setup.open();
  const pid = await setup.pid();
  process.kill(pid, 'SIGSTOP');
  setup.modem.deliver({ from: 'bKash', text: 'kept' });
  t.is((await setup.list(1))[0]?.text, 'kept');
  t.not(await setup.pid(), pid);
});

test('a hanging gammu is reported, even while the system does not release it', async (t) => {
  const bin = await mkdtemp(join(tmpdir(), 'hanging-gammu-'));
  t.teardown(() => rm(bin, { recursive: true }));
  const times = { silenceMs: 1000, answerMs: 60_000 };
  const setup = await GammuSetup.make(t, {}, { path: `${bin}:${process.env.PATH}`, times });
  // What it has started holds its output open.
  await writeFile(join(bin, 'gammu-smsd'), '#!/bin/sh\nsleep 30 &\nexec sleep 60\n', { mode: 0o755 });
  await setup.begin();
  await setup.tells(/is being ended/);
  await rm(join(bin, 'gammu-smsd'));
  await setup.works();
  t.pass();
});

test('the PIN of a locked SIM is never tried, and a missing SIM is reported', async (t) => {
  const setup = await GammuSetup.make(t);
  setup.modem.sim = 'SIM PIN';
  await setup.begin();
  await setup.tells(/wants its PIN/);
  t.is(setup.modem.pinTries, 0);
  setup.modem.sim = 'ABSENT';
  await until('no SIM', async () => (await setup.agent.readState()).sim === 'absent', 120_000);
  t.regex(await setup.problem(), /SIM/);
  setup.modem.sim = 'READY';
  await setup.works();
});

test('another program that has the device is named, and left alone', async (t) => {
  const setup = await GammuSetup.make(t);
  const open = ['-c', 'sleep 60 < "$1" > /dev/null 2>&1 & echo $!', 'sh', join(setup.folder, '..', 'tty')];
  const other = Number(execFileSync('sh', open, { encoding: 'utf8' }));
  t.teardown(() => process.kill(other, 'SIGKILL'));
  setup.modem.onCommand = () => 'silent';
  await setup.begin();
  await setup.tells(/: sleep$/);
  t.true(process.kill(other, 0));
});

test('a device used by another program is distinguished from one that cannot be opened', (t) => {
  const told: string[] = [];
  const log = new GammuLog((sign) => sign.kind === 'problem' && told.push(sign.problem));
  const head = 'Thu 2026/11/26 11:33:54 gammu-smsd[2210]:';
  const ended = `${head} Can't open device: Error opening device. (DEVICEOPENERROR[2])`;
  for (const [errno, words] of [
    [16, 'Device or resource busy'],
    [5, 'Input/output error'],
  ]) {
    log.begin(2210);
    log.line(`${head} gammu: [System error     - open in serial_open, ${errno}, "${words}"]`);
    log.line(ended);
  }
  t.deepEqual(told, ['another program uses the modem', 'the modem cannot be opened']);
});

test('unsolicited lines in the middle of answers disturb nothing', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  setup.modem.onCommand = (command) => {
    if (/CMG|CPMS/.test(command)) setup.modem.say('^RSSI: 18');
    return null;
  };
  for (let index = 0; index < 5; index += 1) setup.modem.deliver({ from: 'bKash', text: `SMS ${index}` });
  t.deepEqual(
    (await setup.list(5)).map(({ text }) => text).sort(),
    [0, 1, 2, 3, 4].map((index) => `SMS ${index}`),
  );
  t.is((await setup.agent.send({ id: 'a', number: '01711000000', text: 'x' })).kind, 'sent');
});

test('a sender name with a slash blocks no other SMS and cannot escape the folder', async (t) => {
  const setup = await GammuSetup.make(t);
  const names = ['A/B', 'a\\b', '/', '/../../../a', 'a/b/../$*/', './/.././..'];
  for (const from of names) setup.modem.deliver({ from, text: 'with a slash' });
  setup.modem.deliver({ from: 'bKash', text: 'Tk 500' });
  await setup.open();
  const found = await setup.list(names.length + 1);
  t.deepEqual(found.map(({ sender }) => sender).sort(), [...names, 'bKash'].sort());
  await setup.emptied();
});
