/**
 * Comparison of a bank's push with an earlier one that has the same reference or the same body: banks resend
 * what was not answered in time, and report one payment more than once. Pure.
 */
import { fullPayer } from './payer.js';

export interface PushMessage {
  /** `SETTLED`: the bank says that the money has moved. `UNSETTLED`: not, or not yet. */
  readonly state: 'SETTLED' | 'UNSETTLED' | 'UNREAD';
  readonly amount_paisa: number | null;
  readonly payer: string | null;
  readonly merchant_code: string | null;
  readonly bill: string | null;
  readonly status: string | null;
}

/** Money with the reference of a push that another acquirer reported, or that an operator has seen. */
interface SameReference {
  readonly amount_paisa: number | null;
  readonly payer: string | null;
  readonly isCredited: boolean;
}

/**
 * True if a push may report known money. Two banks may use the same numbers, but a reconnected bank reports
 * money again. Always true if the other was credited: it needs manual review to pay a second time.
 */
export function mayBeCountedTwice(push: ReportedMoney, other: SameReference): boolean {
  return other.isCredited || isSameMoney(push, other);
}

type ReportedMoney = Pick<PushMessage, 'amount_paisa' | 'payer'>;

/** True if two reports of one reference, from two acquirers, may describe the same payment. */
export function isSameMoney(one: ReportedMoney, other: ReportedMoney): boolean {
  const [payer, otherPayer] = [fullPayer(one.payer), fullPayer(other.payer)];
  const areTwoPayers = payer !== null && otherPayer !== null && payer !== otherPayer;
  return one.amount_paisa === other.amount_paisa && !areTwoPayers;
}

type Repeat =
  /** Adds nothing to the first push. */
  | 'same'
  /** Adds information to the first push and replaces it. */
  | 'news'
  /** Contradicts the first push about moved money: that one is kept, the operator to be alerted. */
  | 'contradiction';

/**
 * Classifies a push by the earlier one:
 *
 * | before | now | result |
 * |---|---|---|
 * | could not be parsed | can be, by another map | news |
 * | any | cannot be parsed | the same: only the map has changed |
 * | not settled | settled, or in another status | news |
 * | settled | settled, all equal | the same |
 * | settled | settled with anything else, or not settled | contradiction |
 */
export function classifyRepeat(before: PushMessage, now: PushMessage): Repeat {
  if (now.state === 'UNREAD') return 'same';
  if (before.state === 'UNREAD') return 'news';
  if (before.state === 'UNSETTLED') {
    return now.state === 'SETTLED' || now.status !== before.status ? 'news' : 'same';
  }
  return now.state === 'SETTLED' && saysEqual(before, now) ? 'same' : 'contradiction';
}

/** Relation of a stored push, parsed again, to the row that has its reference now. */
type PushRelation =
  /** The reference belongs to this push from now on; the other row must be checked again. */
  | 'leads'
  /** Adds nothing to the other row. */
  | 'repeats'
  | 'contradicts';

/**
 * Compares two pushes as if both had been parsed on arrival, but with the order of arrival known: a "pending"
 * report from before the money moved contradicts nothing.
 * @param isOlder true if it arrived before the other.
 */
export function classifyReread(other: PushMessage, now: PushMessage, isOlder: boolean): PushRelation {
  if (isOlder && now.state === 'UNSETTLED') return 'repeats';
  const repeat = classifyRepeat(other, now);
  switch (repeat) {
    case 'same':
      return 'repeats';
    case 'news':
      return 'leads';
    case 'contradiction':
      return 'contradicts';
    default:
      return repeat satisfies never;
  }
}

function saysEqual(one: PushMessage, other: PushMessage): boolean {
  return (
    one.amount_paisa === other.amount_paisa &&
    one.payer === other.payer &&
    one.merchant_code === other.merchant_code &&
    one.bill === other.bill
  );
}
