/** Sending through the real gammu-smsd: once or not at all, and what came of it. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import anyTest, { type ExecutionContext } from 'ava';
import type { SendResult } from '../../../src/platforms/modem/modem.js';
import { until } from '../../helpers/agent.js';
import { GammuSetup, hasGammu } from '../../helpers/modem/gammu-setup.js';
import type { Submitted } from '../../helpers/modem/pdu.js';
import type { Verdict } from '../../helpers/modem/scripted-modem.js';

const test = hasGammu() ? anyTest : anyTest.skip;
const NUMBER = '+8801711000000';
/** Longer than gammu takes to send again what it still has. */
const AGAIN_MS = 5000;

const textOf = (sent: readonly Submitted[]): string => sent.map(({ text }) => text).join('');

/** Nothing more is sent, though gammu runs on. */
async function isNotSentAgain(t: ExecutionContext, setup: GammuSetup, count: number): Promise<void> {
  await setup.works();
  const polls = setup.modem.commands.length;
  await sleep(AGAIN_MS);
  await until('gammu works', () => setup.modem.commands.length > polls, 120_000);
  t.is(setup.modem.sent.length, count);
}

test('texts go out exactly, with a report asked for and the reference of each part', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  const bangla = `${'আপনার অর্ডার পাঠানো হয়েছে। '.repeat(4)}🎉`;
  const texts = [
    'Paid: Tk 500 {ok} [1] €~^|\\ @£_Øé',
    bangla,
    `${'0123456789'.repeat(15)}{}{}{}{}{}{}`,
    'টাকা\nMessageReference = 7\n',
  ];
  for (const text of texts) {
    const before = setup.modem.sent.length;
    const handover = await setup.agent.send({ id: 'a', number: NUMBER, text });
    const sent = setup.modem.sent.slice(before);
    t.is(textOf(sent), text);
    t.deepEqual(handover, { kind: 'sent', references: sent.map(({ reference }) => reference) });
    for (const { number, wantsReport } of sent) t.deepEqual([number, wantsReport], [NUMBER, true]);
  }
  const [gsm7, ucs2, ...more] = setup.modem.sent;
  t.deepEqual([gsm7?.coding, gsm7?.part, ucs2?.coding, ucs2?.part?.of], ['gsm7', null, 'ucs2', 2]);
  t.true(more.every(({ part }) => part === null || part.of === 2));
  await setup.agent.send({ id: 'c', number: '16216', text: 'x' });
  t.is(setup.modem.sent.at(-1)?.number, '16216');
});

test('an error of the network refuses an SMS, and it is not tried again', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  // gammu takes an error in words for the number 0, and so for success.
  const errors = ['+CMS ERROR: 38', '+CMS ERROR: 500', '+CMS ERROR: 512', 'ERROR', '+CMS ERROR: no network'];
  let tries = 0;
  setup.modem.onSubmit = () => {
    tries += 1;
    return { error: errors[tries - 1] ?? 'ERROR' };
  };
  for (const error of errors) {
    const handover = await setup.agent.send({ id: error, number: NUMBER, text: 'x' });
    t.is(handover.kind, 'refused', error);
  }
  t.is(tries, errors.length);
  setup.modem.onCommand = (command) => (command.startsWith('AT+CMGS') ? ['+CMS ERROR: 310'] : null);
  t.is((await setup.agent.send({ id: 'p', number: NUMBER, text: 'x' })).kind, 'refused', 'no prompt');
  setup.modem.onCommand = () => null;
  setup.modem.onSubmit = () => 'sent';
  t.is((await setup.agent.send({ id: 'z', number: NUMBER, text: 'last' })).kind, 'sent');
  await isNotSentAgain(t, setup, 1);
  for (const number of ['', 'abc', '01711 00', '$(id)', '*121#'])
    t.is((await setup.agent.send({ id: 'n', number, text: 'x' })).kind, 'refused');
});

test('a network timeout leaves it unknown, and so does a part after others that were sent', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  setup.modem.onSubmit = () => ({ error: '+CMS ERROR: 332' });
  t.is((await setup.agent.send({ id: 'a', number: NUMBER, text: 'x' })).kind, 'unknown');
  setup.modem.onSubmit = ({ part }) => (part?.number === 2 ? { error: '+CMS ERROR: 38' } : 'sent');
  t.is((await setup.agent.send({ id: 'b', number: NUMBER, text: 'y'.repeat(400) })).kind, 'unknown');
  setup.modem.onSubmit = () => 'sent';
  await isNotSentAgain(t, setup, 1);
});

test('a modem that takes an SMS and says nothing leaves it unknown, and is started again', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  const pid = await setup.pid();
  setup.modem.onSubmit = () => 'silent';
  t.is((await setup.agent.send({ id: 'a', number: NUMBER, text: 'once' })).kind, 'unknown');
  setup.modem.onSubmit = () => 'sent';
  await isNotSentAgain(t, setup, 1);
  t.not(await setup.pid(), pid, 'a late answer is not taken for that to another SMS');
});

test('an error of an earlier command does not count for an SMS without an answer of the modem', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  // Once the modem is set up, this is the last that gammu asks before it sends.
  await setup.agent.send({ id: 'first', number: NUMBER, text: 'x' });
  setup.modem.onCommand = (command) => (command === 'AT+COPS?' ? ['ERROR'] : null);
  setup.modem.onSubmit = () => ({ error: 'CONNECT' });
  t.is((await setup.agent.send({ id: 'a', number: NUMBER, text: 'once' })).kind, 'unknown');
  const { commands } = setup.modem;
  t.is(commands[commands.findLastIndex((command) => command.startsWith('AT+CMGS')) - 1], 'AT+COPS?');
});

