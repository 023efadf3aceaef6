/**
 * Settles a proof with a session: credit, review or refusal. Runs in the database transaction that read both,
 * so the decision is still valid when it is written.
 */
import { formatTaka, type Paisa } from '../../base/values/money.js';
import type { LookupRefusal, Unavailable } from '../../channels/channel.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import type { Disagreement, Match, ReviewReason } from '../../domain/matching/matching.js';
import { dueOn, splitPart } from '../../domain/sessions/fees.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { ClaimState, Db } from '../../store/schema/index.js';
import { disputedPart } from '../../store/tables/money.js';
import { creditClaim } from '../../store/tables/proofs.js';
import {
  addProof,
  closeReview,
  dropAsked,
  refuseUnmatched,
  reviewOfMoney,
} from '../../store/tables/reviews.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core, WriteDeps } from '../core/core.js';
import { movePart, putUnderReview, transitionSession } from '../sessions/transition-session.js';
import { type ClaimedProof, creditProof, findHolder } from './credit-proof.js';
import { type ClaimingSession, openReview, recordClaim } from './record-claim.js';

export interface Settling {
  readonly session: ClaimingSession;
  readonly proof: ClaimedProof;
  /** Reference as the customer typed it, which may be another name of the proof's reference. */
  readonly claimed: string;
  /** Result of the channel's rules for proof and session. */
  readonly match: Match;
}

export type SettleOutcome =
  | { readonly outcome: 'credited' }
  /** A part was credited. `session`: its state and sums after that. */
  | { readonly outcome: 'part'; readonly session: ClaimingSession }
  /** The reference was credited to another session before. */
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'under_review'; readonly reason: ReviewReason }
  /** `isNew`: nobody claimed it for this session before. */
  | { readonly outcome: 'disagrees'; readonly about: Disagreement; readonly isNew: boolean };

/**
 * Writes transaction, session, claim, review and audit according to the match; a claim that is credited at
 * once is not stored. Rules never credit money for a cancelled or expired session, because the shop was
 * notified that it failed.
 */
export async function settleClaim(core: WriteDeps, db: Db, settling: Settling): Promise<SettleOutcome> {
  const { session, match } = settling;
  switch (match.outcome) {
    case 'credit':
      if (isOpen(session, core.clock.now())) return credit(core, db, settling, match.paisa);
      await askPerson(core, db, settling, 'late');
      return { outcome: 'under_review', reason: 'late' };
    case 'review':
      await askPerson(core, db, settling, match.reason);
      return { outcome: 'under_review', reason: match.reason };
    case 'disagree': {
      const isNew = await record(core, db, settling, 'REFUSED', match.about);
      // A person who still sees "no SMS" there would approve the whole amount, and credit what really came.
      const late = { session: session.id, channel: settling.proof.channel, reference: settling.claimed };
      const now = core.clock.now();
      if (!isOpen(session, now)) await refuseUnmatched(db, { ...late, now });
      else if (session.reason === 'review') await addProof.all(db, { ...late, proof: settling.proof.id });
      return { outcome: 'disagrees', about: match.about, isNew };
    }
    default:
      return match satisfies never;
  }
}

async function credit(core: WriteDeps, db: Db, settling: Settling, paisa: Paisa): Promise<SettleOutcome> {
  const { session, proof, claimed } = settling;
  const { channel, reference } = proof;
  const now = core.clock.now();
  const due = dueOn(channel, session);
  const isPart = paisa < due.totalPaisa;
  // After a part, other channels still have the price of the complete payment.
  if (session.paid_paisa > 0 && (paisa > due.totalPaisa || CHANNEL[channel].kind !== 'sms')) {
    await askPerson(core, db, settling, 'overpaid');
    return { outcome: 'under_review', reason: 'overpaid' };
  }
  if (session.paid_paisa > 0 && (await disputedPart.first(db, { session: session.id })) !== undefined) {
    await askPerson(core, db, settling, 'disputed');
    return { outcome: 'under_review', reason: 'disputed' };
  }
  const split = isPart ? splitPart(channel, session, paisa) : { feePaisa: due.feePaisa, restPaisa: 0 };
  const { feePaisa, restPaisa } = split;
  // Of its other ids only this lookup knows whether another merchant has them.
  if (CHANNEL[channel].kind === 'pull' && (await isAnotherMerchants(db, settling)))
    return reviewOtherMerchant(core, db, settling);
  const by = 'rule';
  const outcome = await creditProof(core, db, { session, proof, paisa, feePaisa, restPaisa, by });
  if (outcome === 'taken') {
    return (await isAnotherMerchants(db, settling)) ? reviewOtherMerchant(core, db, settling) : { outcome };
  }
  const about = { channel, reference, proof: proof.id };
  const claim = { session: session.id, channel, reference: claimed, now };
  await creditClaim.all(db, claim);
  const isReviewed = session.reason === 'review';
  if (isReviewed) await closeReview(db, { ...claim, proof: proof.id });
  if (isPart) {
    const reason = await movePart(core, db, {
      session,
      who: by,
      about: { ...about, ...partText(paisa, restPaisa) },
      isPaid: true,
    });
    const paid = {
      paid_paisa: session.paid_paisa + paisa,
      paid_fee_paisa: session.paid_fee_paisa + feePaisa,
    };
    return { outcome: 'part', session: { ...session, ...paid, reason } };
  }
  await transitionSession(core, db, { session, event: 'credit', who: by, about, was: session.reason });
  if (isReviewed) await dropAsked(db, claim);
  return { outcome: 'credited' };
}

