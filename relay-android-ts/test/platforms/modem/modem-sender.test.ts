/** SMS that are sent by modems, and what the network reports of them, also days later and after a restart. */
import test from 'ava';
import type { Dispatch, SendOutcome } from '../../../src/core/ports.js';
import type { SendResult } from '../../../src/platforms/modem/modem.js';
import { modemPlatform } from '../../../src/platforms/modem/modem-platform.js';
import { SentLog } from '../../../src/platforms/modem/modem-sender.js';
import { FakeClock, settled } from '../../helpers/clock.js';
import { FakeModem, WELL } from '../../helpers/fake-modem.js';
import { MemoryFile } from '../../helpers/memory-file.js';
import { MemoryLog } from '../../helpers/messages.js';

const NUMBER = '+8801712345678';

async function open(file = new MemoryFile(), clock = new FakeClock(), isHeard = true) {
  const modems = [new FakeModem(1), new FakeModem(2)] as const;
  const book = await SentLog.open(file);
  const platform = await modemPlatform({ modems, book, once: false, clock, log: new MemoryLog() });
  const { sender } = platform;
  const told: string[] = [];
  const note = (id: string, outcome: SendOutcome) =>
    told.push(`${id} ${outcome.state}${'error' in outcome ? ` ${outcome.error}` : ''}`);
  if (isHeard) sender.onLateResult?.(async (id, outcome) => void note(id, outcome));
  const send = (id: string, more: Partial<Dispatch> = {}) => {
    const about = { number: NUMBER, message: 'ready', simSlot: null, parts: 1, priority: 0 };
    const dispatch = { id, ...about, expiresAt: clock.now() + 60_000, ...more };
    return sender.send(dispatch, (outcome) => void note(id, outcome));
  };
  return { modems, platform, told, send, file, clock };
}

const sent = (...references: number[]): SendResult => ({ kind: 'sent', references });

test('an SMS goes through the modem of its SIM; where none is named through the first', async (t) => {
  const { modems, send, told } = await open();
  await send('a');
  await send('b', { simSlot: 2 });
  await send('c', { simSlot: 3 });
  t.deepEqual(
    modems.map((modem) => modem.sent.map(({ id }) => id)),
    [['a'], ['b']],
  );
  t.deepEqual(told, ['a SENT', 'b SENT', 'c FAILED no modem has SIM 3']);
});

test('rejects an invalid number or empty text without asking the modem', async (t) => {
  const { modems, send, told } = await open();
  await send('a', { number: 'bKash' });
  await send('b', { message: '' });
  t.is(modems[0].sent.length, 0);
  t.true(told.every((one) => one.includes('FAILED')));
});

test('a modem that sends, or does not work, can send nothing; it holds up no other', async (t) => {
  const { modems, send, platform } = await open();
  const canSend = (...slots: (number | null)[]) => slots.map((slot) => platform.sender.canSend?.(slot));
  let finish: (handover: SendResult) => void = () => {};
  modems[0].answer = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  const first = send('a', { simSlot: 1 });
  await settled();
  t.deepEqual(canSend(1, 2, null), [false, true, true]);
  await send('b');
  t.deepEqual(
    modems[1].sent.map(({ id }) => id),
    ['b'],
    'where no SIM is named, the one that is free',
  );
  modems[1].isReady = false;
  t.deepEqual(canSend(1, 2, null), [false, false, false]);
  t.deepEqual(canSend(3), [true], 'a SIM that no modem has fails at once');
  finish(sent(1));
  await first;
  t.deepEqual(canSend(1, 2, null), [true, false, true]);
});

test('an SMS is delivered when all its parts are, whatever way the network writes the number', async (t) => {
  const { modems, send, told } = await open();
  modems[0].answer = () => sent(254, 255, 0);
  await send('a');
  await modems[0].report(255, '01712345678');
  await modems[0].report(254, NUMBER, 'pending');
  await modems[0].report(254, NUMBER);
  await settled();
  t.deepEqual(told, ['a SENT']);
  await modems[0].report(0, NUMBER);
  await settled();
  t.deepEqual(told, ['a SENT', 'a DELIVERED']);
});

test('a report that comes before the modem has answered counts', async (t) => {
  const { modems, send, told } = await open();
  modems[0].answer = () => {
    void modems[0].report(7, NUMBER);
    return sent(7);
  };
  await send('a');
  await settled();
  t.deepEqual(told, ['a SENT', 'a DELIVERED']);
});

test('references come round again: a report is about the newest SMS to that number by that SIM', async (t) => {
  const { modems, send, told } = await open();
  for (const modem of modems) modem.answer = () => sent(9);
  await send('old');
  await send('other SIM', { simSlot: 2 });
  await send('other number', { number: '+8801999999999' });
  await send('new');
  await modems[0].report(9, NUMBER);
  await settled();
  t.deepEqual(told.at(-1), 'new DELIVERED');
  await modems[0].report(9, NUMBER);
  await settled();
  t.deepEqual(told.at(-1), 'old DELIVERED');
});

test('a report after a restart of the agent still finds its SMS', async (t) => {
  const { file, modems: before, send } = await open();
  before[0].answer = () => sent(3, 4);
  await send('a');
  await before[0].report(3, NUMBER);
  await settled();
  const { modems, told } = await open(file);
  await modems[0].report(4, NUMBER);
  await settled();
  t.deepEqual(told, ['a DELIVERED']);
});

