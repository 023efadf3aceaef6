/**
 * Settles a proof with a session: credit, review or refusal. Runs inside the unit of work that read both, so
 * that the decision still holds when it is written.
 */
import type { Paisa } from '../../base/values/money.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import type { Disagreement, Match, ReviewReason } from '../../domain/matching/matching.js';
import { dueOn } from '../../domain/sessions/due.js';
import { isOpen, type SessionStatus } from '../../domain/sessions/session.js';
import type { ClaimState, Db } from '../../store/schema/index.js';
import { creditClaim } from '../../store/tables/proofs.js';
import {
  addProof,
  closeReview,
  dropAsked,
  refuseUnmatched,
  reviewOfMoney,
} from '../../store/tables/reviews.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Means } from '../core/core.js';
import { moveSession, putUnderReview } from '../sessions/move-session.js';
import { type ClaimedProof, creditProof, holderOf } from './credit-proof.js';
import { openReview, recordClaim } from './record-claim.js';

/** A session that is not completed, with what its brand says of matching. */
export interface ClaimingSession {
  readonly id: string;
  readonly brand_id: string;
  readonly gateway_reference: string;
  readonly merchant_id: string;
  readonly status: SessionStatus;
  readonly reason: string;
  readonly amount_paisa: number;
  readonly created_at: number;
  readonly expires_at: number;
  /** JSON text of the fees it was opened with, or null. */
  readonly fees: string | null;
  readonly proof_window_hours: number;
  readonly accounts_stamp: string;
}

export interface Settling {
  readonly session: ClaimingSession;
  readonly proof: ClaimedProof;
  /** What the customer said, which may be another name of the proof's reference. */
  readonly claimed: string;
  /** What the rules of the channel say of the two. */
  readonly match: Match;
}

export type Settled =
  | { readonly outcome: 'credited' }
  /** The reference was credited to another session before. */
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'under_review'; readonly reason: ReviewReason }
  /** `isNew`: nobody claimed it for this session before. */
  | { readonly outcome: 'disagrees'; readonly about: Disagreement; readonly isNew: boolean };

/**
 * Writes transaction, session, claim, review and audit as the match says; of what is credited at once no
 * claim is kept. Money for a session that was cancelled or ran out is never credited by a rule: the shop has
 * been told that it failed.
 */
export async function settleClaim(core: Means, db: Db, settling: Settling): Promise<Settled> {
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

async function credit(core: Means, db: Db, settling: Settling, paisa: Paisa): Promise<Settled> {
  const { session, proof, claimed } = settling;
  const { channel, reference } = proof;
  const now = core.clock.now();
  const { feePaisa } = dueOn(channel, session);
  // Of its other ids only this lookup knows whether another merchant has them.
  if (CHANNEL[channel].kind === 'pull' && (await isAnotherMerchants(db, settling)))
    return askAbout(core, db, settling);
  const outcome = await creditProof(core, db, { session, proof, paisa, feePaisa, by: 'rule' });
  if (outcome === 'taken') {
    return (await isAnotherMerchants(db, settling)) ? askAbout(core, db, settling) : { outcome };
  }
  const about = { channel, reference, proof: proof.id };
  await moveSession(core, db, { session, event: 'credit', who: 'rule', about, was: session.reason });
  const claim = { session: session.id, channel, reference: claimed, now };
  await creditClaim.all(db, claim);
  if (session.reason === 'review') {
    await closeReview(db, { ...claim, proof: proof.id });
    await dropAsked(db, claim);
  }
  return { outcome: 'credited' };
}

async function isAnotherMerchants(db: Db, { session, proof }: Settling): Promise<boolean> {
  return (await holderOf(db, session.merchant_id, proof)).by === 'other_merchant';
}

async function askAbout(core: Means, db: Db, settling: Settling): Promise<Settled> {
  await askPerson(core, db, settling, 'other_merchant');
  return { outcome: 'under_review', reason: 'other_merchant' };
}

async function askPerson(core: Means, db: Db, settling: Settling, reason: ReviewReason): Promise<void> {
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

async function recordOtherMerchant(core: Means, db: Db, { session, proof }: Settling): Promise<void> {
  const { channel, reference } = proof;
  await raiseAlert(core, db, {
    kind: 'payment.other_merchant',
    detail: { payment: session.gateway_reference, channel, reference },
    merchantId: session.merchant_id,
    incident: `payment.other_merchant:${session.id}:${channel}:${reference}`,
  });
}

/** One payment of an exchange has several ids, and spellings of them: a person is asked about it once. */
async function isAskedByOtherName(db: Db, { session, proof }: Settling): Promise<boolean> {
  if (!CHANNEL[proof.channel].hasManyIds) return false;
  return (await reviewOfMoney.first(db, { session: session.id, proof: proof.id })) !== undefined;
}

function record(
  core: Means,
  db: Db,
  { session, proof, claimed }: Settling,
  state: ClaimState,
  reason: string,
): Promise<boolean> {
  const { id, merchant_id: merchant } = session;
  const claim = { session: id, merchant, channel: proof.channel, reference: claimed, state, reason };
  return recordClaim(core, db, claim);
}
