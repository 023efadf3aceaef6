/** Which bank push pays which claim: the rows of the table one by one. */
import test from 'ava';
import * as rules from '../../../src/domain/matching/matching-push.js';
import {
  type FreePush,
  matchBill,
  matchChosen,
  type PayerClaim,
} from '../../../src/domain/matching/matching-push.js';
import { parseShownPayer } from '../../../src/domain/matching/payer.js';

const NUMBER = '01712345678';
const TWIN = '01812345678';
const MERCHANT = '1750000000000000012';

let made = 0;
type Shown = Partial<Omit<FreePush, 'payer'>> & { readonly payer?: string | null };
const push = ({ payer = NUMBER, ...change }: Shown = {}): FreePush => ({
  id: `push-${++made}`,
  amountPaisa: 50_000,
  payer: parseShownPayer(payer),
  merchant: null,
  billOf: null,
  at: 1_000,
  moved: { from: 1_000, until: 1_500 },
  isDoubtful: false,
  ...change,
});
const claim = (change: Partial<PayerClaim> = {}): PayerClaim => ({
  session: `session-${++made}`,
  typed: NUMBER,
  duePaisa: 50_000,
  merchantIds: [MERCHANT],
  notBefore: 0,
  claimedAt: 2_000,
  openedAt: 0,
  ...change,
});
const NOW = 10_000;
type Typed = rules.PushMatchContext['typed'];
const choosePush = (
  own: PayerClaim,
  free: readonly FreePush[],
  claims: readonly PayerClaim[],
  typed: Typed = [],
) => rules.choosePush(own, { free, claims, typed, now: NOW });
const chooseClaim = (
  arrived: FreePush,
  free: readonly FreePush[],
  claims: readonly PayerClaim[],
  typed: Typed = [],
) => rules.chooseClaim(arrived, { free, claims, typed, now: NOW })?.claim ?? null;
const none = { outcome: 'none' } as const;
const ask = { outcome: 'ask_full_number' } as const;
const takes = ({ id }: FreePush, doubt: rules.PushDoubt | null = null) =>
  ({ outcome: 'push', id, doubt }) as const;
const person = (...pushes: readonly FreePush[]) =>
  ({ outcome: 'person', ids: pushes.map(({ id }) => id) }) as const;

test('a push of the amount and the number pays the claim, also by the last four digits', (t) => {
  const paid = push();
  t.deepEqual(choosePush(claim(), [paid], []), takes(paid));
  t.deepEqual(choosePush(claim({ typed: '5678' }), [paid], []), takes(paid));
});

test('a push with another amount, account, time or number pays nothing', (t) => {
  for (const other of [
    { amountPaisa: 49_999 },
    { amountPaisa: 50_001 },
    { merchant: '1750000000000000099' },
    { at: -1 },
    { payer: TWIN.replace('8', '9').slice(0, -1) },
    { payer: '01712345679' },
    { payer: null },
    { billOf: 'another session' },
  ]) {
    for (const typed of [NUMBER, '5678']) {
      t.deepEqual(choosePush(claim({ typed }), [push(other)], []), none, JSON.stringify(other));
    }
  }
  const named = push({ merchant: MERCHANT, at: 0 });
  t.deepEqual(choosePush(claim(), [named], []), takes(named));
});

test('the bill says whose money it is, whatever number was typed', (t) => {
  const own = claim({ typed: '9999' });
  const billed = push({ billOf: own.session, at: 5_000 });
  t.deepEqual(choosePush(own, [push(), billed], [claim()]), takes(billed));
  t.deepEqual(choosePush(own, [push({ billOf: own.session, amountPaisa: 1 })], []), none);
  const renamed = push({ billOf: own.session, merchant: '1750000000000000099' });
  t.deepEqual(choosePush(own, [renamed], []), takes(renamed));
});

test('a claim whose push has its bill leaves an older push of the same number to others', (t) => {
  const [own, neighbour] = [claim(), claim({ claimedAt: 3_000 })];
  const [plain, billed] = [push(), push({ billOf: own.session, at: 5_000 })];
  t.deepEqual(choosePush(own, [plain, billed], [neighbour]), takes(billed));
  t.deepEqual(choosePush(neighbour, [plain, billed], [own]), takes(plain));
  t.is(chooseClaim(plain, [plain, billed], [own, neighbour]), neighbour);
});

