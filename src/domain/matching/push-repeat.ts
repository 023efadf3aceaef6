/**
 * What a push of a bank is to the one with the same reference, or the same body, that came before: banks send
 * again what was not answered in time, and report one payment more than once. Pure.
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

/** Money under the reference of a push, of which another acquirer told, or which an operator has seen. */
interface SameReference {
  readonly amount_paisa: number | null;
  readonly payer: string | null;
  readonly isCredited: boolean;
}

/**
 * Two banks may count alike, but a bank that was connected again reports the same money once more. May it be
 * that? Where the other was credited, always: nobody should pay twice for it without a person.
 */
export function mayBeCountedTwice(push: ReportedMoney, other: SameReference): boolean {
  return other.isCredited || isSameMoney(push, other);
}

type ReportedMoney = Pick<PushMessage, 'amount_paisa' | 'payer'>;

/** May two reports of one reference, from two acquirers, be of one payment? */
export function isSameMoney(one: ReportedMoney, other: ReportedMoney): boolean {
  const [payer, otherPayer] = [fullPayer(one.payer), fullPayer(other.payer)];
  const areTwoPayers = payer !== null && otherPayer !== null && payer !== otherPayer;
  return one.amount_paisa === other.amount_paisa && !areTwoPayers;
}

type Repeat =
  /** It says nothing new. */
  | 'same'
  /** It says more than the first, which it replaces. */
  | 'news'
  /** Of money that has moved it says something else: the first stays, and a person should know. */
  | 'contradiction';

/**
 * Which of the three it is:
 *
 * | before | now | it is |
 * |---|---|---|
 * | could not be read | can be, by another map | news |
 * | whatever | cannot be read | the same: only the map has changed |
 * | not settled | settled, or in another status | news |
 * | settled | settled, all equal | the same |
 * | settled | settled with anything else, or not settled | contradiction |
 */
export function repeatOf(before: PushMessage, now: PushMessage): Repeat {
  if (now.state === 'UNREAD') return 'same';
  if (before.state === 'UNREAD') return 'news';
  if (before.state === 'UNSETTLED') {
    return now.state === 'SETTLED' || now.status !== before.status ? 'news' : 'same';
  }
  return now.state === 'SETTLED' && saysEqual(before, now) ? 'same' : 'contradiction';
}

/** What a push that was stored and is read again is to the row that has its reference by now. */
type Reread =
  /** The reference is its own from now on; the other is the one to look at again. */
  | 'leads'
  /** It says no more than the other. */
  | 'repeats'
  | 'contradicts';

/**
 * As if both had been read when they came, save that what came first is known: "pending", told before the
 * money moved, contradicts nothing.
 * @param isOlder it came before the other.
 */
export function rereadOf(other: PushMessage, now: PushMessage, isOlder: boolean): Reread {
  if (isOlder && now.state === 'UNSETTLED') return 'repeats';
  const repeat = repeatOf(other, now);
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
