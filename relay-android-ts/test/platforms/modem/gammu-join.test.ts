/** Which parts of long SMS belong together, and what becomes of those that come once more. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { type FiledPart, joinParts } from '../../../src/platforms/modem/gammu/join-parts.js';
import { until } from '../../helpers/agent.js';
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

test('a part that comes once more when the server has its SMS is no SMS, also in a later run', async (t) => {
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
