/** What an operator reads of a claim that waits for a decision, where no SMS tells of the money. */
import test from 'ava';
import type { ReviewInFull } from '../../../src/actions/reviews/list-reviews.js';
import { reviewCard, reviewSheet } from '../../../src/cli/text/review-text.js';

const NOW = Date.parse('2026-11-21T12:00:00+06:00');
const IN_USDT: ReviewInFull = {
  id: 'rev_0123456789abcdef01234567',
  state: 'OPEN',
  reason: 'overpaid',
  payment: '0'.repeat(32),
  gateway_reference: 'K7PM2XQ4ABCD',
  payment_status: 'PENDING',
  payment_reason: 'review',
  brand: 'Alo Store',
  cus_name: 'Customer',
  amount: '500.00',
  fee: '0.00',
  due: '500.00',
  due_usdt: '4.1667',
  channel: 'bep20',
  reference: `0x${'9c2f41e7'.repeat(8)}`,
  seen_at: '2026-11-21T11:58:00+06:00',
  seen_amount: null,
  seen_usdt: '5.2',
  seen_from: `0x${'7'.repeat(40)}`,
  seen_on: `0x${'8'.repeat(40)}`,
  customer_note: null,
  slip: null,
  slip_type: null,
  slip_bytes: null,
  slip_sha256: null,
  created_at: '2026-11-21T11:59:00+06:00',
  decided_at: null,
  decided_by: null,
  note: null,
  test: false,
  sms: null,
  claim: null,
  contrary: null,
  looks_like: [],
  unseen: false,
  named_in: null,
  warnings: [],
  facts: [],
  facts_version: '0123456789ab',
  seen_by: null,
  doubts: [],
};
const BY_NUMBER: ReviewInFull = {
  ...IN_USDT,
  reason: 'several_payers',
  channel: 'qr_interbank',
  reference: '5678',
  due_usdt: null,
  seen_at: null,
  seen_usdt: null,
  seen_from: null,
  seen_on: null,
};

test('of USDT it is said what was asked for, what came and how much that is too much', (t) => {
  const card = reviewCard(IN_USDT, NOW).join('\n');
  t.true(card.includes(`seen: 5.2 USDT from 0x${'7'.repeat(40)}`));
  const sheet = reviewSheet(IN_USDT, NOW).join('\n');
  t.regex(sheet, /^Owes +500\.00 BDT, as 4\.1667 USDT$/m);
  t.regex(sheet, /^It is 1\.0333 USDT too much\.$/m);
  t.regex(sheet, /complete the payment with 500\.00 BDT\./);
});

test('of a claim by number the command that approves it asks for the reference of the push', (t) => {
  const approve = (view: ReviewInFull) =>
    reviewSheet(view, NOW).find((line) => line.includes('verifications approve'));
  t.regex(approve(BY_NUMBER) ?? '', /approve rev_\w+ --reference REFERENCE --note /);
  t.regex(approve({ ...BY_NUMBER, seen_at: IN_USDT.seen_at }) ?? '', /approve rev_\w+ --note /);
  t.regex(approve(IN_USDT) ?? '', /approve rev_\w+ --note /);
});
