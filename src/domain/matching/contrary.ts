/**
 * Contradictions between a later text and a known transaction: money returned, another amount, or unknown
 * wording. Real texts of this kind are not public, so the kind of the text and its id decide. Pure.
 */
import type { Paisa } from '../../base/values/money.js';

/** Text with the id of money that was received. */
export interface LaterText {
  readonly kind: string;
  /** True if the text says that the transaction was reversed, returned or failed. */
  readonly isTakenBack: boolean;
  /** True if manual review may find that the text reports the same money in other words; absent if not. */
  readonly mayBeMoney?: boolean;
  readonly amountPaisa: Paisa | null;
  /** The wallet number of the SIM that received the text; null where nobody knows. */
  readonly recipient: string | null;
}

interface KnownMoney {
  readonly amount_paisa: Paisa | null;
  readonly recipient: string | null;
}

/** Kinds that report the same money in another wording, from a forwarder or a second phone. */
const MONEY_IN: readonly string[] = [
  'received',
  'cash_in',
  'payment_received',
  'cash_out_received',
  'b2b_received',
];
/** Kinds that report money that is no longer received. */
const MONEY_BACK: readonly string[] = ['outgoing', 'pending', 'failed', 'refund'];

/** An id is kept of such a text only where it says more than a part of a message does. */
const WORDS_UNKNOWN = 'unknown';

/** True if the text reports money that was received. */
export function reportsReceivedMoney({ kind, isTakenBack }: LaterText): boolean {
  return !isTakenBack && MONEY_IN.includes(kind);
}

/** True if `contradicts` can return true for the text. */
export function mayContradict({ kind, isTakenBack }: LaterText): boolean {
  return isTakenBack || kind === WORDS_UNKNOWN || MONEY_IN.includes(kind) || MONEY_BACK.includes(kind);
}

/**
 * True if the text contradicts the known money. A text that another SIM received belongs to another wallet: a
 * transfer between two wallets of a shop has the same id in both.
 */
export function contradicts(text: LaterText, money: KnownMoney): boolean {
  const { recipient } = text;
  if (recipient !== null && money.recipient !== null && recipient !== money.recipient) return false;
  if (text.isTakenBack || MONEY_BACK.includes(text.kind)) return true;
  if (text.kind === WORDS_UNKNOWN && text.mayBeMoney !== true) return true;
  if (text.kind !== WORDS_UNKNOWN && !MONEY_IN.includes(text.kind)) return false;
  const isKnown = text.amountPaisa !== null && money.amount_paisa !== null;
  return isKnown && text.amountPaisa !== money.amount_paisa;
}