test('of several pushes of one payer the oldest pays', (t) => {
  const [late, early] = [push({ at: 200 }), push({ at: 100 })];
  t.deepEqual(choosePush(claim(), [late, early], []), takes(early));
  t.deepEqual(choosePush(claim({ typed: '5678' }), [late, early], []), takes(early));
});

test('a doubtful push is chosen after sound ones, and then needs manual review', (t) => {
  const [doubtful, sound] = [push({ at: 1, isDoubtful: true }), push({ at: 9 })];
  for (const typed of [NUMBER, '5678']) {
    t.deepEqual(choosePush(claim({ typed }), [doubtful, sound], []), takes(sound));
    t.deepEqual(choosePush(claim({ typed }), [doubtful], []), takes(doubtful));
  }
  const review = { outcome: 'review', reason: 'push_doubtful' } as const;
  t.deepEqual(matchChosen(doubtful), review);
  t.deepEqual(matchChosen(sound), { outcome: 'credit', paisa: 50_000 });
  const due = { duePaisa: 50_000, notBefore: 0 };
  t.deepEqual(matchBill(doubtful, due), review);
  for (const notBefore of [0, sound.at]) {
    t.deepEqual(matchBill(sound, { ...due, notBefore }), { outcome: 'credit', paisa: 50_000 });
  }
  t.deepEqual(matchBill(doubtful, { ...due, notBefore: 2 }), { outcome: 'disagree', about: 'time' });
});

test('last four digits that several payers share require the full number, which then decides', (t) => {
  const [own, twin] = [push(), push({ payer: TWIN })];
  t.deepEqual(choosePush(claim({ typed: '5678' }), [own, twin], []), ask);
  t.deepEqual(choosePush(claim({ typed: TWIN }), [own, twin], []), takes(twin));
  const masked = push({ payer: '018****5678' });
  t.deepEqual(choosePush(claim({ typed: '5678' }), [own, masked], []), ask);
  t.deepEqual(choosePush(claim({ typed: TWIN }), [own, masked], []), takes(masked));
});

test('last four digits that one mask alone shows are its own', (t) => {
  const hidden = push({ payer: '*5678' });
  t.deepEqual(choosePush(claim({ typed: '5678' }), [hidden], []), takes(hidden));
  t.deepEqual(choosePush(claim({ typed: '5678' }), [hidden, push({ payer: '017****5678' })], []), ask);
});

test('masks that even the full number cannot distinguish need manual review, oldest first', (t) => {
  const [second, first] = [push({ payer: '*5678', at: 20 }), push({ payer: '*5678', at: 10 })];
  t.deepEqual(choosePush(claim({ typed: '5678' }), [second, first], []), person(first, second));
  t.deepEqual(choosePush(claim(), [second, first], []), person(first, second));
  const alike = [push({ payer: '017****5678', at: 1 }), push({ payer: '017****5678', at: 2 })];
  t.deepEqual(choosePush(claim({ typed: '5678' }), alike, []), person(...alike));
});

test('a number that is shown in full beats a mask that it fits too', (t) => {
  const shown = push({ at: 900 });
  t.deepEqual(choosePush(claim(), [push({ payer: '017****5678', at: 1 }), shown], []), takes(shown));
});

test('the last four digits wait while another customer waits with them too', (t) => {
  const paid = push();
  const one = claim({ typed: '5678' });
  t.deepEqual(choosePush(one, [paid], [claim({ typed: '5678', claimedAt: 9_000 })]), ask);
  t.deepEqual(choosePush(one, [paid], [claim({ typed: '5678', duePaisa: 1 })]), takes(paid));
  t.deepEqual(choosePush(one, [paid], [claim({ typed: '5679' })]), takes(paid));
  const late = { ...one, session: 'late', notBefore: 2_000 };
  t.deepEqual(choosePush(one, [paid, push({ at: 3_000 })], [late]), ask);
  const hidden = push({ payer: '*5678' });
  t.deepEqual(choosePush(one, [hidden], [claim({ typed: '5678' })]), person(hidden));
});