const KILLED: readonly (readonly [string, boolean, SendResult['kind'], number])[] = [
  ['before the modem asks for the PDU', false, 'refused', 0],
  ['when the modem has the PDU', true, 'unknown', 1],
];
for (const [when, hasPdu, kind, count] of KILLED)
  test(`gammu killed ${when}: nothing is sent twice`, async (t) => {
    const setup = await GammuSetup.make(t);
    await setup.open();
    setup.modem.onCommand = async (command) => {
      if (hasPdu || !command.startsWith('AT+CMGS')) return null;
      setup.modem.onCommand = () => null;
      await setup.kill();
      return 'silent';
    };
    setup.modem.onSubmit = async (): Promise<Verdict> => {
      setup.modem.onSubmit = () => 'sent';
      await setup.kill();
      return 'silent';
    };
    t.is((await setup.agent.send({ id: 'a', number: NUMBER, text: 'once' })).kind, kind);
    setup.modem.onSubmit = () => 'sent';
    await isNotSentAgain(t, setup, count);
    t.is((await setup.agent.send({ id: 'b', number: NUMBER, text: 'next' })).kind, 'sent');
    t.is(setup.modem.sent.length, count + 1);
  });

test('without a modem it is refused in time, and not sent when the modem comes', async (t) => {
  const setup = await GammuSetup.make(t, {}, { times: { beginMs: 1500 } });
  await setup.open();
  await setup.modem.unplug();
  const handover = await setup.agent.send({ id: 'a', number: NUMBER, text: 'x' });
  t.like(handover, { kind: 'refused' });
  await setup.modem.plug();
  await isNotSentAgain(t, setup, 0);
});

test('a SIM that does not know its SMS centre refuses it in time', async (t) => {
  const setup = await GammuSetup.make(t, {}, { times: { beginMs: 3000 } });
  await setup.open();
  setup.modem.onCommand = (command) => (command === 'AT+CSCA?' ? ['+CMS ERROR: 330'] : null);
  t.is((await setup.agent.send({ id: 'a', number: NUMBER, text: 'x' })).kind, 'refused');
  setup.modem.onCommand = () => null;
  await isNotSentAgain(t, setup, 0);
});

test('the next run gets the result of an SMS, after ending a gammu process left behind', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  const first = await setup.agent.send({ id: 'first', number: NUMBER, text: 'x' });
  await setup.again();
  await setup.begin();
  t.deepEqual(setup.handedOver.get('first'), first);
  t.is(first.kind, 'sent');
  await setup.works();
  setup.modem.onSubmit = () => 'silent';
  const orphan = await setup.pid();
  const left = setup.agent;
  const handover = left.send({ id: 'second', number: NUMBER, text: 'once' });
  await until('the modem has it', () => setup.modem.sent.length === 2, 120_000);
  // As after kill -9: the earlier run does nothing more, its gammu lives on.
  await setup.takeOver();
  t.deepEqual(
    [...setup.handedOver].filter(([id]) => id === 'second').map(([, { kind }]) => kind),
    ['unknown'],
  );
  setup.modem.onSubmit = () => 'sent';
  t.throws(() => process.kill(orphan, 0), { code: 'ESRCH' });
  await left.close();
  t.is((await handover).kind, 'unknown');
  await isNotSentAgain(t, setup, 2);
});

test('delivery reports are passed on and not listed as SMS', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  const handover = await setup.agent.send({ id: 'a', number: NUMBER, text: 'x' });
  const [reference = -1] = handover.kind === 'sent' ? handover.references : [];
  setup.modem.report({ reference, number: NUMBER, status: 0x20 });
  await until('one report', () => setup.reports.length === 1, 120_000);
  setup.modem.report({ reference, number: NUMBER, status: 0 });
  await until('two reports', () => setup.reports.length === 2, 120_000);
  setup.modem.report({ reference: 9, number: '01711000000', status: 0x46 });
  await until('three reports', () => setup.reports.length === 3, 120_000);
  t.deepEqual(setup.reports, [
    { reference, number: NUMBER, state: 'pending' },
    { reference, number: NUMBER, state: 'delivered' },
    { reference: 9, number: '01711000000', state: 'failed' },
  ]);
  t.deepEqual(await setup.agent.list(), []);
  t.deepEqual(await readdir(join(setup.folder, 'spool')), []);
});

test('a report that was not kept is passed on again by the next run', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  setup.onReport = () => {
    throw new Error('the agent ends before it has kept it');
  };
  setup.modem.report({ reference: 7, number: NUMBER, status: 0 });
  await until('it is stored', async () => (await readdir(join(setup.folder, 'spool'))).length === 1, 120_000);
  await setup.again();
  setup.onReport = () => {};
  await setup.open();
  await until('it is told', () => setup.reports.some(({ reference }) => reference === 7), 120_000);
  t.deepEqual(setup.reports.at(-1), { reference: 7, number: NUMBER, state: 'delivered' });
  await until('and removed', async () => (await readdir(join(setup.folder, 'spool'))).length === 0, 120_000);
});

test('a report that gammu does not read is neither an SMS nor a report', async (t) => {
  const setup = await GammuSetup.make(t, { storesReports: true });
  await setup.open();
  setup.modem.report({ reference: 7, number: NUMBER, status: 0 });
  setup.modem.deliver({ from: 'bKash', text: 'Tk 500' });
  t.is((await setup.list(1)).length, 1);
  t.deepEqual(setup.reports, []);
});
