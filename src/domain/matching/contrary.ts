/**
 * Does a later text contradict a known transaction: money returned, another amount, or words that nobody
 * knows? Real wordings are not public, so the kind of the text and its id decide. Pure.
 */
import type { Paisa } from '../../base/values/money.js';

/** What a text says under the id of money that came in. */
export interface LaterText {
  readonly kind: string;
  /** It says in words that the transaction was reversed, returned or failed. */
  readonly isTakenBack: boolean;
  /** It may tell of the same money in other words, as a person may find; left out where it is none. */
  readonly mayBeMoney?: boolean;
  readonly amountPaisa: Paisa | null;
  /** The wallet number of the SIM that received the text; null where nobody knows. */
  readonly recipient: string | null;
}

interface KnownMoney {
  readonly amount_paisa: Paisa | null;
  readonly recipient: string | null;
}

/** The same money in another wording, from a forwarder or a second phone. */
const MONEY_IN: readonly string[] = [
  'received',
  'cash_in',
  'payment_received',
  'cash_out_received',
  'b2b_received',
];
/** What money does that comes in no more. */
const MONEY_BACK: readonly string[] = ['outgoing', 'pending', 'failed', 'refund'];

/** An id is kept of such a text only where it says more than a part of a message does. */
const WORDS_UNKNOWN = 'unknown';

/** Whether it tells of money that came in. */
export function isMoneyIn({ kind, isTakenBack }: LaterText): boolean {
  return !isTakenBack && MONEY_IN.includes(kind);
}

/** Whether `saysOtherwise` can be true of a text. */
export function mayContradict({ kind, isTakenBack }: LaterText): boolean {
  return isTakenBack || kind === WORDS_UNKNOWN || MONEY_IN.includes(kind) || MONEY_BACK.includes(kind);
}

/**
 * A text that another SIM received reports another wallet: one who pays from one shop wallet to the other has
 * the same id in both.
 */
export function saysOtherwise(text: LaterText, money: KnownMoney): boolean {
  const { recipient } = text;
  if (recipient !== null && money.recipient !== null && recipient !== money.recipient) return false;
  if (text.isTakenBack || MONEY_BACK.includes(text.kind)) return true;
  if (text.kind === WORDS_UNKNOWN && text.mayBeMoney !== true) return true;
  if (text.kind !== WORDS_UNKNOWN && !MONEY_IN.includes(text.kind)) return false;
  const isKnown = text.amountPaisa !== null && money.amount_paisa !== null;
  return isKnown && text.amountPaisa !== money.amount_paisa;
}
