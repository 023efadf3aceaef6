/**
 * The one way from "this proof and this session" to money credited, a person asked, or a refusal. Runs
 * inside the unit of work that read both, so that what was decided on still holds when it is written.
 */
import { newRowId } from '../base/ids.js';
import { feeOn, readFees } from '../domain/fees.js';
import { type Disagreement, matchProof, type ReviewReason } from '../domain/matching.js';
import { isOpen, type SessionStatus } from '../domain/session.js';
import type { ClaimState, Db } from '../store/schema.js';
import { closeReview, creditClaim, putReview, refuseUnseen } from '../store/tables/proofs.js';
import { insertTransaction } from '../store/tables/sessions.js';
import type { Core } from './core.js';
import { closeOverdue, moveSession } from './move-session.js';
import { recordClaim } from './record-claim.js';

export interface ClaimedProof {
  readonly id: string;
  readonly channel: string;
  readonly reference: string;
  readonly amount_paisa: number | null;
  readonly recipient: string | null;
  readonly kind: string;
  readonly settle: 'auto' | 'review';
  readonly at: number;
}

/** A session that is not completed, with what its brand says of matching. */
export interface ClaimingSession {
  readonly id: string;
  readonly brand_id: string;
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

export type Settled =
  | { readonly outcome: 'credited' }
  /** The reference was credited to another session before. */
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'under_review'; readonly reason: ReviewReason }
  | { readonly outcome: 'disagrees'; readonly about: Disagreement };

/**
 * Decides (domain/matching) and writes transaction, session, claim, review and audit accordingly; of what is
 * credited at once no claim is kept. Money for a session that was cancelled or ran out is never credited by a
 * rule: the shop has been told that it failed.
 */
export async function settleClaim(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: ClaimedProof,
): Promise<Settled> {
  const accounts = await core.accounts.of(db, session);
  const onChannel = accounts.filter((account) => account.channel === proof.channel);
  const feePaisa = feeOn(readFees(session.fees), proof.channel, session.amount_paisa);
  const due = { due_paisa: session.amount_paisa + feePaisa, created_at: session.created_at };
  const match = matchProof(proof, due, onChannel, session.proof_window_hours);
  switch (match.outcome) {
    case 'credit':
      if (isOpen(session, core.clock.now())) return credit(core, db, session, proof, match.paisa, feePaisa);
      await askPerson(core, db, session, proof, 'late');
      return { outcome: 'under_review', reason: 'late' };
    case 'review':
      await askPerson(core, db, session, proof, match.reason);
      return { outcome: 'under_review', reason: match.reason };
    case 'disagree':
      await record(core, db, session, proof, 'REFUSED', match.about);
      if (!isOpen(session, core.clock.now())) await refuseLate(core, db, session, proof);
      return { outcome: 'disagrees', about: match.about };
    default:
      return match satisfies never;
  }
}

async function credit(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: ClaimedProof,
  paisa: number,
  feePaisa: number,
): Promise<Settled> {
  const now = core.clock.now();
  const won = await insertTransaction.first(db, {
    id: newRowId(core.random, now, 'transaction'),
    session: session.id,
    brand: session.brand_id,
    proof: proof.id,
    channel: proof.channel,
    reference: proof.reference,
    paisa,
    feePaisa,
    now,
    by: 'rule',
  });
  if (won === undefined) return { outcome: 'taken' };
  const { channel, reference } = proof;
  const about = { channel, reference, proof: proof.id };
  await moveSession(core, db, { session, event: 'credit', who: 'rule', about });
  await creditClaim.all(db, { session: session.id, channel, reference, now });
  if (session.reason === 'review') await closeReview(db, { session: session.id, channel, reference, now });
  return { outcome: 'credited' };
}

/** A person who still sees "no SMS" there would approve the whole amount, and credit what really came. */
function refuseLate(core: Core, db: Db, session: ClaimingSession, proof: ClaimedProof): Promise<void> {
  const { channel, reference } = proof;
  return refuseUnseen(db, { session: session.id, channel, reference, now: core.clock.now() });
}

async function askPerson(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: ClaimedProof,
  reason: ReviewReason,
): Promise<void> {
  const now = core.clock.now();
  const opened = await putReview.first(db, {
    id: newRowId(core.random, now, 'review'),
    session: session.id,
    channel: proof.channel,
    reference: proof.reference,
    proof: proof.id,
    reason,
    now,
  });
  await record(core, db, session, proof, 'REVIEW', reason);
  if (opened === undefined) return;
  const { channel, reference } = proof;
  if (isOpen(session, now)) {
    const about = { reason, channel, reference };
    await moveSession(core, db, { session, event: 'review', who: 'rule', about });
  } else {
    await closeOverdue(core, db, session);
  }
}

function record(
  core: Core,
  db: Db,
  session: ClaimingSession,
  { channel, reference }: ClaimedProof,
  state: ClaimState,
  reason: string,
): Promise<void> {
  const claim = { session: session.id, merchant: session.merchant_id, channel, reference, state, reason };
  return recordClaim(core, db, claim);
}
