/** When the money of a push moved, as far as the bank told, and what the digits of a number prove by then. */
import test from 'ava';
import { isEarly, judgeDigits, movedBetween } from '../../../src/domain/matching/matching-push.js';
import { parseShownPayer } from '../../../src/domain/matching/payer.js';

const MINUTE = 60_000;
const CLOCKS = 3_000;
const shown = (payer: string) => parseShownPayer(payer);

test('money moved within the second or minute given by the bank, and before its push', (t) => {
  const at = 1_000 * MINUTE;
  t.deepEqual(movedBetween(null, at), { from: null, until: at });
  t.deepEqual(movedBetween(at + 1, at), { from: null, until: at }, 'its clock is ahead');
  t.deepEqual(movedBetween(at, at), { from: at, until: at });
  t.deepEqual(movedBetween(at, at + 9 * MINUTE), { from: at, until: at + MINUTE + CLOCKS });
  t.deepEqual(movedBetween(at + 1_000, at + 9 * MINUTE), { from: at + 1_000, until: at + 2_000 + CLOCKS });
  t.deepEqual(movedBetween(at + 1_000, at + 2_500), { from: at + 1_000, until: at + 2_500 });
});

const moved = { from: 100_000, until: 104_000 };
const push = (payer: string | null) => ({ payer: payer === null ? null : shown(payer), moved });
const claim = (typed: string, claimedAt: number, openedAt = 0) => ({ typed, claimedAt, openedAt });
const alone = { typed: [], free: [], now: 200_000 };

test('four digits prove nothing three seconds before the money moved, a whole number always', (t) => {
  const paid = push('01712345678');
  for (const [typed, claimedAt, early] of [
    ['5678', 96_999, true],
    ['5678', 97_000, false],
    ['01712345678', 0, false],
  ] as const) {
    t.is(isEarly(claim(typed, claimedAt), paid), early, `${typed} at ${claimedAt}`);
    t.is(judgeDigits(claim(typed, claimedAt), paid, alone), early ? 'early' : 'believed');
  }
  t.is(judgeDigits(claim('5678', 110_000, 104_000), paid, alone), 'believed');
  t.is(judgeDigits(claim('5678', 110_000, 104_001), paid, alone), 'younger');
  t.is(judgeDigits(claim('5678', 0, 999_999), push(null), alone), 'believed', 'nothing is compared');
});

test('a guess is another number of as many digits that no free push explains', (t) => {
  const paid = push('01712345678');
  const judge = (typed: string, free: readonly (string | null)[] = []) =>
    judgeDigits(claim('5678', 110_000), paid, {
      typed: [{ typed, claimedAt: 105_000 }],
      free: free.map(push),
      now: 200_000,
    });
  t.is(judge('1000'), 'crowded');
  t.is(judge('5678'), 'believed');
  t.is(judge('01900001000'), 'believed', 'a whole number is compared in more digits');
  t.is(judge('1000', ['01900001000']), 'believed');
  t.is(judge('1000', [null, '01900001001']), 'crowded');
  const since = (claimedAt: number) =>
    judgeDigits(claim('5678', 110_000), paid, { ...alone, typed: [{ typed: '1000', claimedAt }] });
  t.is(since(97_000), 'crowded');
  t.is(since(96_999), 'believed', 'before the money moved nobody guessed at it');
});