test('last four digits are believed while nobody has typed others in vain since the money moved', (t) => {
  const paid = push();
  const four = claim({ typed: '5678' });
  const guess = (typed: string, claimedAt = 2_000) => ({ typed, claimedAt });
  t.deepEqual(choosePush(four, [paid], [], [guess('5678'), guess('5678')]), takes(paid));
  t.deepEqual(choosePush(four, [paid], [], [guess('1000')]), ask);
  t.is(chooseClaim(paid, [paid], [four], [guess('1000')]), null);
  t.deepEqual(choosePush(four, [paid], [], [guess('1000', -9_000)]), takes(paid), 'before the money moved');
  const theirs = push({ payer: '01700001000' });
  t.deepEqual(choosePush(four, [paid, theirs], [], [guess('1000')]), takes(paid), 'their money has come');
  t.deepEqual(choosePush(four, [paid], [], [guess('01912341000')]), takes(paid), 'a full number is no guess');
  const full = claim();
  t.deepEqual(choosePush(full, [paid], [], [guess('1000'), guess('1001')]), takes(paid));
  const billed = push({ billOf: four.session });
  t.deepEqual(choosePush(four, [billed], [], [guess('1000')]), takes(billed));
});

test('a full number is a guess too where the bank shows a few digits alone', (t) => {
  const hidden = push({ payer: '*5678' });
  t.deepEqual(choosePush(claim(), [hidden], [], []), takes(hidden));
  t.deepEqual(
    choosePush(claim(), [hidden], [], [{ typed: '01912341000', claimedAt: 2_000 }]),
    person(hidden),
  );
  t.deepEqual(choosePush(claim(), [hidden], [], [{ typed: '1000', claimedAt: 2_000 }]), person(hidden));
  const three = push({ payer: '01*******678' });
  t.deepEqual(choosePush(claim(), [three], [], []), person(three), 'three digits are always too few');
  const five = push({ payer: '01712***678' });
  const typed = Array.from({ length: 10 }, (_, index) => ({
    typed: `019120000${10 + index}`,
    claimedAt: 2_000,
  }));
  t.deepEqual(choosePush(claim(), [five], [], typed.slice(1)), takes(five));
  t.deepEqual(choosePush(claim(), [five], [], typed), person(five));
});

test('digits typed before the money moved, or for a session opened after it, need manual review', (t) => {
  const paid = push({ at: 100_000, moved: { from: 100_000, until: 104_000 } });
  const early = claim({ typed: '5678', claimedAt: 90_000 });
  t.deepEqual(choosePush(early, [paid], []), takes(paid, 'claimed_before_payment'));
  t.is(chooseClaim(paid, [paid], [early]), early);
  const honest = claim({ typed: '5678', claimedAt: 110_000 });
  t.deepEqual(choosePush(honest, [paid], [early]), takes(paid), 'who guessed before is no rival');
  t.is(chooseClaim(paid, [paid], [early, honest]), honest);
  t.deepEqual(
    choosePush(claim({ typed: '5678', claimedAt: 98_000 }), [paid], []),
    takes(paid),
    'clocks differ',
  );
  const younger = claim({ typed: '5678', claimedAt: 110_000, openedAt: 105_000 });
  t.deepEqual(choosePush(younger, [paid], []), takes(paid, 'opened_after_payment'));
  t.deepEqual(
    choosePush({ ...younger, typed: NUMBER }, [paid], []),
    takes(paid),
    'the whole number is enough',
  );
  const untold = push({ moved: { from: null, until: 104_000 } });
  t.deepEqual(choosePush(early, [untold], []), takes(untold), 'nobody said when it moved');
  t.deepEqual(matchChosen(paid, 'opened_after_payment'), {
    outcome: 'review',
    reason: 'opened_after_payment',
  });
});

