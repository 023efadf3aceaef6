/** Which later texts about known money say that it went back or was another sum: every kind, by the table. */
import test from 'ava';
import fc from 'fast-check';
import { contradicts, mayContradict } from '../../../src/domain/matching/contrary.js';

const MONEY_IN = ['received', 'cash_in', 'payment_received', 'cash_out_received', 'b2b_received'];
const MONEY_BACK = ['outgoing', 'pending', 'failed', 'refund'];
const OTHERS = ['offer', 'balance', 'otp', ''];

const sims = fc.constantFrom('01711000001', '01711000002', null);
const sums = fc.constantFrom(1, 50_000, null);
const texts = fc.record({
  kind: fc.constantFrom(...MONEY_IN, ...MONEY_BACK, ...OTHERS),
  isTakenBack: fc.boolean(),
  amountPaisa: sums,
  recipient: sims,
});
const known = fc.record({ amount_paisa: sums, recipient: sims });

test('a text of the same SIM says otherwise if it takes back, or names another sum that came in', (t) => {
  fc.assert(
    fc.property(texts, known, (text, money) => {
      const isOtherSim =
        text.recipient !== money.recipient && text.recipient !== null && money.recipient !== null;
      const isOtherSum =
        text.amountPaisa !== money.amount_paisa && text.amountPaisa !== null && money.amount_paisa !== null;
      const isBack = text.isTakenBack || MONEY_BACK.includes(text.kind);
      const expected = !isOtherSim && (isBack || (MONEY_IN.includes(text.kind) && isOtherSum));
      t.is(contradicts(text, money), expected);
      if (expected) t.true(mayContradict(text));
    }),
    { numRuns: 2_000 },
  );
});

test('a text of any other kind contradicts nothing unless it says so in words', (t) => {
  const text = { isTakenBack: false, amountPaisa: 1, recipient: null };
  for (const kind of [...MONEY_IN, ...MONEY_BACK]) t.true(mayContradict({ ...text, kind }), kind);
  for (const kind of OTHERS) {
    t.false(mayContradict({ ...text, kind }), kind);
    t.true(mayContradict({ ...text, kind, isTakenBack: true }), kind);
  }
});

test('unknown texts contradict the money that they name, unless they may be about the same money', (t) => {
  const money = { amount_paisa: 50_000, recipient: null };
  const text = { kind: 'unknown', isTakenBack: false, amountPaisa: null, recipient: null };
  t.true(mayContradict(text));
  t.true(contradicts(text, money));
  t.true(contradicts({ ...text, amountPaisa: 50_000 }, money));
  const doubtful = { ...text, mayBeMoney: true };
  t.false(contradicts({ ...doubtful, amountPaisa: 50_000 }, money));
  t.false(contradicts(doubtful, money));
  t.true(contradicts({ ...doubtful, amountPaisa: 40_000 }, money));
  t.false(contradicts({ ...text, recipient: '01711000001' }, { ...money, recipient: '01711000002' }));
  for (const kind of ['bonus', 'promo', 'notice', 'otp'])
    t.false(contradicts({ ...text, kind }, money), kind);
});
