/** Ids that strangers can guess: what is believed, and that guessing never pays. */
import test from 'ava';
import fc from 'fast-check';
import { ulidTime } from '../../../src/domain/matching/reference.js';
import {
  GUESS_WINDOW_MS,
  type Guess,
  isGuessable,
  isGuessableOrder,
  judgeWeakId,
  type WeakClaim,
  weakDigits,
  weakWalletIds,
} from '../../../src/domain/matching/weak-ids.js';

const NOW = Date.UTC(2026, 7, 21, 6, 35);
const ROCKET = { kind: 'counter', base: 10, perSecond: 41, latest: { ms: 0, value: 0 } } as const;
const rocketId = (n: number) => String(6_868_000_000 + n);

const claim = (change: Partial<WeakClaim> = {}): WeakClaim => ({
  kind: ROCKET,
  reference: rocketId(0),
  guesser: 'payer',
  claimedAt: NOW,
  openedAt: NOW - 60_000,
  money: { from: NOW - 8_000, until: NOW },
  guesses: [],
  ...change,
});
/** Each by somebody else. */
const guess = (reference: string, claimedAt: number, guesser = `somebody ${reference}`): Guess => ({
  ...{ reference, claimedAt, guesser },
});
const guesses = (count: number, at = NOW, first = -100): Guess[] =>
  Array.from({ length: count }, (_, n) => guess(rocketId(first - n), at));
const judge = (change: Partial<WeakClaim>, now = NOW) => judgeWeakId(claim(change), now);

test('which ids are weak is known of every wallet, and a whole number that is shown is not', (t) => {
  t.is(weakWalletIds('mfs_a'), null);
  for (const channel of ['mfs_b', 'mfs_c', 'mfs_d'] as const) t.not(weakWalletIds(channel), null, channel);
  t.is(weakWalletIds('bep20'), null);
  t.is(weakDigits(8, true), null);
  t.deepEqual(weakDigits(7, true), { kind: 'digits', count: 7, isWhole: true });
  t.deepEqual(weakDigits(4, false), { kind: 'digits', count: 4, isWhole: false });
});

test('guesses are counted where customers claim by a number, or by ids that can be guessed', (t) => {
  for (const channel of ['mfs_b', 'mfs_c', 'mfs_d', 'qr_interbank'] as const)
    t.true(isGuessable(channel), channel);
  for (const channel of ['mfs_a', 'bep20', 'exchange_pay', 'bank'] as const)
    t.false(isGuessable(channel), channel);
});

test('a claim a moment before its SMS is believed; one before the money moved is not', (t) => {
  t.is(judge({}), 'believed');
  t.is(judge({ claimedAt: NOW - 11_000 }), 'believed', 'clocks differ by three seconds');
  t.is(judge({ claimedAt: NOW - 11_001 }), 'early');
  t.is(judge({ claimedAt: 0, money: { from: null, until: NOW } }), 'believed', 'nobody told when it moved');
});

test('an Upay id contains its own millisecond, whatever minute its text gives', (t) => {
  const reference = '01KGGM5VJG';
  const at = ulidTime(reference);
  const upay = {
    kind: { kind: 'time' },
    reference,
    money: { from: at - 50_000, until: at + 9_000 },
  } as const;
  t.is(judgeWeakId(claim({ ...upay, claimedAt: at + 5_000 }), at + 9_000), 'believed');
  t.is(judgeWeakId(claim({ ...upay, claimedAt: at - 3_001 }), at + 9_000), 'early');
});

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const upayId = (ms: number) =>
  Array.from({ length: 10 }, (_, at) => CROCKFORD[Math.floor(ms / 32 ** (9 - at)) % 32]).join('');

test('of Upay ids one in 10,000 of an hour may be guessed, which are 360, and not those of a later moment', (t) => {
  const kind = { kind: 'time' } as const;
  const money = { from: null, until: NOW };
  const judged = (guessed: readonly Guess[]) =>
    judge({ kind, reference: upayId(NOW - 8_000), money, guesses: guessed });
  const vain = (count: number, at: number, idAt: number): Guess[] =>
    Array.from({ length: count }, (_, n) => guess(upayId(idAt - n), at));
  const before = NOW - 600_000;
  t.is(judged(vain(359, before, before)), 'believed');
  t.is(judged(vain(360, before, before)), 'crowded');
  t.is(judged(vain(900, before, before + 60_000)), 'believed', 'none of them had been given out');
  t.is(judged(vain(3, NOW, NOW)), 'believed');
  t.is(judged(vain(4, NOW, NOW)), 'crowded', 'at the moment of the money a few are enough');
});

test('if it is unknown when the money moved, a few guesses within the hour raise doubt', (t) => {
  const money = { from: null, until: NOW };
  t.is(judge({ money, guesses: guesses(3, NOW - 600_000) }), 'believed');
  t.is(judge({ money, guesses: guesses(4, NOW - 600_000) }), 'crowded');
});

test('a few ids near it are mistakes, more are guesses; ids explained by their money do not count', (t) => {
  t.is(judge({ guesses: guesses(3) }), 'believed');
  t.is(judge({ guesses: guesses(4) }), 'crowded');
  t.is(judge({ guesses: [...guesses(3), ...guesses(3)] }), 'believed', 'the same three again');
  t.is(judge({ guesses: guesses(3).concat(guess(rocketId(0), NOW)) }), 'believed', 'its own');
});

