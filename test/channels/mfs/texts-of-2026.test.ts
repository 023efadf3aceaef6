/** Texts that wallets and banks sent in 2026, and forecasts of what their counters give out in 2027. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { doubtId } from '../../../src/channels/mfs/checks.js';
import { areIdsConsistent, isExpectedAhead, valueTexts } from '../../../src/channels/mfs/index.js';
import { NAGAD, nagad, ROCKET, read, rocket } from '../../helpers/shop/sms.js';

interface Line {
  readonly sender: string;
  readonly text: string;
  readonly received_at: string;
  readonly real: string;
  /** What is null is left open. */
  readonly expected: Readonly<Record<string, string | null>>;
}

const lines = readFileSync('test/fixtures/sms-2026-11.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

for (const [index, { sender, text, received_at, real, expected }] of lines.entries()) {
  test(`${index + 1}: a text of ${sender} (${real}) is ${expected.kind}`, (t) => {
    const reading = read(sender, text, received_at);
    const { amount, trx_id, from, balance, fee } = valueTexts(reading);
    const said: Readonly<Record<string, string | null>> = {
      channel: reading.channel,
      kind: reading.settle,
      ...{ amount, trx_id, payer: from, balance, fee },
    };
    for (const [name, value] of Object.entries(expected)) {
      if (value !== null || name === 'channel') t.is(said[name], value, name);
    }
  });
}

const DAY = 86_400_000;
/** The newest of the public ids, and the pace of all six. */
const SEEN = { count: Number.parseInt('75XVTP00', 36), ms: Date.parse('2026-09-05T20:29:00+06:00') };

test('ids of Nagad are expected for ten years at 90 to 180 a second, and not at a third or thrice that', (t) => {
  const idAt = (ms: number, perSecond: number) =>
    Math.floor(SEEN.count + ((ms - SEEN.ms) / 1_000) * perSecond)
      .toString(36)
      .toUpperCase();
  for (let day = 0; day < 3_650; day += 9) {
    const ms = SEEN.ms + day * DAY;
    for (const pace of [90, 110, 130, 150, 180]) t.is(doubtId('mfs_b', idAt(ms, pace), ms), null);
    if (day < 600 || day > 1_200) continue;
    for (const pace of [40, 400]) t.is(doubtId('mfs_b', idAt(ms, pace), ms), 'id_range');
  }
});

test('an id of Nagad that is far from its forecast goes to review', (t) => {
  for (const [id, at] of [
    ['7A3022AA', '10/12/2026 12:00'],
    ['71K022AA', '10/12/2026 12:00'],
    ['752022AA', '10/12/2027 12:00'],
  ] as const) {
    const reading = read(NAGAD, nagad({ id: `TxnID: ${id}`, at }));
    t.is(reading.settle, 'review');
    t.deepEqual(reading.reasons, ['id_range']);
  }
  t.is(read(NAGAD, nagad({ id: 'TxnID: 73XUNZ2A', at: '18/05/2025 12:00' })).settle, 'auto');
});

test('ids of Rocket are expected at half to one and a half times their pace', (t) => {
  for (const id of ['7100000000', '7213542499', '7350000000']) {
    t.is(read(ROCKET, rocket({ id, at: '25-NOV-26 04:06:36 pm' })).settle, 'auto');
  }
  t.is(read(ROCKET, rocket({ id: '8213542499', at: '25-NOV-26 04:06:36 pm' })).settle, 'review');
});

test('an id that was accepted speaks for those of its time, and for no others', (t) => {
  const known = { id: '79A022AA', atMs: SEEN.ms };
  const beside = (id: string, days: number) =>
    areIdsConsistent('mfs_b', known, { id, atMs: SEEN.ms + days * DAY });
  t.true(beside('79A022AB', 0));
  t.true(beside('79J022AB', 50));
  t.true(beside('799922AB', -4));
  t.false(beside('79A022AB', 50));
  t.false(beside('7AA022AB', 50));
  t.false(beside('79N022AB', 70));
  t.false(beside('75A922AB', 0));
  t.false(areIdsConsistent('mfs_a', known, known));
});

test('ids are not expected ahead once they are near the end of their forecast', (t) => {
  const ahead = (id: string, at: string) =>
    isExpectedAhead('mfs_b', { id, atMs: Date.parse(`${at}T12:00:00+06:00`) }, 60 * DAY);
  t.true(ahead('76K022AA', '2026-12-20'));
  t.true(ahead('76Y022AA', '2027-03-20'));
  t.false(ahead('76K022AA', '2027-08-20'));
  t.true(isExpectedAhead('mfs_c', { id: '7213542499', atMs: Date.parse('2026-11-25T12:00:00Z') }, 60 * DAY));
  t.false(isExpectedAhead('mfs_c', { id: '7750000000', atMs: Date.parse('2026-11-25T12:00:00Z') }, 60 * DAY));
});
