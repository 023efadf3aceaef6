/** Row identifiers: of one length, sorted by when they were made, whatever the source of randomness gives. */
import { randomBytes } from 'node:crypto';
import test from 'ava';
import { newRowId, type RandomSource } from '../../../src/base/values/ids.js';

const NOW = 1_770_000_000_000;
const SHAPE = /^ntf_[0-9a-f]{24}$/;

function ids(random: RandomSource, count: number, now = NOW): string[] {
  return Array.from({ length: count }, () => newRowId(random, now, 'notification'));
}

const sources: Readonly<Record<string, () => RandomSource>> = {
  'the real source': () => (size) => randomBytes(size),
  'a source of ones': () => (size) => new Uint8Array(size).fill(255),
  'a source of noughts': () => (size) => new Uint8Array(size),
};

for (const [name, open] of Object.entries(sources)) {
  test(`${name}: identifiers of one millisecond are different, rise and have one length`, (t) => {
    const made = ids(open(), 10_000);
    t.is(new Set(made).size, made.length);
    t.deepEqual(made.toSorted(), made);
    for (const id of made) t.regex(id, SHAPE);
  });
}

test('an identifier of a later millisecond sorts after all of an earlier one, and a clock may go back', (t) => {
  const random: RandomSource = (size) => randomBytes(size);
  const made = [NOW, NOW, NOW + 1, NOW + 1, NOW + 256, NOW + 86_400_000].flatMap((now) =>
    ids(random, 50, now),
  );
  t.deepEqual(made.toSorted(), made);
  const [back] = ids(random, 1, NOW - 1);
  t.true((back ?? '') < (made[0] ?? ''));
});

test('two sources, as of two daemons, do not meet in one millisecond', (t) => {
  const made = Array.from({ length: 200 }, () => ids((size) => randomBytes(size), 50)).flat();
  t.is(new Set(made).size, 10_000);
});

test('the next id cannot be predicted from the last one', (t) => {
  const steps = new Set<number>();
  const random: RandomSource = (size) => randomBytes(size);
  const tails = ids(random, 1_000).map((id) => Number.parseInt(id.slice(-13), 16));
  for (const [at, tail] of tails.entries()) steps.add(tail - (tails[at - 1] ?? 0));
  t.true(steps.size > 990, `${steps.size} different steps`);
});
