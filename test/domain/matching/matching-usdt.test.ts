/** Which USDT pays which session: to the unit, for its owner, in its time. */
import test from 'ava';
import fc from 'fast-check';
import { toBaseUnits } from '../../../src/base/values/usdt.js';
import {
  type CompetingSessions,
  matchUsdt,
  NO_COMPETITORS,
  type UsdtDue,
  type UsdtRule,
} from '../../../src/domain/matching/matching-usdt.js';

const CREATED = 1_780_000_000_000;
const due: UsdtDue = { quoted: 41_667, paisa: 50_000, created_at: CREATED };
const quoted = toBaseUnits(41_667);
const chain: UsdtRule = { earlierMs: 120_000, shortUnits: 0n, overPercent: 2, isPublic: true, isHeld: true };
const exchange: UsdtRule = {
  earlierMs: null,
  shortUnits: toBaseUnits(5),
  overPercent: 2,
  isPublic: false,
  isHeld: false,
};
const nobody = NO_COMPETITORS;
const holding = (...amounts: bigint[]): CompetingSessions => ({ ...NO_COMPETITORS, exact: new Set(amounts) });

const paid = (...amounts: bigint[]) => ({ amounts, at: CREATED });
const credit = { outcome: 'credit', paisa: 50_000 } as const;
const disagree = (about: string) => ({ outcome: 'disagree', about });

test('the quoted amount pays, one unit less does not', (t) => {
  t.deepEqual(matchUsdt(paid(quoted), due, nobody, chain), credit);
  t.deepEqual(matchUsdt(paid(quoted - 1n), due, nobody, chain), disagree('amount'));
  t.deepEqual(matchUsdt(paid(quoted / 10n ** 12n), due, nobody, chain), disagree('amount'), 'six decimals');
});

test('up to two per cent more is credited, anything above needs manual review', (t) => {
  const most = (quoted * 102n) / 100n;
  t.deepEqual(matchUsdt(paid(most), due, nobody, chain), credit);
  t.deepEqual(matchUsdt(paid(most + 1n), due, nobody, chain), { outcome: 'review', reason: 'overpaid' });
});

test('the rounding of an exchange may be missing there, but not on the chain', (t) => {
  const short = quoted - toBaseUnits(5);
  t.deepEqual(matchUsdt(paid(short), due, nobody, exchange), credit);
  t.deepEqual(matchUsdt(paid(short - 1n), due, nobody, exchange), disagree('amount'));
});

test('a transfer may be as old as its rule allows and not a millisecond older', (t) => {
  const own = { ...chain, isPublic: false };
  const at = CREATED - 120_000;
  t.deepEqual(matchUsdt({ amounts: [quoted], at }, due, nobody, own), credit);
  t.deepEqual(matchUsdt({ amounts: [quoted], at: at - 1 }, due, nobody, own), disagree('time'));
  t.deepEqual(matchUsdt({ amounts: [quoted], at: at - 1 }, due, nobody, exchange), credit);
});

test('with amounts that are not unique, an id that strangers can name needs review if it would pay', (t) => {
  const guessed = { ...exchange, isPublic: true };
  const contested = { outcome: 'review', reason: 'contested' };
  t.deepEqual<unknown, unknown>(matchUsdt(paid(quoted), due, nobody, guessed), contested);
  t.deepEqual(matchUsdt(paid(1n), due, nobody, guessed), disagree('amount'));
});

test('an amount equal to that of another session to the unit belongs only to that session', (t) => {
  const theirs = toBaseUnits(41_700);
  t.deepEqual(matchUsdt(paid(theirs), due, holding(theirs), chain), disagree('other_payment'));
  t.deepEqual(matchUsdt(paid(theirs), due, nobody, chain), credit, 'while nobody asks for it');
  t.deepEqual(matchUsdt(paid(quoted), due, holding(quoted), chain), credit, 'its own amount is its own');
});

test('of several transfers in one transaction the exact one pays, else what is left to nobody', (t) => {
  const other = toBaseUnits(90_000);
  t.deepEqual(matchUsdt(paid(other, quoted), due, holding(other), chain), credit);
  t.deepEqual(matchUsdt(paid(other, quoted - 1n), due, holding(other), chain), disagree('amount'));
  t.deepEqual(matchUsdt(paid(quoted - 1n, 1n), due, nobody, chain), credit, 'two that make it up');
  const sum = toBaseUnits(20_000);
  const split = paid(sum / 2n + quoted, sum / 2n);
  t.deepEqual(matchUsdt(split, due, holding(quoted + sum), chain), disagree('other_payment'));
});

const contested = { outcome: 'review', reason: 'contested' } as const;

test('an inexact amount could be meant for any open session and needs manual review', (t) => {
  const others: CompetingSessions = { ...NO_COMPETITORS, isAny: true };
  t.deepEqual(matchUsdt(paid(quoted + 1n), due, others, chain), contested);
  t.deepEqual(matchUsdt(paid(quoted), due, others, chain), credit, 'but not the very amount');
  t.deepEqual(matchUsdt(paid(quoted + 1n), due, nobody, chain), credit, 'nor where nobody else is open');
});

test('a session that was opened after the transfer was opened for what somebody has seen', (t) => {
  const early = { amounts: [quoted], at: CREATED - 3_000 };
  t.deepEqual(matchUsdt(early, due, nobody, chain), contested);
  t.deepEqual(matchUsdt({ ...early, at: CREATED - 2_999 }, due, nobody, chain), credit, 'clocks differ');
  t.deepEqual(
    matchUsdt(early, due, nobody, exchange),
    credit,
    'ids of an exchange are known to the payer alone',
  );
});

test('money under review for another session is never credited automatically', (t) => {
  t.deepEqual(matchUsdt(paid(quoted), due, { ...NO_COMPETITORS, isAsked: true }, chain), contested);
});

test('nobody is ever credited with another one’s exact amount, whatever else is in the transaction', (t) => {
  const amount = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 4 }), fc.array(amount), (sent, held) => {
      const others = new Set(held.filter((steps) => steps !== due.quoted).map(toBaseUnits));
      const amounts = sent.map(toBaseUnits);
      const match = matchUsdt({ amounts, at: CREATED }, due, { ...NO_COMPETITORS, exact: others }, chain);
      const free = amounts.filter((units) => !others.has(units));
      const left = free.reduce((sum, units) => sum + units, 0n);
      return match.outcome !== 'credit' || amounts.includes(quoted) || left >= quoted;
    }),
  );
  t.pass();
});
