/** Which payment weak money pays: the rows of the table one by one, and 100,000 random tills. */
import test from 'ava';
import { parseShownPayer } from '../../../src/domain/matching/payer.js';
import {
  type AskingPayment,
  choosePayment,
  type PriceEvidence,
  type WeakMoney,
} from '../../../src/domain/matching/weak-money.js';

const MINUTE = 60_000;
const PAYER = '01712344838';
const NUMBERS = [PAYER, '01812344838', '01912340001', '01511999222'];

let made = 0;
const payment = (change: Partial<AskingPayment> = {}): AskingPayment => ({
  session: `session-${++made}`,
  openedAt: 0,
  endedAt: null,
  references: [`REF${made}`],
  typed: [],
  ...change,
});
const money = ({
  payer = null,
  ...change
}: Partial<Omit<WeakMoney, 'payer'>> & { readonly payer?: string | null } = {}): WeakMoney => ({
  paisa: 64_000,
  moved: { from: 10 * MINUTE, until: 11 * MINUTE },
  named: [],
  isInBalance: false,
  isStrayed: false,
  isPushed: false,
  ...change,
  payer: parseShownPayer(payer),
});
const typing = (typed: string, claimedAt = 12 * MINUTE) => [{ typed, claimedAt }];
const choose = (of: WeakMoney, asking: readonly AskingPayment[], evidence: Partial<PriceEvidence> = {}) =>
  choosePayment(of, asking, { typed: [], free: [], now: 13 * MINUTE, ...evidence });
const one = ({ session }: AskingPayment, reason: string | null, typed: string | null = null) =>
  ({ outcome: 'one', session, typed, reason }) as unknown;

test('one payment requests it: a second witness credits it, of each kind', (t) => {
  const own = payment();
  t.deepEqual(choose(money({ isInBalance: true }), [own]), one(own, null));
  t.deepEqual(choose(money({ named: [own.references[0] ?? ''] }), [own]), one(own, null));
  const typed = payment({ typed: typing('4838') });
  t.deepEqual(choose(money({ payer: '017***4838' }), [typed]), one(typed, null, '4838'));
  const full = payment({ typed: typing(PAYER) });
  t.deepEqual(choose(money({ payer: PAYER }), [full]), one(full, null, PAYER));
});

test('a push of the acquirer is a second witness', (t) => {
  const own = payment();
  t.deepEqual(choose(money({ isPushed: true }), [own]), one(own, null));
  t.is(choose(money({ isPushed: true }), [own, payment()]).outcome, 'several');
});

test('a single witness credits nothing', (t) => {
  const own = payment();
  t.deepEqual(choose(money(), [own]), one(own, 'payer_unknown'));
  t.deepEqual(choose(money({ payer: PAYER }), [own]), one(own, 'payer_unknown'));
  // Money of another amount is compared with other payments: here none requests it.
  t.deepEqual(choose(money({ isInBalance: true, payer: PAYER, named: ['REF1'] }), []), { outcome: 'none' });
  const typed = payment({ typed: typing('4838') });
  t.deepEqual(choose(money(), [typed]), one(typed, 'payer_unknown', '4838'), 'the text shows no payer');
  const other = payment({ typed: typing('0001') });
  const differs = money({ payer: '017***4838', isInBalance: true });
  t.deepEqual(choose(differs, [other]), one(other, 'payer_differs', '0001'));
});

test('two payments of one amount: no balance and no few digits choose between them', (t) => {
  const [first, second] = [payment(), payment({ typed: typing('4838') })];
  const shown = money({ payer: '017***4838', isInBalance: true });
  t.deepEqual(choose(shown, [first, second]), { outcome: 'several', sessions: [second.session] });
  const unseen = choose(money({ isInBalance: true }), [first, payment()]);
  t.is(unseen.outcome, 'several');
  t.deepEqual(choose(money(), [payment(), payment(), payment(), payment()]), {
    outcome: 'several',
    sessions: [],
  });
});

test('what nobody guesses chooses between two: the reference, and a number shown and typed in full', (t) => {
  const [first, second] = [payment(), payment({ typed: typing(PAYER) })];
  t.deepEqual(choose(money({ named: first.references }), [first, second]), one(first, null));
  t.deepEqual(choose(money({ payer: PAYER }), [first, second]), one(second, null, PAYER));
  const twin = payment({ typed: typing(PAYER) });
  t.is(choose(money({ payer: PAYER }), [first, second, twin]).outcome, 'several');
});

