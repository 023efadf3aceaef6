/** Receiving through the real gammu-smsd and a modem that is played. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import anyTest from 'ava';
import { until } from '../../helpers/agent.js';
import { GammuSetup, hasGammu } from '../../helpers/modem/gammu-setup.js';
import { pack, toSeptets } from '../../helpers/modem/gsm7.js';
import { deliverPdus } from '../../helpers/modem/pdu.js';

const test = hasGammu() ? anyTest : anyTest.skip;

test('texts, senders and times come as they were sent, whatever their coding', async (t) => {
  const setup = await GammuSetup.make(t);
  const sms = [
    {
      from: 'bKash',
      text: 'You have received Tk 500.00 from 01711000000. {Fee} [0] €~^|\\ @ TrxID 9AB12CD34E',
      at: '2026-11-20T14:05:06+06:00',
    },
    { from: 'NAGAD', text: 'আপনি ৫০০ টাকা পেয়েছেন 🎉\nধন্যবাদ', at: '2026-11-20T14:05:07+06:00' },
    { from: '16216', text: '', at: '2026-11-20T14:05:08+06:00' },
    {
      from: '+8801711000000',
      text: 'line one\nline two\r\n; [SMSBackup000]\nPDU = Submit',
      at: '2026-11-20T08:05:09-03:30',
      smsc: '+12065550100',
    },
    { from: '01711000000', text: '@', at: '2026-11-20T14:05:10+06:00', smsc: '' },
    { from: '$(id);#`a', text: 'a name is no command', at: '2026-11-20T14:05:11+00:00' },
    { from: 'Ø@Å Ñ_é', text: 'a name with other letters', at: '2026-11-20T14:05:12+06:00' },
  ].map((one) => ({ ...one, from: one.from.replace('`', "'") }));
  for (const one of sms) setup.modem.deliver(one);
  await setup.open();
  const found = await setup.list(sms.length);
  t.deepEqual(found.map(({ sender }) => sender).sort(), sms.map(({ from }) => from).sort());
  const bySender = new Map(found.map((one) => [one.sender, one]));
  for (const { from, text, at, smsc = '+8801700000600' } of sms) {
    const one = bySender.get(from);
    t.is(one?.text, text, from);
    t.is(one?.sentAt, at, from);
    t.is(one?.smsc, smsc === '' ? null : smsc, from);
  }
  const types = ['bKash', '16216', '+8801711000000', '01711000000', "$(id);#'a"].map(
    (from) => bySender.get(from)?.senderType,
  );
  t.deepEqual(types, ['alphanumeric', 'short_code', 'international', 'national', 'alphanumeric']);
  const times = found.map(({ sentAt }) => Date.parse(sentAt ?? ''));
  t.deepEqual(
    times,
    [...times].sort((one, other) => one - other),
    'oldest first',
  );
  await setup.emptied();
  t.deepEqual(await setup.agent.list(), found, 'the same on every reading');
  await setup.again();
  t.deepEqual(await setup.agent.list(), found, 'also in another run');
  const spool = join(setup.folder, 'spool');
  const before = await readdir(spool);
  for (const name of ['1-1-1.facts', '1-1-1.facts.new', '1-1-1.new'])
    await writeFile(join(spool, name), '{}');
  await setup.open();
  t.deepEqual(await readdir(spool), before, 'what was left half done is removed');
  await setup.agent.remove(found.slice(1).map(({ place }) => place));
  await setup.agent.remove([
    'no-such-place',
    '../../etc/passwd',
    ...found.slice(1).map(({ place }) => place),
  ]);
  t.deepEqual(await setup.agent.list(), found.slice(0, 1));
  const shown = setup.logged.join('\n');
  t.notRegex(shown, /Tk 500|01711000000|টাকা|bKash/, 'our log tells nothing of them');
});

test('a long SMS comes as one, in whatever order its parts arrive, with 8 and 16 bits of reference', async (t) => {
  // Parts wait for each other for longer than a busy machine takes between them.
  const setup = await GammuSetup.make(t, {}, { times: { joinMs: 120_000 } });
  await setup.open();
  const english = `Cash In Tk 1,000.00 {ok} ${'0123456789 '.repeat(40)}end`;
  const bangla = `${'আপনার অ্যাকাউন্টে টাকা জমা হয়েছে। '.repeat(6)}🎉🎉🎉`;
  const one = deliverPdus({ from: 'bKash', text: english, reference: 0x07 });
  const other = deliverPdus({ from: 'NAGAD', text: bangla, reference: 0x1234, referenceBits: 16 });
  const [last = ''] = one.slice(-1);
  setup.modem.receive(last, ...other.slice(1), ...one.slice(0, -1).reverse());
  await setup.emptied();
  setup.modem.receive(other[0] ?? '');
  const found = await setup.list(2);
  t.deepEqual(
    new Map(found.map(({ sender, text }) => [sender, text])),
    new Map([
      ['bKash', english],
      ['NAGAD', bangla],
    ]),
  );
  await setup.agent.remove(found.map(({ place }) => place));
  t.deepEqual(await readdir(join(setup.folder, 'spool')), []);
});

test('parts that wait in vain are given as they are, and never mixed with another SMS of that reference', async (t) => {
  const setup = await GammuSetup.make(t, {}, { times: { joinMs: 2500, firstPauseMs: 50 } });
  await setup.open();
  const lost = deliverPdus({
    from: 'bKash',
    text: 'a'.repeat(200),
    reference: 9,
    at: '2026-11-20T10:00:00+06:00',
  });
  setup.modem.receive(lost[1] ?? '');
  await setup.emptied();
  t.deepEqual(await setup.agent.list(), [], 'it waits');
  setup.modem.deliver({
    from: 'bKash',
    text: 'b'.repeat(200),
    reference: 9,
    at: '2026-11-20T12:00:00+06:00',
  });
  const found = await setup.list(2);
  t.deepEqual(
    found.map(({ text }) => text),
    ['a'.repeat(47), 'b'.repeat(200)],
  );
});

test('more SMS than the storage holds: they come when it is emptied, each once', async (t) => {
  const setup = await GammuSetup.make(t, { sizes: { SM: 10 } });
  for (let index = 0; index < 35; index += 1)
    setup.modem.deliver({ from: '16216', text: `SMS ${index}`, at: `2026-11-20T14:05:${10 + index}+06:00` });
  t.is(setup.modem.held, 25);
  await setup.open();
  const found = await setup.list(35);
  t.deepEqual(
    found.map(({ text }) => text),
    Array.from({ length: 35 }, (_, index) => `SMS ${index}`),
  );
  await setup.emptied();
});

test('SMS of one sender in one second do not overwrite each other', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  for (let index = 0; index < 3; index += 1) {
    setup.modem.deliver({ from: 'bKash', text: `SMS ${index}` });
    await setup.emptied();
  }
  t.deepEqual((await setup.list(3)).map(({ text }) => text).sort(), ['SMS 0', 'SMS 1', 'SMS 2']);
});

test('signs of the shell in a name do nothing', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  const pid = await setup.pid();
  for (const from of ['a(&>x;', '"\'|<y', 'a\nb']) {
    setup.modem.deliver({ from, text: from });
    await setup.emptied();
    t.deepEqual(await readdir(join(setup.folder, 'inbox')), [], 'its script was run');
  }
  t.deepEqual(
    (await setup.list(3)).map(({ sender, text }) => sender === text),
    [true, true, true],
  );
  t.is(await setup.pid(), pid);
});

test('a text that looks like a line of the log makes no sender another one than it is', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  const at = '2026-11-20T14:05:06+06:00';
  // The same sender and time, but a name.
  const forged =
    `000409D0${pack(toSeptets('16247') ?? []).toString('hex')}00006211024150604200`.toUpperCase();
  setup.modem.deliver({ from: '16247', text: `Tk 500\n3 "${forged}"\n2 "+CSQ: 1,99"`, at });
  const [sms] = await setup.list(1);
  t.like(sms, { sender: '16247', senderType: 'unknown' });
});

test('killed between writing and deleting, gammu brings a copy that is equal', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  let isKilled = false;
  setup.modem.onCommand = async (command) => {
    if (!command.startsWith('AT+CMGD') || isKilled) return null;
    isKilled = await setup.kill();
    return 'silent';
  };
  setup.modem.deliver({ from: 'bKash', text: 'Tk 500', at: '2026-11-20T14:05:06+05:45' });
  const [one, copy, ...more] = (await setup.list(2)).map(({ place: _, ...rest }) => rest);
  t.deepEqual(one, copy);
  t.is(one?.sentAt, '2026-11-20T14:05:06+05:45');
  t.deepEqual(more, []);
});

test('a file that was written by half is neither lost nor given wrong, and blocks no other', async (t) => {
  const setup = await GammuSetup.make(t);
  setup.modem.deliver({ from: 'bKash', text: 'x'.repeat(300) });
  await setup.open();
  const [{ place = '' } = {}] = await setup.list(1);
  const content = await readFile(join(setup.folder, 'spool', place), 'utf8');
  await setup.again();
  await setup.agent.remove([place]);
  const half = content.slice(0, content.indexOf('Text01'));
  await writeFile(join(setup.folder, 'inbox', 'IN20261120_140506_00_bKash_00.txt'), half);
  await writeFile(join(setup.folder, 'inbox', 'IN20261120_140506_01_bKash_00.txt'), content);
  await writeFile(join(setup.folder, 'spool', '1-1-1'), 'no SMS at all');
  setup.modem.deliver({ from: 'NAGAD', text: 'Tk 1' });
  await setup.begin();
  const found = await setup.list(2);
  t.deepEqual(found.map(({ text }) => text).sort(), ['Tk 1', 'x'.repeat(300)]);
  const kept = await readdir(join(setup.folder, 'unreadable'));
  t.deepEqual(kept.map((name) => /-\w+$/.exec(name)?.[0]).sort(), ['-half', '-sms']);
  await setup.tells(/^1 SMS that cannot/);
  t.is(setup.logged.filter((line) => line.includes('no SMS')).length, 1);
});

test('where the disk takes nothing, the SMS stays on the SIM', async (t) => {
  const setup = await GammuSetup.make(t);
  await setup.open();
  const spool = join(setup.folder, 'receive');
  const script = await readFile(spool, 'utf8');
  await writeFile(spool, script.replace('sync "$file"', 'false'));
  setup.modem.deliver({ from: 'bKash', text: 'Tk 500' });
  const pid = await setup.pid();
  await until('gammu was ended', async () => ![0, pid].includes(await setup.pid()), 240_000);
  t.is(setup.modem.storage.of('SM').size, 1);
  await writeFile(spool, script);
  t.deepEqual([...new Set((await setup.list(1)).map(({ text }) => text))], ['Tk 500']);
  await setup.emptied();
  t.is((await stat(join(setup.folder, 'gammu-smsdrc'))).mode & 0o777, 0o600);
});