test('slow guessing shows over an hour: of the ids of that hour at most one in 10,000 is believed', (t) => {
  const before = NOW - 600_000;
  const ago = -30_000;
  t.is(judge({ guesses: guesses(13, before, ago) }), 'believed');
  t.is(judge({ guesses: guesses(14, before, ago) }), 'crowded', '41 a second are 147,600 an hour');
  t.is(judge({ guesses: guesses(50, NOW - GUESS_WINDOW_MS - 5_000, -999_000) }), 'believed');
});

test('ids that were claimed before they were given out do not speak against those who claim what they paid', (t) => {
  t.is(judge({ guesses: guesses(90, NOW - 60_000, 500) }), 'believed');
  t.is(judge({ guesses: guesses(90, NOW - 60_000, 45) }), 'believed', 'none of them was given out by then');
  t.is(judge({ guesses: guesses(90, NOW - 60_000, -600) }), 'crowded', 'these may have been');
  t.is(judge({ guesses: guesses(90, NOW, 500) }), 'crowded', 'these may mean this very money');
});

test('at its slowest a counter rises by 8.2 ids in a second, which says what was given out by then', (t) => {
  // The money moved 8 s ago; 82 to 95 ids before its own were given out 10.0 to 11.6 s earlier at most.
  t.is(judge({ guesses: guesses(14, NOW - 8_000 - 11_586 - 3_000, -82) }), 'believed');
  t.is(judge({ guesses: guesses(14, NOW - 8_000 - 10_000 - 3_000, -82) }), 'crowded');
});

test('four digits are evidence for one guess, and for no session that is younger than the money', (t) => {
  const digits = { kind: { kind: 'digits', count: 4, isWhole: false }, reference: '5678' } as const;
  t.is(judge(digits), 'believed');
  t.is(judge({ ...digits, guesses: [guess('1234', NOW)] }), 'crowded');
  t.is(judge({ ...digits, guesses: [guess('1234', NOW - 11_000)] }), 'crowded');
  t.is(judge({ ...digits, guesses: [guess('1234', NOW - 11_001)] }), 'believed');
  t.is(judge({ ...digits, openedAt: NOW }), 'believed');
  t.is(judge({ ...digits, openedAt: NOW + 1 }), 'younger');
  const whole = { kind: 'digits', count: 7, isWhole: true } as const;
  t.is(judge({ ...digits, kind: whole, openedAt: NOW + 1 }), 'believed', 'the whole number was typed');
  t.is(
    judge({ ...digits, kind: { kind: 'digits', count: 3, isWhole: true } }),
    'crowded',
    'one in a thousand',
  );
});

test('an order at an exchange that goes by its shop’s number is anybody’s, unless we gave that number', (t) => {
  const session = { id: 'ab', gateway_reference: 'GW1' };
  const order = { typed: '1001', numbers: ['1001'], session, isAnothers: false };
  t.true(isGuessableOrder(order));
  t.false(isGuessableOrder({ ...order, typed: 'PREPAY77' }));
  t.true(isGuessableOrder({ ...order, typed: 'PREPAY77', isAnothers: true }));
  t.false(isGuessableOrder({ ...order, typed: 'GW1', numbers: ['GW1'] }));
  t.false(isGuessableOrder({ ...order, typed: 'AB', numbers: ['AB'], isAnothers: true }));
  t.false(isGuessableOrder({ ...order, typed: '1001', numbers: ['1001', 'GW1'] }), 'one of them is ours');
});

test('one guesser cannot send the claim of another to review, however many ids are tried', (t) => {
  const ofOne = (count: number, at: number) =>
    guesses(count, at, -30_000).map((made) => ({ ...made, guesser: 'one' }));
  t.is(judge({ guesses: ofOne(16, NOW - 600_000) }), 'believed', 'over the hour');
  t.is(judge({ guesses: ofOne(500, NOW) }), 'believed', 'at the moment of the money');
  t.is(judge({ guesses: [...ofOne(500, NOW), ...guesses(1)] }), 'crowded', 'and others are claimed, too');
  t.is(judge({ guesser: 'one', guesses: ofOne(2, NOW) }), 'believed', 'two typing errors');
  t.is(judge({ guesser: 'one', guesses: ofOne(3, NOW) }), 'crowded', 'its own guesses all count');
});

test('at most 14 ids of an hour are believed, for any guesser, id, time and place', (t) => {
  const attempt = fc.record({
    after: fc.integer({ min: 0, max: 400_000 }),
    id: fc.integer({ min: -5_000, max: 5_000 }),
    guesser: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(attempt, { minLength: 1, maxLength: 120 }), (attempts) => {
      let at = NOW;
      const made: Guess[] = [];
      for (const { after, id, guesser } of attempts) {
        at += after;
        const reference = rocketId(id);
        if (made.some((known) => known.reference === reference)) continue;
        made.push(guess(reference, at, `guesser ${guesser}`));
      }
      // As if the money of every one of them had moved just before it was claimed.
      const believed = made.filter(({ reference, guesser, claimedAt }) => {
        const known = made.filter((other) => other.claimedAt <= claimedAt);
        const money = { from: claimedAt - 5_000, until: claimedAt };
        return judge({ reference, guesser, claimedAt, money, guesses: known }, claimedAt) === 'believed';
      });
      for (const { claimedAt } of believed) {
        const inHour = believed.filter(
          (other) => other.claimedAt <= claimedAt && other.claimedAt > claimedAt - GUESS_WINDOW_MS,
        );
        t.true(inHour.length <= 14);
      }
    }),
    { numRuns: 300 },
  );
});