test('the full number beats the last four digits', (t) => {
  const paid = push();
  const early = claim({ typed: '5678', claimedAt: 1 });
  const full = claim({ claimedAt: 9_000 });
  t.deepEqual(choosePush(full, [paid], [early]), takes(paid));
  t.deepEqual(choosePush(early, [paid], [full]), none);
  const hidden = push({ payer: '017****5678' });
  t.deepEqual(choosePush(full, [hidden], [early]), takes(hidden));
  t.deepEqual(choosePush(early, [hidden], [full]), ask);
});

test('of equal full numbers the first come is served first', (t) => {
  const [older, newer] = [push({ at: 1 }), push({ at: 2 })];
  const [first, second] = [claim({ claimedAt: 1 }), claim({ claimedAt: 2 })];
  t.deepEqual(choosePush(first, [newer, older], [second]), takes(older));
  t.deepEqual(choosePush(second, [newer, older], [first]), takes(newer));
  t.deepEqual(choosePush(second, [older], [first]), none);
  const hidden = push({ payer: '017****5678' });
  t.deepEqual(choosePush(first, [hidden], [second]), takes(hidden));
  t.deepEqual(choosePush(second, [hidden], [first]), none);
});

test('the earliest claim is served first, whatever the ids of the sessions', (t) => {
  const [first, second] = [claim({ session: 'b', claimedAt: 1 }), claim({ session: 'a', claimedAt: 2 })];
  const [older, newer] = [push({ at: 1 }), push({ at: 2 })];
  t.deepEqual(choosePush(first, [older, newer], [second]), takes(older));
  t.deepEqual(choosePush(second, [older, newer], [first]), takes(newer));
});

test('a session that typed two numbers gets one push, and leaves the other to its payer', (t) => {
  const own = claim({ claimedAt: 1 });
  const again = claim({ session: own.session, typed: TWIN, claimedAt: 2 });
  const neighbour = claim({ typed: TWIN, claimedAt: 3 });
  const [paid, theirs] = [push(), push({ payer: TWIN })];
  t.deepEqual(choosePush(neighbour, [paid, theirs], [own, again]), takes(theirs));
});

test('a push claimed only by those who knew its digits before payment needs manual review', (t) => {
  const hidden = push({ payer: '*5678' });
  const early = { claimedAt: -9_000, openedAt: -10_000 };
  const [full, four] = [claim(early), claim({ ...early, typed: '5678' })];
  t.deepEqual(choosePush(full, [hidden], [four]), takes(hidden, 'claimed_before_payment'));
  t.deepEqual(choosePush(full, [hidden], [four, claim({ typed: '5678' })]), none, 'it is for who paid it');
});

test('a mask that two full numbers fit proves neither of them', (t) => {
  const hidden = push({ payer: '*5678' });
  t.deepEqual(choosePush(claim(), [hidden], [claim({ typed: TWIN })]), person(hidden));
});

test('a rival who has their own push does not make another one doubtful', (t) => {
  const [own, hidden] = [push({ payer: TWIN }), push({ payer: '*5678' })];
  t.deepEqual(choosePush(claim(), [own, hidden], [claim({ typed: TWIN })]), takes(hidden));
});

test('a push that arrives pays the claim that is certain, or none', (t) => {
  const paid = push();
  const [four, full] = [claim({ typed: '5678', claimedAt: 1 }), claim({ claimedAt: 2 })];
  t.is(chooseClaim(paid, [paid], [four]), four);
  t.is(chooseClaim(paid, [paid], [four, full]), full);
  t.is(chooseClaim(paid, [paid], [four, claim({ typed: '5678' })]), null);
  t.is(chooseClaim(paid, [paid], []), null);
  const older = push({ at: 1 });
  t.is(chooseClaim(paid, [paid, older], [full]), null);
});

test('a push with the bill of a session must match to the paisa: less is refused, more needs review', (t) => {
  const due = { duePaisa: 50_000, notBefore: 0 };
  t.deepEqual(matchBill(push({ amountPaisa: 49_999 }), due), { outcome: 'disagree', about: 'amount' });
  t.deepEqual(matchBill(push({ amountPaisa: 50_001 }), due), { outcome: 'review', reason: 'overpaid' });
  t.deepEqual(matchBill(push({ amountPaisa: 50_000 }), due), { outcome: 'credit', paisa: 50_000 });
});
