/** Which of several numbers of one wallet a new payment shows. */
import test from 'ava';
import fc from 'fast-check';
import { dhakaIso } from '../../../src/base/values/clock.js';
import {
  type Candidate,
  chooseAccount,
  groupNumbers,
  nearlyUsedLimits,
} from '../../../src/domain/accounts/choose-account.js';

const taka = (amount: number) => amount * 100;

const number = (id: string, change: Partial<Candidate> = {}): Candidate => ({
  ...{ id, dayLimitPaisa: null, monthLimitPaisa: null, todayPaisa: 0, monthPaisa: 0 },
  ...{ openPaisa: 0, openPayments: 0, isOnline: true, balancePaisa: null },
  ...change,
});

const limited = (id: string, used: number, change: Partial<Candidate> = {}) =>
  number(id, { dayLimitPaisa: taka(1_000), todayPaisa: taka(used), ...change });

/** Two numbers, of which `b` is chosen for 500 taka. */
const CASES: readonly (readonly [why: string, a: Candidate, b: Candidate])[] = [
  ['it stays within its day limit', limited('a', 501), limited('b', 500, { isOnline: false })],
  [
    'it stays within its month limit',
    number('a', { monthLimitPaisa: taka(1_000), monthPaisa: taka(600) }),
    number('b', { monthLimitPaisa: taka(1_000), monthPaisa: taka(400), isOnline: false }),
  ],
  [
    'open payments of the other count as if their money had come',
    limited('a', 0, { openPaisa: taka(501) }),
    limited('b', 400, { isOnline: false }),
  ],
  ['its phone is online', limited('a', 0, { isOnline: false }), limited('b', 400)],
  ['less of its limit is used', limited('a', 300), limited('b', 200)],
  [
    'a smaller share of its limit is used',
    number('a', { monthLimitPaisa: taka(2_000), monthPaisa: taka(1_000) }),
    number('b', { monthLimitPaisa: taka(20_000), monthPaisa: taka(5_000) }),
  ],
  ['its balance is lower', number('a', { balancePaisa: 2 }), number('b', { balancePaisa: 1 })],
  ['fewer open payments show it', number('a', { openPayments: 2 }), number('b', { openPayments: 1 })],
  ['none has room, and it has the most', limited('a', 900), limited('b', 600, { isOnline: false })],
];
for (const [why, a, b] of CASES) {
  test(`a number is shown because ${why}`, (t) => {
    t.is(chooseAccount([a, b], taka(500)).id, 'b');
    t.is(chooseAccount([b, a], taka(500)).id, 'b');
  });
}

test('of equal numbers the same is always shown', (t) => {
  t.is(chooseAccount([number('b'), number('a')], taka(500)).id, 'a');
});

test('above all limits it is said how much room the shown number has', (t) => {
  t.deepEqual(chooseAccount([limited('a', 900), limited('b', 600)], taka(500)), {
    ...{ id: 'b', isWithin: false, roomPaisa: taka(400) },
  });
  t.true(chooseAccount([limited('a', 500)], taka(500)).isWithin);
});

test('a limit is named from 90% on', (t) => {
  const limits = { dayLimitPaisa: taka(1_000), monthLimitPaisa: taka(2_000) };
  const used = (todayPaisa: number, monthPaisa: number) =>
    nearlyUsedLimits({ ...limits, todayPaisa, monthPaisa }).map(({ period }) => period);
  t.deepEqual(used(taka(900), taka(1_799)), ['day']);
  t.deepEqual(used(taka(900) - 1, taka(1_800)), ['month']);
});

test('numbers are grouped by channel and type', (t) => {
  const [one, two] = [
    { channel: 'mfs_a', type: 'personal', at: 1 },
    { channel: 'mfs_a', type: 'agent', at: 2 },
  ];
  t.deepEqual(groupNumbers([one, two, one]), [[one, one], [two]]);
});

const HOUR = 3_600_000;
const START = Date.parse('2026-08-01T00:00:00+06:00');
const LARGEST = taka(5_000);

interface Shown {
  readonly id: string;
  readonly paisa: number;
  readonly paidAt: number;
}

/** A month of payments, each paid to the shown number within its hour. @returns the payments, by number. */
function liveMonth(
  numbers: readonly (readonly [dayLimit: number, monthLimit: number])[],
  orders: readonly { readonly at: number; readonly paisa: number; readonly delay: number }[],
) {
  const shown: Shown[] = [];
  const sumOf = (id: string, isCounted: (one: Shown) => boolean) =>
    shown.filter((one) => one.id === id && isCounted(one)).reduce((sum, { paisa }) => sum + paisa, 0);
  for (const { at, paisa, delay } of orders) {
    const today = dhakaIso(at).slice(0, 10);
    const candidates = numbers.map(([dayLimitPaisa, monthLimitPaisa], index) => {
      const id = String(index);
      return number(id, {
        ...{ dayLimitPaisa, monthLimitPaisa },
        todayPaisa: sumOf(id, ({ paidAt }) => paidAt <= at && dhakaIso(paidAt).startsWith(today)),
        monthPaisa: sumOf(id, ({ paidAt }) => paidAt <= at),
        openPaisa: sumOf(id, ({ paidAt }) => paidAt > at),
      });
    });
    const { id, isWithin } = chooseAccount(candidates, paisa);
    if (!isWithin) return { shown, refusedAt: at };
    shown.push({ id, paisa, paidAt: at + delay });
  }
  return { shown, refusedAt: null };
}

test('in a month whose payments fit, no number goes above its limits, and all are shown', (t) => {
  const months = fc.record({
    days: fc.array(fc.integer({ min: taka(15_000), max: taka(50_000) }), { minLength: 2, maxLength: 4 }),
    orders: fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 29 * 24 * HOUR }),
        paisa: fc.integer({ min: taka(10), max: LARGEST }),
        delay: fc.integer({ min: 0, max: HOUR }),
      }),
      { minLength: 50, maxLength: 250 },
    ),
  });
  fc.assert(
    fc.property(months, ({ days, orders }) => {
      // Half of what the numbers take together, less what each may be unable to take of one payment.
      const capacity = days.reduce((sum, day) => sum + day, 0) / 2 - LARGEST;
      const perDay = new Map<string, number>();
      const wanted = orders
        .map((order) => ({ ...order, at: START + order.at }))
        .sort((one, other) => one.at - other.at)
        .filter(({ at, paisa, delay }) => {
          const day = dhakaIso(at + delay).slice(0, 10);
          const sum = (perDay.get(day) ?? 0) + paisa;
          if (sum <= capacity) perDay.set(day, sum);
          return sum <= capacity;
        });
      const limits = days.map((day) => [day, day * 15] as const);
      const { shown, refusedAt } = liveMonth(limits, wanted);
      t.is(refusedAt, null);
      for (const [index, [dayLimit, monthLimit]] of limits.entries()) {
        const own = shown.filter(({ id }) => id === String(index));
        const byDay = new Map<string, number>();
        for (const { paidAt, paisa } of own) {
          const day = dhakaIso(paidAt).slice(0, 10);
          byDay.set(day, (byDay.get(day) ?? 0) + paisa);
        }
        t.true([...byDay.values()].every((sum) => sum <= dayLimit));
        t.true(own.reduce((sum, { paisa }) => sum + paisa, 0) <= monthLimit);
      }
    }),
    { numRuns: 40 },
  );
});
