/** SMS that are sent by modems, and what the network reports of them, also days later and after a restart. */
import test from 'ava';
import type { Dispatch, SendOutcome } from '../../../src/core/ports.js';
import type { Handover } from '../../../src/platforms/modem/modem.js';
import { modemPlatform } from '../../../src/platforms/modem/modem-platform.js';
import { SentBook } from '../../../src/platforms/modem/sent-book.js';
import { FakeClock, settled } from '../../helpers/clock.js';
import { FakeModem, WELL } from '../../helpers/fake-modem.js';
import { MemoryFile } from '../../helpers/memory-file.js';
import { MemoryLog } from '../../helpers/messages.js';

const NUMBER = '+8801712345678';

async function open(file = new MemoryFile(), clock = new FakeClock()) {
  const modems = [new FakeModem(1), new FakeModem(2)] as const;
  const book = await SentBook.open(file);
  const platform = await modemPlatform({ modems, book, once: false, clock, log: new MemoryLog() });
  const { sender } = platform;
  if (sender === null) throw new Error('modems send');
  const told: string[] = [];
  const note = (id: string, outcome: SendOutcome) =>
    told.push(`${id} ${outcome.state}${'error' in outcome ? ` ${outcome.error}` : ''}`);
  sender.onLateResult?.(note);
  const send = (id: string, more: Partial<Dispatch> = {}) => {
    const about = { number: NUMBER, message: 'ready', simSlot: null, parts: 1, priority: 0 };
    const dispatch = { id, ...about, expiresAt: clock.now() + 60_000, ...more };
    return sender.send(dispatch, (outcome) => void note(id, outcome));
  };
  return { modems, platform, told, send, file, clock };
}

const sent = (...references: number[]): Handover => ({ kind: 'sent', references });

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

test('what cannot be sent is refused, and the modem is not asked', async (t) => {
  const { modems, send, told } = await open();
  await send('a', { number: 'bKash' });
  await send('b', { message: '' });
  t.is(modems[0].sent.length, 0);
  t.true(told.every((one) => one.includes('FAILED')));
});

test('a modem gets one SMS after the other; what is late by then is not sent', async (t) => {
  const { modems, send, told, clock } = await open();
  let finish: (handover: Handover) => void = () => {};
  modems[0].answer = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  const first = send('a');
  const second = send('b');
  await settled();
  t.is(modems[0].sent.length, 1);
  await clock.advance(60_000);
  finish(sent(1));
  await Promise.all([first, second]);
  t.is(modems[0].sent.length, 1);
  t.regex(told[1] ?? '', /b FAILED its time was over/);
});

test('an SMS is delivered when all its parts are, whatever way the network writes the number', async (t) => {
  const { modems, send, told } = await open();
  modems[0].answer = () => sent(254, 255, 0);
  await send('a');
  modems[0].report(255, '01712345678');
  modems[0].report(254, NUMBER, 'pending');
  modems[0].report(254, NUMBER);
  await settled();
  t.deepEqual(told, ['a SENT']);
  modems[0].report(0, NUMBER);
  await settled();
  t.deepEqual(told, ['a SENT', 'a DELIVERED']);
});

test('a report that comes before the modem has answered counts', async (t) => {
  const { modems, send, told } = await open();
  modems[0].answer = () => {
    modems[0].report(7, NUMBER);
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
  modems[0].report(9, NUMBER);
  await settled();
  t.deepEqual(told.at(-1), 'new DELIVERED');
  modems[0].report(9, NUMBER);
  await settled();
  t.deepEqual(told.at(-1), 'old DELIVERED');
});

test('a report after a restart of the agent still finds its SMS', async (t) => {
  const { file, modems: before, send } = await open();
  before[0].answer = () => sent(3, 4);
  await send('a');
  before[0].report(3, NUMBER);
  await settled();
  const { modems, told } = await open(file);
  modems[0].report(4, NUMBER);
  await settled();
  t.deepEqual(told, ['a DELIVERED']);
});

test('what an earlier run has handed over is told, with its reports', async (t) => {
  const { modems, told } = await open();
  modems[0].handOver('a', sent(5));
  modems[0].handOver('b', { kind: 'unknown', error: 'gammu-smsd ended' });
  await settled();
  modems[0].report(5, NUMBER);
  await settled();
  t.deepEqual([...told].sort(), ['a DELIVERED', 'a SENT', 'b UNKNOWN gammu-smsd ended']);
});

test('what an earlier run has handed over before anybody listens is told then', async (t) => {
  const modem = new FakeModem(1);
  const book = await SentBook.open(new MemoryFile());
  const parts = { modems: [modem], book, once: false, clock: new FakeClock(), log: new MemoryLog() };
  const { sender } = await modemPlatform(parts);
  modem.handOver('a', sent(5));
  await settled();
  const told: string[] = [];
  sender?.onLateResult?.((id, { state }) => told.push(`${id} ${state}`));
  t.deepEqual(told, ['a SENT']);
});

test('the health tells each SIM, and the problem of each modem', async (t) => {
  const { modems, platform } = await open();
  modems[1].state = { ...WELL, registration: 'searching', problem: 'not registered', signal: null };
  const { sims } = await platform.readHealth();
  t.like(sims[0], { slot: 1, signal: 70, registration: 'home', state: 'ready' });
  t.like(sims[1], { slot: 2, signal: null, registration: 'searching' });
  t.is(platform.problem?.(), 'modem 2: not registered');
  modems[1].state = WELL;
  await platform.readHealth();
  t.is(platform.problem?.(), null);
});

test('closing the platform closes its modems', async (t) => {
  const { modems, platform } = await open();
  t.true(modems.every(({ isOpen }) => isOpen));
  await platform.close?.();
  t.false(modems.some(({ isOpen }) => isOpen));
});
