/** A wallet's books of a day: to the paisa, whatever order SMS come in and whatever they leave out. */
import test from 'ava';
import fc from 'fast-check';
import type { ReadText } from '../../../src/domain/balance-gaps/balance-link.js';
import {
  UNKNOWN_WALLET,
  type WalletDay,
  type WalletState,
  walletDay,
} from '../../../src/domain/balance-gaps/wallet-day.js';

const MINUTE = 60_000;

/** An SMS of that minute in which so much came in, or went out where it is negative. */
function sms(minute: number, moved: number, balance: number | null, more: Partial<ReadText> = {}): ReadText {
  return {
    id: `s${minute}.${moved}.${balance}`,
    body: 'text',
    kind: moved < 0 ? 'outgoing' : 'received',
    credit: moved >= 0,
    amountPaisa: Math.abs(moved),
    feePaisa: 0,
    balancePaisa: balance,
    trxId: null,
    format: 'format',
    reasons: [],
    atMs: minute * MINUTE,
    ...more,
  };
}

const told = (balance: number): WalletState => ({ ...UNKNOWN_WALLET, balance });
const dayOf = (texts: readonly ReadText[], before: WalletState = told(1_000)) => walletDay(before, texts).day;
const sumOf = ({ differences }: WalletDay) => differences.reduce((sum, { paisa }) => sum + paisa, 0);
const isBalanced = (day: WalletDay) =>
  day.begin !== null && day.end === day.begin + day.inPaisa - day.outPaisa - day.feePaisa + sumOf(day);

test('a day adds up from where the day before ended, with fees apart', (t) => {
  const day = dayOf([sms(1, 500, 1_500), sms(2, -300, 1_195, { feePaisa: 5 }), sms(3, 1, 1_196)]);
  t.like(day, { texts: 3, begin: 1_000, end: 1_196, inPaisa: 501, outPaisa: 300, feePaisa: 5 });
  t.deepEqual(day.differences, []);
  t.is(day.lastMs, 3 * MINUTE);
});

test('an SMS that never came is a difference, with its amount and the SMS around it', (t) => {
  const day = dayOf([sms(1, 500, 1_500), sms(9, 100, 1_800), sms(10, 10, 1_810)]);
  t.deepEqual(day.differences, [
    { id: 's9.100.1800', paisa: 200, fromMs: MINUTE, untilMs: 9 * MINUTE, isUnclear: false },
  ]);
  t.true(isBalanced(day));
});

test('money missing overnight belongs to the day of the next SMS', (t) => {
  const first = walletDay(told(0), [sms(1, 500, 500)]);
  t.is(first.day.end, 500);
  const silent = walletDay(first.state, []);
  t.like(silent.day, { texts: 0, begin: 500, end: 500, lastMs: null });
  const next = walletDay(silent.state, [sms(3_000, 5, 405)]).day;
  t.like(next, { begin: 500, end: 405, inPaisa: 5 });
  t.like(next.differences[0], { paisa: -100, fromMs: MINUTE, untilMs: 3_000 * MINUTE });
});

test('the first SMS of a wallet gives its opening balance that day', (t) => {
  t.like(dayOf([sms(1, 500, 1_500)], UNKNOWN_WALLET), { begin: 1_000, end: 1_500, differences: [] });
  const untold = [sms(1, 200, null), sms(2, -50, null), sms(3, 500, 1_650)];
  t.like(dayOf(untold, UNKNOWN_WALLET), { begin: 1_000, end: 1_650, inPaisa: 700, outPaisa: 50 });
  t.like(dayOf([sms(1, 200, null)], UNKNOWN_WALLET), { begin: null, end: null, inPaisa: 200 });
});

test('a text without a balance counts by its amount, and the next balance confirms it', (t) => {
  const day = dayOf([sms(1, -200, null), sms(1, -30, null), sms(2, 500, 1_270)]);
  t.like(day, { inPaisa: 500, outPaisa: 230, end: 1_270, differences: [] });
});

