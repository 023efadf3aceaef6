/**
 * Matching of a proof to a session. Only this module decides it for wallet SMS: a pure function of the proof,
 * the session and the brand's accounts, without clock or store. The other channels decide in matching-usdt
 * and matching-push and return the same types of verdict.
 */
import type { Paisa } from '../../base/values/money.js';
import { KINDS_OF_TYPE, type MfsAccountType } from '../accounts/channels.js';

export interface MatchProof {
  readonly amount_paisa: Paisa | null;
  /** Wallet number of the SIM that received the SMS; null if the phone could not report it. */
  readonly recipient: string | null;
  readonly kind: string;
  /** Of `weak` money the text alone decides nothing; see weak-money.ts. */
  readonly settle: 'auto' | 'weak' | 'review';
  /** The SMS that says otherwise of this money; null where none does. */
  readonly disputed_by: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface MatchSession {
  /** Amount due on the proof's channel, including its fee. */
  readonly due_paisa: Paisa;
  /** Smallest amount that pays something: of a payment in parts less than `due_paisa`. */
  readonly least_paisa: Paisa;
  readonly created_at: number;
}

export interface MatchAccount {
  readonly type: MfsAccountType;
  readonly number: string;
}

/** Reasons why money does not pay, for the merchant: the mismatch, without personal data. */
export const DISAGREEMENT_TEXT = {
  recipient: 'The transaction was received by another account than those of this brand',
  account_type: 'The kind of transaction does not fit the type of the receiving account',
  amount: 'The transaction amount does not match the payment amount',
  time: 'The transaction is older than the payment allows',
  failed: 'The transaction failed, it has moved no money',
  token: 'The transaction moves no USDT of the official contract',
  currency: 'The payment was not made in USDT',
  not_incoming: 'The transaction is not an incoming payment',
  other_payment: 'The transferred amount is that of another payment',
} as const;

export type Disagreement = keyof typeof DISAGREEMENT_TEXT;

export type MatchReview =
  | 'recipient_unknown'
  | 'amount_unknown'
  | 'overpaid'
  | 'contested'
  | 'sms_doubtful'
  | 'push_doubtful'
  /** A later text or push says otherwise of this money. */
  | 'disputed'
  /** The payer named this payment, but the money was already credited to another one. */
  | 'already_credited'
  /** An id that strangers can guess, claimed in a way that a guess would have (weak-ids.ts). */
  | 'claimed_before_payment'
  | 'opened_after_payment'
  | 'may_be_guessed'
  /** Weak money (weak-money.ts) for which only one witness speaks, or that more than one payment requests. */
  | 'payer_unknown'
  | 'payer_differs'
  | 'several_payments';

/** Reason why a claim is under review: the result of the match, or the way in which the claim was made. */
export type ReviewReason =
  | MatchReview
  | 'late'
  | 'late_claim'
  | 'bank_transfer'
  | 'several_payers'
  /** The customer sent it to the seller, because it was not found or does not fit. */
  | 'customer_asked'
  /** The money was credited to another merchant of this installation. */
  | 'other_merchant'
  /** An operator has seen the money; no proof of it is stored here. */
  | 'seen_by_operator';

export type Match =
  | { readonly outcome: 'credit'; readonly paisa: Paisa }
  | { readonly outcome: 'review'; readonly reason: MatchReview }
  | { readonly outcome: 'disagree'; readonly about: Disagreement };

/**
 * Checks every condition for a wallet payment, except the reference, which the search for the proof has
 * compared.
 * @param accounts the brand's active accounts on the proof's channel.
 * @param windowHours how much older than the session the money may be.
 */
export function matchProof(
  proof: MatchProof,
  session: MatchSession,
  accounts: readonly MatchAccount[],
  windowHours: number,
): Match {
  const receiving = accounts.filter((account) => account.number === proof.recipient);
  if (proof.recipient !== null && receiving.length === 0) return { outcome: 'disagree', about: 'recipient' };
  if (proof.at < session.created_at - windowHours * 3_600_000) return { outcome: 'disagree', about: 'time' };
  if (proof.amount_paisa !== null && proof.amount_paisa < session.least_paisa) {
    return { outcome: 'disagree', about: 'amount' };
  }
  if (proof.disputed_by !== null) return { outcome: 'review', reason: 'disputed' };
  if (proof.settle !== 'auto') return { outcome: 'review', reason: 'sms_doubtful' };
  if (proof.recipient === null) return { outcome: 'review', reason: 'recipient_unknown' };
  if (!receiving.some((account) => KINDS_OF_TYPE[account.type].includes(proof.kind))) {
    return { outcome: 'disagree', about: 'account_type' };
  }
  if (proof.amount_paisa === null) return { outcome: 'review', reason: 'amount_unknown' };
  if (proof.amount_paisa > session.due_paisa) return { outcome: 'review', reason: 'overpaid' };
  return { outcome: 'credit', paisa: proof.amount_paisa };
}

/** @param reason of a refused claim, which may have been refused for something else. */
export function isDisagreement(reason: string): reason is Disagreement {
  return Object.hasOwn(DISAGREEMENT_TEXT, reason);
}
