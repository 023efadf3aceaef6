/** The chain of balances: complete ones have no gap in any order; what is missing makes just one. */
import test from 'ava';
import fc from 'fast-check';
import { type ChainGap, findBalanceGaps } from '../../../src/domain/balance-gaps/balance-chain.js';
import type { ChainLink } from '../../../src/domain/balance-gaps/balance-link.js';

function link(id: string, minute: number, before: number | null, after: number | null): ChainLink {
  return { id, minute, before, after, feeUpTo: 0, commissionUpTo: 0 };
}

/** A complete chain: so many moves in each minute, in the order in which they happened. */
function chainOf(minutes: readonly (readonly number[])[], start: number): ChainLink[] {
  let balance = start;
  return minutes.flatMap((moves, minute) =>
    moves.map((move, index) => {
      const before = balance;
      balance += move;
      return link(`${minute}.${index}`, minute, before, balance);
    }),
  );
}

/** Few different amounts, so that balances come again and orders are many. */
const move = fc.constantFrom(-300, -200, -100, 100, 200, 300, 50_000);
const minute = fc.array(move, { minLength: 1, maxLength: 6 });
/** Its first and its last minute hold one SMS, so that both ends of the chain are certain. */
const minutes = fc
  .tuple(move, fc.array(minute, { minLength: 1, maxLength: 6 }), move)
  .map(([first, middle, last]) => [[first], ...middle, [last]]);

const shuffled = (links: readonly ChainLink[]) =>
  fc.shuffledSubarray([...links], { minLength: links.length, maxLength: links.length });

const sum = (gaps: readonly ChainGap[]) => gaps.reduce((total, { missingPaisa }) => total + missingPaisa, 0);

test('a complete chain has no gap, in whatever order its SMS are handed in', (t) => {
  const cases = minutes.chain((moves) => shuffled(chainOf(moves, 10_000)));
  fc.assert(
    fc.property(cases, (links) => findBalanceGaps(links).length === 0),
    { numRuns: 1_000 },
  );
  t.pass();
});

test('one SMS that is missing makes exactly one gap of its amount, and none once it has come', (t) => {
  const cases = minutes.chain((moves) => {
    const links = chainOf(moves, 10_000);
    const removed = fc.integer({ min: 1, max: links.length - 2 });
    return fc.tuple(removed, fc.constant(links)).chain(([index, all]) => {
      const rest = all.filter((_link, at) => at !== index);
      return fc.tuple(fc.constant(all[index]), shuffled(rest));
    });
  });
  fc.assert(
    fc.property(cases, ([removed, rest]) => {
      const gaps = findBalanceGaps(rest);
      if (removed === undefined || gaps.length !== 1) return false;
      const moved = (removed.after ?? 0) - (removed.before ?? 0);
      return sum(gaps) === moved && findBalanceGaps([...rest, removed]).length === 0;
    }),
    { numRuns: 1_000 },
  );
  t.pass();
});

test('there are never more gaps than missing SMS, whichever are missing', (t) => {
  const cases = minutes.chain((moves) => {
    const links = chainOf(moves, 10_000);
    return fc.tuple(fc.constant(links.length), fc.shuffledSubarray(links, { minLength: 1 }));
  });
  fc.assert(
    fc.property(cases, ([all, rest]) => findBalanceGaps(rest).length <= all - rest.length),
    { numRuns: 1_000 },
  );
  t.pass();
});

test('of the orders of a minute the one is taken that leaves the fewest gaps before and after it', (t) => {
  // Taken as they came, the second would be stuck at 100.
  const links = [
    link('a', 0, 0, 100),
    link('b', 1, 100, 50),
    link('c', 1, 100, 200),
    link('d', 1, 200, 100),
    link('e', 2, 50, 70),
  ];
  t.deepEqual(findBalanceGaps(links), []);
});

test('a gap is named by the two SMS around it and by what moved between them', (t) => {
  const links = [link('a', 0, 0, 500), link('c', 5, 800, 900), link('e', 9, 400, 450)];
  t.deepEqual(findBalanceGaps(links), [
    { id: 'c', beforeId: 'a', missingPaisa: 300 },
    { id: 'e', beforeId: 'c', missingPaisa: -500 },
  ]);
});