/** @returns the amounts of a part, for the audit log. */
export function partText(paisa: Paisa, restPaisa: Paisa) {
  return { amount: formatTaka(paisa), rest: formatTaka(restPaisa) };
}

async function isAnotherMerchants(db: Db, { session, proof }: Settling): Promise<boolean> {
  return (await findHolder(db, session.merchant_id, proof)).by === 'other_merchant';
}

async function reviewOtherMerchant(core: WriteDeps, db: Db, settling: Settling): Promise<SettleOutcome> {
  await askPerson(core, db, settling, 'other_merchant');
  return { outcome: 'under_review', reason: 'other_merchant' };
}

async function askPerson(core: WriteDeps, db: Db, settling: Settling, reason: ReviewReason): Promise<void> {
  const { session, proof, claimed } = settling;
  const { channel } = proof;
  if (await isAskedByOtherName(db, settling)) {
    await record(core, db, settling, 'REVIEW', reason);
    return;
  }
  const about = { reason, channel, reference: claimed };
  const isNew = await openReview(core, db, { ...about, session: session.id, proof: proof.id });
  await record(core, db, settling, 'REVIEW', reason);
  if (!isNew) return;
  if (reason === 'other_merchant') await recordOtherMerchant(core, db, settling);
  await putUnderReview(core, db, session, 'rule', about);
}

async function recordOtherMerchant(core: WriteDeps, db: Db, { session, proof }: Settling): Promise<void> {
  const { channel, reference } = proof;
  await raiseAlert(core, db, {
    kind: 'payment.other_merchant',
    detail: { payment: session.gateway_reference, channel, reference },
    merchantId: session.merchant_id,
    incident: `payment.other_merchant:${session.id}:${channel}:${reference}`,
  });
}

/** True if under review by another name: an exchange's payment has several ids and spellings, one review. */
async function isAskedByOtherName(db: Db, { session, proof }: Settling): Promise<boolean> {
  if (!CHANNEL[proof.channel].hasManyIds) return false;
  return (await reviewOfMoney.first(db, { session: session.id, proof: proof.id })) !== undefined;
}

function record(
  core: WriteDeps,
  db: Db,
  { session, proof, claimed }: Settling,
  state: ClaimState,
  reason: string,
): Promise<boolean> {
  const { id, merchant_id: merchant } = session;
  const claim = { session: id, merchant, channel: proof.channel, reference: claimed, state, reason };
  return recordClaim(core, db, claim);
}

/** Results of settled claims, as session ids. */
export interface SettlementResult {
  /** Sessions that were completed. */
  readonly settled: readonly string[];
  /** Sessions that a part was credited to. */
  readonly parts: readonly string[];
  /** Sessions that were put under review. */
  readonly reviewed: readonly string[];
  /** Sessions whose claim was refused: what came disagrees with it, or pays another. */
  readonly refused: readonly string[];
}

export const NONE: SettlementResult = { settled: [], parts: [], reviewed: [], refused: [] };

/** @param decided sessions, with the outcome of a claim for each. */
export function settledAs(
  decided: readonly { readonly id: string; readonly outcome: SettleOutcome['outcome'] }[],
): SettlementResult {
  const of = (outcome: SettleOutcome['outcome']) =>
    decided.filter((one) => one.outcome === outcome).map(({ id }) => id);
  return {
    settled: of('credited'),
    parts: of('part'),
    reviewed: of('under_review'),
    refused: of('disagrees'),
  };
}

export function mergeResults(results: readonly SettlementResult[]): SettlementResult {
  return {
    settled: results.flatMap(({ settled }) => settled),
    parts: results.flatMap(({ parts }) => parts),
    reviewed: results.flatMap(({ reviewed }) => reviewed),
    refused: results.flatMap(({ refused }) => refused),
  };
}

/** Notifies pages that wait for these sessions. */
export function notifyListeners(core: Core, result: SettlementResult): void {
  const { settled, parts, reviewed, refused } = result;
  for (const session of [...settled, ...parts, ...reviewed, ...refused]) core.moved.tell(session);
}

export type ProofLookup =
  /** `at`: when the money moved, milliseconds since the epoch. */
  | {
      readonly outcome: 'proof';
      readonly proof: ClaimedProof;
      readonly match: Match;
      readonly at: number;
    }
  /** Proof that was already credited, perhaps to this session a moment ago. */
  | { readonly outcome: 'credited' }
  /** Proof that exists, but until this time it is unknown whether the claim was guessed. */
  | { readonly outcome: 'hold'; readonly untilMs: number }
  /** Proof that has not arrived yet, or never will. */
  | { readonly outcome: 'none' }
  | { readonly outcome: 'not_final'; readonly detail: string; readonly block: number | null }
  | LookupRefusal
  /** Several payers' numbers end with the same digits; the full number would distinguish them. */
  | { readonly outcome: 'ask_full_number' }
  /** Several payers that not even the full number would distinguish; an operator must find the right push. */
  | { readonly outcome: 'several_payers' }
  | Unavailable;