test('results of an earlier run are reported, with their delivery reports', async (t) => {
  const { modems, told } = await open();
  modems[0].handOver('a', sent(5));
  modems[0].handOver('b', { kind: 'unknown', error: 'gammu-smsd ended' });
  await settled();
  await modems[0].report(5, NUMBER);
  await settled();
  t.deepEqual([...told].sort(), ['a DELIVERED', 'a SENT', 'b UNKNOWN gammu-smsd ended']);
});

test('results of an earlier run wait until there is a listener', async (t) => {
  const modem = new FakeModem(1);
  const book = await SentLog.open(new MemoryFile());
  const parts = { modems: [modem], book, once: false, clock: new FakeClock(), log: new MemoryLog() };
  const { sender } = await modemPlatform(parts);
  modem.handOver('a', sent(5));
  await settled();
  const told: string[] = [];
  sender.onLateResult?.(async (id, { state }) => void told.push(`${id} ${state}`));
  await settled();
  t.deepEqual(told, ['a SENT']);
});

test('an SMS reported again is not awaited again and takes no report of another SMS', async (t) => {
  const { file, modems: before, send } = await open();
  before[0].answer = () => sent(3, 4);
  await send('part');
  await before[0].report(3, NUMBER);
  before[0].answer = () => sent(9);
  await send('whole');
  await before[0].report(9, NUMBER);
  await send('other');
  const { modems, told } = await open(file);
  modems[0].handOver('part', sent(3, 4));
  modems[0].handOver('whole', sent(9));
  await modems[0].report(4, NUMBER);
  t.true(told.includes('part DELIVERED'), 'its first part was delivered before');
  await modems[0].report(9, NUMBER);
  t.is(told.at(-1), 'other DELIVERED');
});

test('an SMS of an earlier run takes only reports on its own number, and is forgotten in time', async (t) => {
  const { modems, told, send, clock } = await open();
  const about = { number: NUMBER, at: clock.now() };
  modems[0].handOver('a', sent(5), about);
  await modems[0].report(5, '+8801999999999');
  t.deepEqual(told, ['a SENT']);
  await modems[0].report(5, NUMBER);
  t.is(told.at(-1), 'a DELIVERED');
  modems[0].answer = () => sent(6);
  await send('b');
  modems[0].handOver('old', sent(6), { number: NUMBER, at: clock.now() - 8 * 86_400_000 });
  await modems[0].report(6, NUMBER);
  t.is(told.at(-1), 'b DELIVERED');
});

test('reports on two parts at the same time make it whole', async (t) => {
  const { modems, send, told } = await open();
  modems[0].answer = () => sent(1, 2);
  await send('a');
  await Promise.all([modems[0].report(1, NUMBER), modems[0].report(2, NUMBER)]);
  t.deepEqual(told, ['a SENT', 'a DELIVERED']);
});

test('a report is not done with before its result is kept, nor when the agent ends first', async (t) => {
  const file = new MemoryFile();
  const first = await open(file);
  first.modems[0].answer = () => sent(1);
  await first.send('a');
  let keep = (): void => {};
  first.platform.sender.onLateResult?.(
    () =>
      new Promise((resolve) => {
        keep = resolve;
      }),
  );
  let isDone = false;
  const done = first.modems[0].report(1, NUMBER).then(() => {
    isDone = true;
  });
  await settled();
  t.false(isDone);
  const second = await open(file, first.clock, false);
  const report = second.modems[0].report(1, NUMBER);
  await settled();
  await Promise.all([second.platform.close?.(), t.throwsAsync(report, { message: /ends/ })]);
  keep();
  await done;
  t.true(isDone);
});

test('SENT stays SENT, whatever the network says and however long it says nothing', async (t) => {
  const { modems, send, told, clock } = await open();
  modems[0].answer = () => sent(1);
  await send('a');
  await modems[0].report(1, NUMBER, 'failed');
  await clock.advance(400 * 86_400_000);
  await send('b');
  t.deepEqual(told, ['a SENT', 'b SENT']);
});

test('where one modem can never be opened, the others are closed', async (t) => {
  const modems = [new FakeModem(1), new FakeModem(2)] as const;
  modems[1].openFault = new Error('its path cannot be said');
  const book = await SentLog.open(new MemoryFile());
  const parts = { modems, book, once: false, clock: new FakeClock(), log: new MemoryLog() };
  await t.throwsAsync(modemPlatform(parts), { message: 'its path cannot be said' });
  t.false(modems[0].isOpen);
});

test('health lists each SIM, and each modem problem once it has lasted for 15 s', async (t) => {
  const { modems, platform, clock } = await open();
  modems[1].state = { ...WELL, registration: 'searching', problem: 'not registered', signal: null };
  const { sims } = await platform.readHealth();
  t.like(sims[0], { slot: 1, signal: 70, registration: 'home', state: 'ready' });
  t.like(sims[1], { slot: 2, signal: null, registration: 'searching' });
  const problemAfter = async (ms: number) => {
    await clock.advance(ms);
    await platform.readHealth();
    return platform.problem?.();
  };
  t.is(await problemAfter(10_000), null);
  modems[0].state = { ...WELL, problem: 'it is being started' };
  t.is(await problemAfter(10_000), 'modem 2: not registered');
  modems[1].state = WELL;
  t.is(await problemAfter(10_000), null);
  modems[1].state = { ...WELL, problem: 'not registered' };
  t.is(await problemAfter(10_000), 'modem 1: it is being started');
});

test('closing the platform closes its modems', async (t) => {
  const { modems, platform } = await open();
  t.true(modems.every(({ isOpen }) => isOpen));
  await platform.close?.();
  t.false(modems.some(({ isOpen }) => isOpen));
});