test('an SMS with only the balance after it may follow any balance, and the next must match it exactly', (t) => {
  const first = [link('a', 0, 0, 500), link('b', 1, null, 900)];
  t.deepEqual(findBalanceGaps([...first, link('c', 2, 900, 950)]), []);
  t.deepEqual(findBalanceGaps([...first, link('c', 2, 950, 990)]), [
    { id: 'c', beforeId: 'b', missingPaisa: 50 },
  ]);
  const sameMinute = [link('a', 0, 0, 500), link('b', 1, null, 900), link('c', 1, 900, 950)];
  t.deepEqual(findBalanceGaps(sameMinute), []);
  // At the begin of the chain too: 500 came in, and 500 of which nobody knows when they left went out.
  const begin = [link('a', 0, 1_000, 1_500), link('b', 0, null, 1_000), link('c', 1, 1_000, 1_200)];
  t.deepEqual(findBalanceGaps(begin), []);
});

test('an SMS without a balance interrupts the check, which starts again with the next SMS', (t) => {
  const links = [link('a', 0, 0, 500), link('b', 1, null, null), link('c', 2, 900, 950)];
  t.deepEqual(findBalanceGaps(links), []);
  t.deepEqual(findBalanceGaps([...links, link('d', 3, 990, 995)]), [
    { id: 'd', beforeId: 'c', missingPaisa: 40 },
  ]);
});

test('a minute with one SMS without a balance restarts the chain, whatever else is in it', (t) => {
  const chains = fc.array(minute, { maxLength: 4 }).map((moves) => chainOf(moves, 10_000));
  const known = fc.array(fc.tuple(fc.nat(900), fc.nat(900)), { maxLength: 3 });
  fc.assert(
    fc.property(chains, chains, known, (before, after, told) => {
      const doubtful = told.map(([from, to], index) => link(`d${index}`, 50, from, to));
      const later = after.map((one) => ({ ...one, id: `later ${one.id}`, minute: 100 + one.minute }));
      const all = [...later, ...before, ...doubtful, link('d', 50, null, null)];
      t.deepEqual(findBalanceGaps(all), []);
    }),
  );
  // The second of the two chains begins at a balance that the first one does not end at.
  const gap = { id: 'b', beforeId: 'a', missingPaisa: 100 };
  const first = [link('a', 0, 0, 500), link('b', 1, 600, 700)];
  const second = [link('y', 60, 10, 20), link('z', 61, 120, 130)];
  const between = [link('c', 50, 900, 950), link('d', 50, null, null)];
  t.deepEqual(findBalanceGaps([...first, ...between, ...second]), [
    gap,
    { id: 'z', beforeId: 'y', missingPaisa: 100 },
  ]);
});

test('a difference that an unprinted fee or commission may explain is not a gap', (t) => {
  const paid = { ...link('b', 1, 400, 300), feeUpTo: 3, commissionUpTo: 0 };
  t.deepEqual(findBalanceGaps([link('a', 0, 0, 402), paid]), []);
  t.deepEqual(findBalanceGaps([link('a', 0, 0, 403), paid]), [], 'all of it is the most that it may cost');
  t.deepEqual(findBalanceGaps([link('a', 0, 0, 404), paid]), [{ id: 'b', beforeId: 'a', missingPaisa: -4 }]);
  t.deepEqual(findBalanceGaps([link('a', 0, 0, 399), paid]), [{ id: 'b', beforeId: 'a', missingPaisa: 1 }]);
  // Which of a minute came first is not known, so that what is missing may have been before either.
  t.deepEqual(findBalanceGaps([link('a', 0, 0, 900), paid, link('c', 1, 300, 350)]), []);
  const other = findBalanceGaps([link('a', 0, 0, 400), paid, link('c', 1, 800, 850)]);
  t.deepEqual(other, [{ id: 'c', beforeId: 'b', missingPaisa: 500 }]);
  const earned = { ...link('b', 1, 400, 500), feeUpTo: 0, commissionUpTo: 2 };
  t.deepEqual(findBalanceGaps([link('a', 0, 0, 398), earned]), []);
  t.is(findBalanceGaps([link('a', 0, 0, 397), earned]).length, 1);
  t.deepEqual(findBalanceGaps([link('a', 0, 0, 900), earned, link('c', 1, 500, 350)]), []);
  t.is(findBalanceGaps([link('a', 0, 0, 401), earned]).length, 1);
});

test('nothing, one SMS, and a minute full of nonsense', (t) => {
  t.deepEqual(findBalanceGaps([]), []);
  t.deepEqual(findBalanceGaps([link('a', 0, 0, 500)]), []);
  const nonsense = Array.from({ length: 61 }, (_none, index) =>
    link(`n${index}`, 1, index * 1_000, index * 1_000 + 500),
  );
  t.is(findBalanceGaps([link('a', 0, 1, 2), ...nonsense.slice(1)]).length, 60);
  // One more than can be judged without keeping everybody waiting.
  t.deepEqual(findBalanceGaps([link('a', 0, 1, 2), ...nonsense]), []);
});
