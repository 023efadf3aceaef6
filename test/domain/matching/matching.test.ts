/** Every condition of spec 4.5 for wallets, one row each: what agrees credits, what does not has a name. */
import test from 'ava';
import fc from 'fast-check';
import {
  isDisagreement,
  type MatchAccount,
  type MatchProof,
  type MatchSession,
  matchProof,
} from '../../../src/domain/matching/matching.js';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 7, 21);
const accounts: readonly MatchAccount[] = [
  { type: 'personal', number: '01711000001' },
  { type: 'agent', number: '01711000002' },
  { type: 'payment', number: '01711000003' },
];
const session: MatchSession = { due_paisa: 50_000, least_paisa: 50_000, created_at: NOW };
const proof: MatchProof = {
  amount_paisa: 50_000,
  recipient: '01711000001',
  kind: 'received',
  settle: 'auto',
  disputed_by: null,
  at: NOW,
};
const match = (change: Partial<MatchProof>) => matchProof({ ...proof, ...change }, session, accounts, 24);

test('a proof that agrees in everything is credited with its own amount', (t) => {
  t.deepEqual(match({}), { outcome: 'credit', paisa: 50_000 });
});

test('a number that is registered as two types takes the kinds of both', (t) => {
  const both: readonly MatchAccount[] = [
    { type: 'personal', number: '01711000001' },
    { type: 'agent', number: '01711000001' },
  ];
  for (const kind of ['received', 'cash_out_received']) {
    const credit = { outcome: 'credit', paisa: 50_000 } as const;
    t.deepEqual(matchProof({ ...proof, kind }, session, both, 24), credit, kind);
  }
});

test('distinguishes disagreements of a proof from other reasons for a refusal', (t) => {
  for (const reason of ['recipient', 'time', 'amount', 'account_type'])
    t.true(isDisagreement(reason), reason);
  for (const reason of ['already_credited', '', 'toString']) t.false(isDisagreement(reason), reason);
});

const fitting: readonly (readonly [string, string])[] = [
  ['01711000001', 'received'],
  ['01711000001', 'cash_in'],
  ['01711000002', 'cash_out_received'],
  ['01711000003', 'payment_received'],
];

test('each account type takes the kinds of its own and no others', (t) => {
  for (const { number } of accounts) {
    for (const kind of [
      'received',
      'cash_in',
      'cash_out_received',
      'payment_received',
      'b2b_received',
      'bonus',
      'toString',
    ]) {
      const fits = fitting.some(([own, fit]) => own === number && fit === kind);
      t.deepEqual(
        match({ recipient: number, kind }),
        fits ? { outcome: 'credit', paisa: 50_000 } : { outcome: 'disagree', about: 'account_type' },
        `${kind} at ${number}`,
      );
    }
  }
});

test('one paisa less disagrees, one paisa more needs manual review', (t) => {
  t.deepEqual(match({ amount_paisa: 49_999 }), { outcome: 'disagree', about: 'amount' });
  t.deepEqual(match({ amount_paisa: 50_001 }), { outcome: 'review', reason: 'overpaid' });
});

test('money that another number received disagrees, whatever else agrees', (t) => {
  t.deepEqual(match({ recipient: '01711000009' }), { outcome: 'disagree', about: 'recipient' });
  t.deepEqual(matchProof(proof, session, [], 24), { outcome: 'disagree', about: 'recipient' });
});

test('a payment may be as old as the window and not a millisecond older', (t) => {
  t.is(match({ at: NOW - 24 * HOUR }).outcome, 'credit');
  t.deepEqual(match({ at: NOW - 24 * HOUR - 1 }), { outcome: 'disagree', about: 'time' });
});

test('doubtful money needs manual review, and disagreeing money never does', (t) => {
  t.deepEqual(match({ settle: 'review' }), { outcome: 'review', reason: 'sms_doubtful' });
  t.deepEqual(match({ settle: 'review', disputed_by: 'sms_1' }), { outcome: 'review', reason: 'disputed' });
  t.deepEqual(match({ recipient: null }), { outcome: 'review', reason: 'recipient_unknown' });
  t.deepEqual(match({ amount_paisa: null }), { outcome: 'review', reason: 'amount_unknown' });
  t.deepEqual(match({ settle: 'review', amount_paisa: 1 }), { outcome: 'disagree', about: 'amount' });
});

test('nothing is credited unless every single condition agrees', (t) => {
  const anyProof = fc.record({
    amount_paisa: fc.oneof(fc.constant(50_000), fc.constant(null), fc.integer({ min: 1, max: 100_000 })),
    recipient: fc.constantFrom(null, '01711000001', '01711000002', '01711000003', '01711000004'),
    kind: fc.constantFrom(
      'received',
      'cash_in',
      'cash_out_received',
      'payment_received',
      'outgoing',
      'unknown',
    ),
    settle: fc.constantFrom('auto' as const, 'review' as const),
    disputed_by: fc.constantFrom(null, null, 'sms_1'),
    at: fc.integer({ min: NOW - 48 * HOUR, max: NOW + HOUR }),
  });
  fc.assert(
    fc.property(anyProof, (candidate) => {
      if (matchProof(candidate, session, accounts, 24).outcome !== 'credit') return true;
      return (
        candidate.amount_paisa === 50_000 &&
        candidate.settle === 'auto' &&
        candidate.disputed_by === null &&
        candidate.at >= NOW - 24 * HOUR &&
        fitting.some(([number, kind]) => number === candidate.recipient && kind === candidate.kind)
      );
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});
