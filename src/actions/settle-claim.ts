/**
 * The one way from "this proof and this session" to money credited, a person asked, or a refusal. Runs
 * inside the unit of work that read both, so that what was decided on still holds when it is written.
 */
import { newRowId } from '../base/ids.js';
import { type Disagreement, matchProof, type ReviewReason } from '../domain/matching.js';
import { moveOf, type SessionEvent } from '../domain/session.js';
import { RetryableConflict } from '../store/driver-errors.js';
import type { Db } from '../store/schema.js';
import { activeAccounts } from '../store/tables/accounts.js';
import { writeAudit } from '../store/tables/audit.js';
import { closeReview, putClaim, putReview } from '../store/tables/proofs.js';
import { insertTransaction, moveSession } from '../store/tables/sessions.js';
import type { Core } from './core.js';

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

/** A session that is open (domain/session, `isOpen`), with what its brand says of matching. */
export interface ClaimingSession {
  readonly id: string;
  readonly brand_id: string;
  readonly merchant_id: string;
  readonly reason: string;
  readonly amount_paisa: number;
  readonly created_at: number;
  readonly proof_window_hours: number;
}

export type Settled =
  | { readonly outcome: 'credited' }
  /** The reference was credited to another session before. */
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'under_review'; readonly reason: ReviewReason }
  | { readonly outcome: 'disagrees'; readonly about: Disagreement };

/** Decides (domain/matching) and writes transaction, session, claim, review and audit accordingly. */
export async function settleClaim(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: ClaimedProof,
): Promise<Settled> {
  const accounts = await activeAccounts.all(db, { brand: session.brand_id });
  const onChannel = accounts.filter((account) => account.channel === proof.channel);
  const match = matchProof(proof, session, onChannel, session.proof_window_hours);
  switch (match.outcome) {
    case 'credit':
      return credit(core, db, session, proof, match.paisa);
    case 'review':
      await askPerson(core, db, session, proof, match.reason);
      return { outcome: 'under_review', reason: match.reason };
    case 'disagree':
      await recordClaim(core, db, session, proof, 'REFUSED', match.about);
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
    now,
    by: 'rule',
  });
  if (won === undefined) return { outcome: 'taken' };
  await moveOpen(db, session, 'credit', now);
  await recordClaim(core, db, session, proof, 'CREDITED', 'credited');
  if (session.reason === 'review') {
    await closeReview(db, { session: session.id, channel: proof.channel, reference: proof.reference, now });
  }
  await writeAudit(db, core.random, {
    at: now,
    who: 'rule',
    action: 'payment.credit',
    subject: session.id,
    before: { status: 'PENDING' },
    after: { status: 'COMPLETED', channel: proof.channel, reference: proof.reference, proof: proof.id },
  });
  return { outcome: 'credited' };
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
  await recordClaim(core, db, session, proof, 'REVIEW', reason);
  if (opened === undefined) return;
  await moveOpen(db, session, 'review', now);
  await writeAudit(db, core.random, {
    at: now,
    who: 'rule',
    action: 'payment.review',
    subject: session.id,
    after: { reason, channel: proof.channel, reference: proof.reference },
  });
}

/** Only while it is as it was read: otherwise nothing of this unit may stay, and all is decided anew. */
async function moveOpen(db: Db, session: ClaimingSession, event: SessionEvent, now: number): Promise<void> {
  const move = moveOf('PENDING', event);
  const closedAt = move?.to === 'PENDING' ? null : now;
  const moved = move && (await moveSession.first(db, { id: session.id, ...move, closedAt }));
  if (!moved) throw new RetryableConflict(`session moved before the event ${event}`);
}

function recordClaim(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: ClaimedProof,
  state: 'CREDITED' | 'REVIEW' | 'REFUSED',
  reason: string,
): Promise<unknown> {
  const now = core.clock.now();
  return putClaim.all(db, {
    id: newRowId(core.random, now, 'claim'),
    session: session.id,
    merchant: session.merchant_id,
    channel: proof.channel,
    reference: proof.reference,
    state,
    reason,
    now,
    decidedAt: now,
  });
}
