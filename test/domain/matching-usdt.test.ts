/** Which USDT pays which session: to the unit, for its owner, in its time. */
import test from 'ava';
import fc from 'fast-check';
import { unitsOf } from '../../src/base/usdt.js';
import {
  matchUsdt,
  NO_RIVALS,
  type Rivals,
  type UsdtDue,
  type UsdtRule,
} from '../../src/domain/matching-usdt.js';

const CREATED = 1_780_000_000_000;
const due: UsdtDue = { quoted: 41_667, paisa: 50_000, created_at: CREATED };
const quoted = unitsOf(41_667);
const chain: UsdtRule = { earlierMs: 120_000, shortUnits: 0n, overPercent: 2 };
const exchange: UsdtRule = { ...chain, earlierMs: 300_000, shortUnits: unitsOf(5) };
const nobody = NO_RIVALS;
const holding = (...amounts: bigint[]): Rivals => ({ ...NO_RIVALS, exact: new Set(amounts) });

const paid = (...amounts: bigint[]) => ({ amounts, at: CREATED });
const credit = { outcome: 'credit', paisa: 50_000 } as const;
const disagree = (about: string) => ({ outcome: 'disagree', about });

test('the quoted amount pays, one unit less does not', (t) => {
  t.deepEqual(matchUsdt(paid(quoted), due, nobody, chain), credit);
  t.deepEqual(matchUsdt(paid(quoted - 1n), due, nobody, chain), disagree('amount'));
  t.deepEqual(matchUsdt(paid(quoted / 10n ** 12n), due, nobody, chain), disagree('amount'), 'six decimals');
});

test('up to two per cent more pays, what is above goes before a person', (t) => {
  const most = (quoted * 102n) / 100n;
  t.deepEqual(matchUsdt(paid(most), due, nobody, chain), credit);
  t.deepEqual(matchUsdt(paid(most + 1n), due, nobody, chain), { outcome: 'review', reason: 'overpaid' });
});

test('what an exchange rounds away may be missing there, and not on the chain', (t) => {
  const short = quoted - unitsOf(5);
  t.deepEqual(matchUsdt(paid(short), due, nobody, exchange), credit);
  t.deepEqual(matchUsdt(paid(short - 1n), due, nobody, exchange), disagree('amount'));
});

test('money that moved before the session is older than it allows', (t) => {
  const at = CREATED - 120_000;
  t.deepEqual(matchUsdt({ amounts: [quoted], at }, due, nobody, chain), credit);
  t.deepEqual(matchUsdt({ amounts: [quoted], at: at - 1 }, due, nobody, chain), disagree('time'));
});

test('what equals the amount of another session to the unit is that one’s alone', (t) => {
  const theirs = unitsOf(41_700);
  t.deepEqual(matchUsdt(paid(theirs), due, holding(theirs), chain), disagree('other_payment'));
  t.deepEqual(matchUsdt(paid(theirs), due, nobody, chain), credit, 'while nobody asks for it');
});

test('of several transfers in one transaction the exact one pays, else what is left to nobody', (t) => {
  const other = unitsOf(90_000);
  t.deepEqual(matchUsdt(paid(other, quoted), due, holding(other), chain), credit);
  t.deepEqual(matchUsdt(paid(other, quoted - 1n), due, holding(other), chain), disagree('amount'));
  t.deepEqual(matchUsdt(paid(quoted - 1n, 1n), due, nobody, chain), credit, 'two that make it up');
  const sum = unitsOf(20_000);
  const split = paid(sum / 2n + quoted, sum / 2n);
  t.deepEqual(matchUsdt(split, due, holding(quoted + sum), chain), disagree('other_payment'));
});

test('what came close to the amount of another session is decided by a person', (t) => {
  const near: Rivals = { ...NO_RIVALS, isNear: true, isAny: true };
  const contested = { outcome: 'review', reason: 'contested' } as const;
  t.deepEqual(matchUsdt(paid(quoted + 1n), due, near, chain), contested);
  t.deepEqual(matchUsdt(paid(quoted), due, near, chain), credit, 'but not the very amount');
});

test('a session that was opened after the transfer is not believed while others are open', (t) => {
  const others: Rivals = { ...NO_RIVALS, isAny: true };
  const early = { amounts: [quoted], at: CREATED - 1_000 };
  t.deepEqual(matchUsdt(early, due, others, chain), { outcome: 'review', reason: 'contested' });
  t.deepEqual(matchUsdt(early, due, nobody, chain), credit);
  const sameSecond = { amounts: [quoted], at: CREATED - 999 };
  t.deepEqual(matchUsdt(sameSecond, due, others, chain), credit, 'a block tells whole seconds');
});

test('nobody is ever credited with another one’s exact amount, whatever else is in the transaction', (t) => {
  const amount = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 4 }), fc.array(amount), (sent, held) => {
      const others = new Set(held.filter((steps) => steps !== due.quoted).map(unitsOf));
      const amounts = sent.map(unitsOf);
      const match = matchUsdt({ amounts, at: CREATED }, due, { ...NO_RIVALS, exact: others }, chain);
      const free = amounts.filter((units) => !others.has(units));
      const left = free.reduce((sum, units) => sum + units, 0n);
      return match.outcome !== 'credit' || amounts.includes(quoted) || left >= quoted;
    }),
  );
  t.pass();
});