test('a payment counts while it was open: not one that was opened later or had ended before', (t) => {
  const own = payment();
  const later = payment({ openedAt: 12 * MINUTE });
  const before = payment({ endedAt: 9 * MINUTE });
  const meanwhile = payment({ endedAt: 12 * MINUTE });
  const sure = money({ isInBalance: true });
  t.deepEqual(choose(sure, [own, later, before]), one(own, null));
  t.is(choose(sure, [own, meanwhile]).outcome, 'several');
  t.deepEqual(choose(sure, [later, before]), { outcome: 'none' });
  const unknown = money({ moved: { from: null, until: 11 * MINUTE }, isInBalance: true });
  t.is(choose(unknown, [own, before]).outcome, 'several', 'the text has no time');
});

test('digits are judged as guesses, and the balance does not count where money strays', (t) => {
  const shown = money({ payer: '017***4838' });
  const early = payment({ typed: typing('4838', MINUTE) });
  t.deepEqual(choose(shown, [early]), one(early, 'claimed_before_payment', '4838'));
  const typed = payment({ typed: typing('4838') });
  const guesses = typing('1111', 12 * MINUTE);
  t.deepEqual(choose(shown, [typed], { typed: guesses }), one(typed, 'may_be_guessed', '4838'));
  const explained = [{ payer: parseShownPayer('018***1111'), moved: shown.moved }];
  t.deepEqual(choose(shown, [typed], { typed: guesses, free: explained }), one(typed, null, '4838'));
  const three = payment({ typed: typing('4838') });
  t.deepEqual(choose(money({ payer: '**838' }), [three]), one(three, 'may_be_guessed', '4838'));
  const own = payment();
  const strayed = money({ isInBalance: true, isStrayed: true });
  t.deepEqual(choose(strayed, [own]), one(own, 'payer_unknown'));
});

/** The same numbers from 0 to 1 for the same seed. */
function repeatable(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const TILLS = 100_000;

test('100,000 random tills: no money pays the payment of another, nor on one witness alone', (t) => {
  const next = repeatable(2026);
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(next() * list.length)] as Item;
  const often = (share: number) => next() < share;
  const counts = { credited: 0, wrong: 0, single: 0, ambiguous: 0, strayed: 0 };
  for (let till = 0; till < TILLS; till += 1) {
    const from = 60 * MINUTE;
    const moved = { from, until: from + MINUTE + Math.floor(next() * 5_000) };
    const asking = Array.from({ length: Math.floor(next() * 4) }, () => {
      const openedAt = from - Math.floor((next() - 0.1) * 40 * MINUTE);
      const typed = often(0.4) ? typing(pick(['4838', '0001', ...NUMBERS]), from + 2 * MINUTE) : [];
      return payment({ openedAt, typed, endedAt: often(0.3) ? openedAt + 30 * MINUTE : null });
    });
    const open = asking.filter(
      ({ openedAt, endedAt }) => openedAt <= moved.until && (endedAt === null || endedAt >= from),
    );
    // The payer means one of the open payments, or none of them: a printed code, or a forged text.
    const meant = open.length > 0 && often(0.7) ? pick(open) : null;
    const number = meant?.typed.find(({ typed }) => typed.length === 11)?.typed ?? pick(NUMBERS);
    const isForged = meant === null && often(0.5);
    const shown = pick([null, number, `${number.slice(0, 3)}***${number.slice(-4)}`]);
    const text = money({
      moved,
      payer: shown,
      named: meant !== null && often(0.2) ? meant.references : [],
      isInBalance: !isForged && often(0.6),
    });
    const choice = choose(text, asking, { now: from + 3 * MINUTE });
    if (choice.outcome !== 'one' || choice.reason !== null) continue;
    counts.credited += 1;
    const chosen = asking.find(({ session }) => session === choice.session);
    const digits =
      chosen?.typed.filter(({ typed }) => shown !== null && number.endsWith(typed.slice(-4))) ?? [];
    const isNamed = text.named.length > 0;
    if (!text.isInBalance && !isNamed && digits.length === 0) counts.single += 1;
    const isCertain = isNamed || (shown === number && digits.some(({ typed }) => typed === number));
    if (open.length > 1 && !isCertain) counts.ambiguous += 1;
    if (meant !== null && choice.session !== meant.session) counts.wrong += digits.length === 0 ? 1 : 0;
    if (meant === null) counts.strayed += 1;
  }
  t.true(counts.credited > TILLS / 10, `${counts.credited} were credited`);
  t.true(counts.strayed > 0, 'money that was meant for none is credited by its balance alone');
  t.deepEqual(
    { wrong: counts.wrong, single: counts.single, ambiguous: counts.ambiguous },
    {
      wrong: 0,
      single: 0,
      ambiguous: 0,
    },
  );
});
