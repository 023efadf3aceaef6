/** A transfer completes the refund that it fits, and no text completes one that the shop has not sent. */
import test from 'ava';
import { followsTrusted, type ReadText } from '../../../src/domain/balance-gaps/balance-link.js';
import {
  chooseRefund,
  type RefundToSend,
  type TextProblem,
} from '../../../src/domain/refunds/choose-refund.js';
import { sequence } from '../../helpers/sequence.js';
import { amount } from '../../helpers/tiers.js';

const AT = Date.UTC(2026, 7, 21, 6, 30);
const MINUTE = 60_000;

const refund = (change: Partial<RefundToSend> = {}): RefundToSend => ({
  id: 'rfd_1',
  state: 'PENDING',
  amount_paisa: 50_000,
  payee: '01711000268',
  created_at: AT,
  ...change,
});

test('a transfer completes only the pending refund of its sum and number that is older', (t) => {
  const outcome = (refunds: readonly RefundToSend[], problem: TextProblem | null = null, change = {}) => {
    const sent = { channel: 'mfs_c' as const, payee: '**268', amountPaisa: 50_000, at: AT, ...change };
    const chosen = chooseRefund(sent, refunds, problem);
    return chosen.outcome === 'none' ? chosen.reason : chosen.refund.id;
  };
  const other = refund({ id: 'rfd_2', payee: '01711000269' });
  t.is(outcome([refund(), other]), 'rfd_1');
  t.is(outcome([refund({ created_at: AT + MINUTE - 1 })]), 'rfd_1', 'a text names no seconds');
  t.is(outcome([refund({ created_at: AT + MINUTE })]), 'no_refund');
  t.is(outcome([refund({ amount_paisa: 50_001 })]), 'no_refund');
  t.is(outcome([refund(), refund({ id: 'rfd_3' })]), 'several_refunds');
  t.is(outcome([other]), 'other_number');
  t.is(outcome([refund({ payee: null }), other]), 'number_missing');
  t.is(outcome([refund({ state: 'COMPLETED' }), other]), 'sent_again');
  t.is(outcome([refund({ state: 'CANCELLED' }), other]), 'refund_cancelled');
  t.is(outcome([refund({ state: 'CANCELLED' }), refund({ id: 'rfd_3' })]), 'rfd_3');
  t.is(outcome([refund()], 'balance_gap'), 'balance_gap');
  t.is(outcome([other], 'balance_gap'), 'other_number', 'what fits nothing needs no balance');
  t.is(outcome([], 'text_doubtful'), 'text_doubtful');
});

const NUMBERS = ['01711000001', '01711000002', '01811000001', '01911000102'];
const SUMS = [10_000, 20_000, 50_000];

interface Transfer {
  readonly text: ReadText;
  readonly payee: string;
  readonly isForged: boolean;
}

/** One day of a wallet: what was paid, refunded and sent, and texts that thieves have written. */
function playDay(random: (below: number) => number) {
  const pick = <T>(list: readonly T[]) => list[random(list.length)] as T;
  const [texts, refunds]: [ReadText[], RefundToSend[]] = [[], []];
  const [transfers, used]: [Transfer[], Map<string, Transfer>] = [[], new Map()];
  const credits: { readonly payer: string; readonly paisa: number; isRefunded: boolean }[] = [];
  const known = new Set<string>();
  let balance = 1_000_000 + random(1_000_000);
  let count = 0;
  let at = AT;
  const textOf = (credit: boolean, paisa: number, after: number): ReadText => {
    count += 1;
    const fee = credit ? 0 : 500;
    const read = { amountPaisa: paisa, feePaisa: fee, balancePaisa: after, body: '', reasons: [] };
    const kind = credit ? 'received' : 'outgoing';
    return { ...read, kind, credit, id: `sms_${count}`, trxId: `T${count}`, format: kind, atMs: at };
  };
  const deliver = (transfer: Transfer) => {
    const { text, payee } = transfer;
    if (known.has(text.trxId ?? '')) return;
    known.add(text.trxId ?? '');
    const follows = followsTrusted(text, texts, (id) => texts.some((one) => one.id === id && one.credit));
    texts.push(text);
    const sent = { channel: 'mfs_a', payee, amountPaisa: text.amountPaisa ?? 0, at: text.atMs } as const;
    const chosen = chooseRefund(sent, refunds, follows ? null : 'balance_gap');
    if (chosen.outcome === 'none') return;
    used.set(chosen.refund.id, transfer);
    const place = refunds.indexOf(chosen.refund);
    refunds[place] = { ...chosen.refund, state: 'COMPLETED' };
  };
  const transfer = (payee: string, paisa: number, isForged = false): Transfer => {
    if (!isForged) balance -= paisa + 500;
    // Nobody but the wallet and its owner knows the balance; a guess is never right here.
    const after = isForged ? balance - paisa - 500 - (1 + random(999)) : balance;
    const made = { text: textOf(false, paisa, after), payee, isForged };
    if (!isForged) transfers.push(made);
    return made;
  };
  const steps = [
    () => {
      const [payer, paisa] = [pick(NUMBERS), pick(SUMS)];
      balance += paisa;
      credits.push({ payer, paisa, isRefunded: false });
      texts.push(textOf(true, paisa, balance));
    },
    () => {
      const credit = credits.find(({ isRefunded }) => !isRefunded);
      if (credit === undefined) return;
      credit.isRefunded = true;
      const of = { payee: credit.payer, amount_paisa: credit.paisa, created_at: at };
      refunds.push(refund({ id: `rfd_${refunds.length}`, ...of }));
    },
    () => {
      const next = refunds.find(({ state }) => state === 'PENDING');
      if (next !== undefined) deliver(transfer(next.payee ?? '', next.amount_paisa));
    },
    () => deliver(transfer(pick(NUMBERS), pick(SUMS))),
    // It is sent, but its SMS is lost.
    () => random(4) > 0 || transfer(pick(NUMBERS), pick(SUMS)),
    () => transfers.length > 0 && deliver(pick(transfers)),
    () => {
      const aim = pick(refunds);
      if (aim !== undefined) deliver(transfer(aim.payee ?? '', aim.amount_paisa, true));
    },
  ];
  for (let step = 0; step < 24; step += 1) {
    at += MINUTE * random(3);
    pick(steps)();
  }
  return { refunds, used, credits };
}

test('on no day of many is a refund completed by a text twice, by a forged one, or by money of another', (t) => {
  const random = sequence(7);
  const days = amount(100_000, 1_000_000);
  let completed = 0;
  for (let day = 0; day < days; day += 1) {
    const { refunds, used, credits } = playDay(random);
    const done = refunds.filter(({ state }) => state === 'COMPLETED');
    completed += done.length;
    const transfers = done.map(({ id }) => used.get(id));
    const isRight = done.every(({ payee, amount_paisa, created_at }, index) => {
      const { text, payee: to, isForged } = transfers[index] as Transfer;
      const isSame = to === payee && text.amountPaisa === amount_paisa;
      return isSame && !isForged && text.atMs + MINUTE > created_at;
    });
    const sum = (rows: readonly { readonly paisa: number }[]) =>
      rows.reduce((all, { paisa }) => all + paisa, 0);
    const left = sum(credits) - sum(done.map(({ amount_paisa: paisa }) => ({ paisa })));
    const sent = sum(transfers.map((one) => ({ paisa: one?.text.amountPaisa ?? 0 })));
    if (!isRight || new Set(transfers).size !== done.length || left !== sum(credits) - sent) {
      t.fail(`day ${day}`);
      return;
    }
  }
  t.true(completed > days / 2, `${completed} refunds were completed`);
});
