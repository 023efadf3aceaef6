/** Which parts of long SMS belong together, and what becomes of those that come once more. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { GammuFolder, Unreadable } from '../../../src/platforms/modem/gammu/gammu-folder.js';
import { type FiledPart, joinParts } from '../../../src/platforms/modem/gammu/join-parts.js';
import { Spool } from '../../../src/platforms/modem/gammu/spool.js';
import { until } from '../../helpers/agent.js';
import { FakeClock } from '../../helpers/clock.js';
import { GammuSetup } from '../../helpers/modem/gammu-setup.js';
import { deliverPdus } from '../../helpers/modem/pdu.js';

const part = (name: string, number: number, second: number, text: string): FiledPart => ({
  name,
  part: {
    kind: 'deliver',
    sender: 'bKash',
    smsc: null,
    time: `20261120T1405${String(second).padStart(2, '0')}`,
    text,
    piece: { reference: 7, of: 3, number },
    reference: 0,
  },
});

const textsOf = (filed: readonly FiledPart[]) =>
  joinParts(filed).map(({ parts, isWhole }) => `${parts.map((one) => one.part.text).join('')} ${isWhole}`);

test('a part that is left over is not joined with an SMS that has its reference later', (t) => {
  const left = part('a', 3, 0, 'A3');
  const whole = [part('b', 1, 34, 'B1'), part('b', 2, 34, 'B2'), part('b', 3, 35, 'B3')];
  t.deepEqual(textsOf([left, ...whole]), ['A3 false', 'B1B2B3 true']);
});

test('of two SMS with one reference each part goes to the one that is nearer in time', (t) => {
  const parts = [
    part('a', 1, 0, 'A1'),
    part('b', 1, 20, 'B1'),
    part('c', 2, 21, 'B2'),
    part('d', 2, 1, 'A2'),
  ];
  t.deepEqual(textsOf([...parts, part('e', 3, 2, 'A3'), part('f', 3, 22, 'B3')]), [
    'A1A2A3 true',
    'B1B2B3 true',
  ]);
});

test('a repeated part of an SMS that the server has is not an SMS, even in a later run', async (t) => {
  const setup = await GammuSetup.make(t, {}, { times: { joinMs: 500 } });
  const first = { from: 'bKash', text: 'ক'.repeat(100), reference: 7 };
  const pdus = deliverPdus(first);
  const isEmpty = () => setup.modem.storage.of('SM').size === 0;
  const stored = async () =>
    (await readdir(join(setup.folder, 'spool'))).filter((name) => !name.includes('.'));
  await setup.open();
  setup.modem.receive(...pdus);
  const [sms] = await setup.list(1);
  t.is(sms?.text, first.text);
  await setup.agent.remove([sms?.place ?? '']);
  for (const run of [1, 2]) {
    setup.modem.receive(...pdus.slice(1));
    await until('gammu has taken it', isEmpty, 120_000);
    const at = `2026-11-20T14:0${5 + run}:06+06:00`;
    const other = { from: 'bKash', text: `${'খ'.repeat(99)}${run}`, reference: 7, at };
    setup.modem.deliver(other);
    t.deepEqual(
      (await setup.list(1)).map(({ text }) => text),
      [other.text],
    );
    await setup.agent.remove((await setup.agent.list()).map(({ place }) => place));
    t.deepEqual(await setup.agent.list(), []);
    t.deepEqual(await stored(), []);
    await setup.again();
    await setup.open();
  }
});

test('a file with parts of two SMS stays until the server has both', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'kashbox-spool-'));
  t.teardown(() => rm(home, { recursive: true }));
  const folder = new GammuFolder(home);
  await mkdir(folder.of('spool'));
  const clock = new FakeClock();
  const silent = { info: () => {}, warn: () => {} };
  const spool = new Spool(folder, new Unreadable(folder.of('unreadable')), clock, silent, 60_000);
  await spool.load();
  let calls = 0;
  spool.watch(() => {
    calls += 1;
  });
  t.teardown(() => spool.close());
  const arrivedAt = clock.now() - 10_000;
  const put = (count: number, ...parts: string[]) =>
    writeFile(join(folder.of('spool'), `${arrivedAt}000000-1-${count}`), parts.join(''));
  const texts = async () => (await spool.list()).map(({ text }) => text);
  await put(1, backupOf(1, 0, 'A1'), backupOf(2, 40, 'B2'));
  await put(2, backupOf(2, 1, 'A2'));
  t.deepEqual(await texts(), ['A1A2']);
  await until('the spool tells of what has come', () => calls > 0);
  await spool.remove((await spool.list()).map(({ place }) => place));
  t.deepEqual(await texts(), []);
  await put(3, backupOf(1, 41, 'B1'));
  t.deepEqual(await texts(), ['B1B2']);
  await spool.remove((await spool.list()).map(({ place }) => place));
  t.deepEqual(await readdir(folder.of('spool')), []);
});

/** One part of two of a long SMS, as gammu writes it. */
function backupOf(number: number, second: number, text: string): string {
  const hex = (value: string) => Buffer.from(value, 'utf16le').swap16().toString('hex').toUpperCase();
  return [
    '[SMSBackup000]',
    'PDU = Deliver',
    `DateTime = 20261120T1405${String(second).padStart(2, '0')}`,
    'Number = "bKash"',
    `NumberUnicode = ${hex('bKash')}`,
    `UDH = 0500030702${String(number).padStart(2, '0')}`,
    `Text00 = ${hex(text)}`,
    'Coding = Default_No_Compression',
    'MessageReference = 0',
    '',
    '',
  ].join('\n');
}