test('a doubtful text is not counted, and what it may have moved is marked unclear', (t) => {
  const day = dayOf([sms(1, 200, null, { format: null }), sms(2, 500, 1_700)]);
  t.like(day.differences[0], { paisa: 200, isUnclear: true });
  t.is(day.inPaisa, 500);
  const later = [sms(1, 200, null, { format: null }), sms(2, 500, 1_700), sms(9, 1, 1_800)];
  t.deepEqual(
    dayOf(later).differences.map(({ paisa, isUnclear }) => [paisa, isUnclear]),
    [
      [200, true],
      [99, false],
    ],
    'what comes behind a balance is clear again',
  );
  t.deepEqual(dayOf([sms(1, 200, null, { format: null }), sms(2, 500, 1_500)]).differences, []);
});

test('a fee that is not printed is a fee, up to 2.5 per cent and no more', (t) => {
  const out = (balance: number) => dayOf([sms(1, -1_000, balance, { feePaisa: null })], told(5_000));
  t.like(out(4_000), { feePaisa: 0, differences: [] });
  t.like(out(3_981), { feePaisa: 19, differences: [] });
  t.like(out(3_974), { feePaisa: 0 });
  t.is(sumOf(out(3_974)), -26);
  const two = [sms(1, -1_000, 3_981, { feePaisa: null }), sms(1, 500, 4_481)];
  t.like(dayOf(two, told(5_000)), { feePaisa: 19, differences: [], end: 4_481 });
  const hidden = [sms(1, -1_000, 1_481, { feePaisa: null }), sms(1, 500, 1_981)];
  t.is(sumOf(dayOf(hidden, told(5_000))), -2_519, 'a large one is not taken for a fee beside others');
});

test('money that is taken back, reserved or charged counts as the balance shows it', (t) => {
  t.like(dayOf([sms(1, 500, 1_490, { feePaisa: 10 })]), { inPaisa: 500, feePaisa: 10, differences: [] });
  t.like(dayOf([sms(1, 500, 1_500, { feePaisa: 10 })]), { inPaisa: 500, feePaisa: 0, differences: [] });
  const pending = { kind: 'pending', credit: false };
  t.like(dayOf([sms(1, 300, 700, pending)]), { outPaisa: 300, inPaisa: 0, differences: [] });
  t.like(dayOf([sms(1, 300, 1_000, pending)]), { outPaisa: 0, inPaisa: 0, differences: [] });
  t.like(dayOf([sms(1, 300, 650, pending)]).differences[0], { paisa: -350, isUnclear: true });
});

test('a transaction that is reported again on the next day is counted once', (t) => {
  const one = sms(1, 500, 1_500, { trxId: 'A' });
  const { state } = walletDay(told(1_000), [one]);
  t.like(walletDay(state, [{ ...one, id: 'again', atMs: 1_500 * MINUTE }]).day, { texts: 0, inPaisa: 0 });
});

test('offers and codes are not entered in the books', (t) => {
  const day = dayOf([sms(1, 500, null, { kind: 'promo' }), sms(2, 0, 7, { kind: 'balance', credit: false })]);
  t.like(day, { texts: 0, begin: 1_000, end: 1_000 });
});

const moves = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -900, max: 900 })), {
  minLength: 2,
  maxLength: 20,
});

test('of all chains each day balances, and one SMS that is missing is the whole difference', (t) => {
  fc.assert(
    fc.property(moves, fc.nat(), (steps, at) => {
      let [minute, balance] = [0, 100_000];
      const texts = steps.map(([later, moved], index) => {
        minute += later;
        balance += moved;
        return sms(minute, moved, balance, { id: `s${index}` });
      });
      const whole = dayOf(texts, told(100_000));
      const gone = at % (texts.length - 1);
      const rest = dayOf(
        texts.filter((_, index) => index !== gone),
        told(100_000),
      );
      const isLast = balance === rest.end;
      return (
        isBalanced(whole) &&
        whole.differences.length === 0 &&
        isBalanced(rest) &&
        (!isLast || sumOf(rest) === steps[gone]?.[1])
      );
    }),
    { numRuns: 500 },
  );
  t.pass();
});
