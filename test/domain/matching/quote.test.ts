/** What a payment costs in USDT: never less than it is worth, and never a whole step more. */
import test from 'ava';
import fc from 'fast-check';
import { finalInMs, nextRecheckMs } from '../../../src/actions/claims/recheck-claims.js';
import { findAmountClusters, parseRate, quotedSteps, roomAbove } from '../../../src/domain/matching/quote.js';

test('an amount is divided by the rate and rounded up to 0.0001', (t) => {
  t.is(quotedSteps(50_000, 1_200_000), 41_667, '500 BDT at 120 are 4.1666…');
  t.is(quotedSteps(12_000, 1_200_000), 10_000, '120 BDT at 120 are exactly 1');
  t.is(quotedSteps(1, 1_205_000), 1, 'a paisa costs the smallest step');
  t.is(quotedSteps(100_000_000, 1), 100_000_000_000_000, 'the largest amount at the smallest rate');
});

test('for any amount and rate, the quote covers the amount and one step less does not', (t) => {
  const paisa = fc.integer({ min: 1, max: 100_000_000 });
  const rates = fc.integer({ min: 1, max: 1_000_000_000 });
  fc.assert(
    fc.property(paisa, rates, (amount, rate) => {
      const steps = BigInt(quotedSteps(amount, rate));
      const worth = (of: bigint) => of * BigInt(rate) >= BigInt(amount) * 1_000_000n;
      return worth(steps) && !worth(steps - 1n);
    }),
  );
  t.pass();
});

test('a rate has at most four decimals, is above zero and no slip of the finger', (t) => {
  t.is(parseRate(' 120.50 '), 1_205_000);
  t.is(parseRate('0.0001'), 1);
  t.is(parseRate('100000'), 1_000_000_000);
  for (const text of ['0', '', 'abc', '120.12345', '-1', '1e2', '100001', '120,5']) {
    t.is(parseRate(text), null, text);
  }
});

test('nothing there is asked for again later and later, at most two minutes', (t) => {
  const pauses = Array.from({ length: 20 }, (_, index) => nextRecheckMs(index + 1));
  t.is(pauses[0], 2_000);
  t.true(pauses.every((pause, index) => pause >= (pauses[index - 1] ?? 0) && pause <= 120_000));
});

test('a block that cannot be final yet is waited for, one that is is not', (t) => {
  t.is(finalInMs(100, 100), 0);
  t.is(finalInMs(99, 100), 0);
  t.is(finalInMs(101, 100), 1_000);
  t.is(finalInMs(220, 100), 54_000);
  t.is(finalInMs(10_000, 100), 60_000);
});

test('an amount may be 0.05 USDT above its price, or one per cent', (t) => {
  t.deepEqual([1, 50_000, 50_099, 50_100, 100_000].map(roomAbove), [500, 500, 500, 501, 1_000]);
});

test('a price is crowded when four fifths of its amounts are held without a gap', (t) => {
  const stretch = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);
  t.deepEqual(findAmountClusters([]), []);
  t.deepEqual(findAmountClusters(stretch(10_000, 400)), []);
  t.deepEqual(findAmountClusters(stretch(10_000, 401)), [{ wanted: 10_000, held: 401, all: 501 }]);
  t.deepEqual(findAmountClusters(stretch(50_400, 403)), []);
  t.deepEqual(
    findAmountClusters(stretch(50_400, 404)),
    [{ wanted: 50_400, held: 404, all: 505 }],
    'exactly four fifths',
  );
  t.deepEqual(findAmountClusters(stretch(10_000, 9_000)), [{ wanted: 10_000, held: 501, all: 501 }]);
  t.deepEqual(findAmountClusters([...stretch(10_000, 400), ...stretch(10_401, 400)]), [], 'there is a gap');
  t.deepEqual(findAmountClusters([...stretch(1, 501), 900, ...stretch(200_000, 2_001)]), [
    { wanted: 1, held: 501, all: 501 },
    { wanted: 200_000, held: 2_001, all: 2_001 },
  ]);
});
