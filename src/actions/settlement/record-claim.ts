/** Records a claim as waiting, refused or under review, in the database transaction that decides. */
import { newRowId } from '../../base/values/ids.js';
import type { Paisa } from '../../base/values/money.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { isTypedPayer } from '../../domain/matching/payer.js';
import { isGuessable } from '../../domain/matching/weak-ids.js';
import { dueOn, type PricedSession } from '../../domain/sessions/fees.js';
import type { SessionStatus } from '../../domain/sessions/session.js';
import type { ClaimState, Db } from '../../store/schema/index.js';
import { putClaim, renewClaim, scheduleClaim, unmatchedClaims } from '../../store/tables/proofs.js';
import { putReview, reviewsOfSession } from '../../store/tables/reviews.js';
import { raiseReviewAlert } from '../alerts/raise-alert.js';
import type { WriteDeps } from '../core/core.js';
import { closeOverdue, putUnderReview } from '../sessions/transition-session.js';

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
  /** True (1) if several proofs may pay it together. */
  readonly takes_parts: number;
  /** All that was credited so far, and the fees in it. */
  readonly paid_paisa: number;
  readonly paid_fee_paisa: number;
  readonly proof_window_hours: number;
  readonly accounts_stamp: string;
}

interface RecordedClaim {
  /** Session id. */
  readonly session: string;
  readonly merchant: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly state: ClaimState;
  /** A word for why it is so: `not_seen_yet`, `credited`, a disagreement, a review's reason. */
  readonly reason: string;
  /** Amount due on that channel, for a claim that is also looked up by its price. */
  readonly duePaisa?: Paisa | null;
  /** Keyed hash of the address that made the claim; absent if a shop's server made it. */
  readonly addressMark?: string | null | undefined;
  /** True if the claim was made before; absent if that has not been read. */
  readonly isKnown?: boolean | undefined;
}

/** A claim that was made before is brought up to date. @returns whether it is a new one. */
export async function recordClaim(core: WriteDeps, db: Db, claim: RecordedClaim): Promise<boolean> {
  const now = core.clock.now();
  const isUndecided = claim.state === 'WAITING' || claim.reason === 'bank_transfer';
  const id = newRowId(core.random, now, 'claim');
  const row = {
    duePaisa: null,
    ...claim,
    addressMark: claim.addressMark ?? null,
    id,
    now,
    decidedAt: isUndecided ? null : now,
  };
  if (claim.isKnown === true) {
    await renewClaim.all(db, row);
    return false;
  }
  return (await putClaim.first(db, row))?.id === id;
}

/** @returns the review of that very claim, open or decided; undefined where there never was one. */
export async function reviewOfClaim(
  db: Db,
  { session, channel, reference }: Pick<RecordedClaim, 'session' | 'channel' | 'reference'>,
) {
  const all = await reviewsOfSession(db, session);
  return all.find((review) => review.channel === channel && review.reference === reference);
}

/** @returns true if a review was written; false if there was one already. */
export async function openReview(
  core: WriteDeps,
  db: Db,
  about: Omit<Parameters<typeof putReview.first>[1], 'id' | 'now'>,
): Promise<boolean> {
  const now = core.clock.now();
  const opened = await putReview.first(db, { ...about, id: newRowId(core.random, now, 'review'), now });
  if (opened === undefined) return false;
  await raiseReviewAlert(core, db, { ...about, id: opened.id });
  return true;
}

export interface ClaimKey {
  readonly merchant: string;
  readonly channel: PayChannel;
  readonly reference: string;
  /** True if the session has made this claim before; absent if that has not been read. */
  readonly isKnown?: boolean;
  /** Keyed hash of the address that made the claim; absent if a shop's server made it. */
  readonly addressMark?: string | null | undefined;
}

type WaitingSession = Pick<ClaimingSession, 'id' | 'status' | 'reason' | 'expires_at' | keyof PricedSession>;

/** Time until the first recheck, ms: short enough for a customer who waits, long enough for a new block. */
const FIRST_RECHECK_MS = 2_000;

/**
 * Maximum number of claims per session that are rechecked while no source has seen their payments; the newest
 * are used. Otherwise somebody who invents ids would keep the sources busy for hours.
 */
const MAX_UNSEEN_ASKED = 3;

/** Keeps a claim until its proof arrives or it is rechecked. @returns true if the claim is new. */
export async function keepClaim(
  core: WriteDeps,
  db: Db,
  session: WaitingSession,
  claim: ClaimKey & { readonly reason: string; readonly block: number | null },
): Promise<boolean> {
  const { block, ...kept } = claim;
  const { channel, reference } = kept;
  const duePaisa = priceOf(kept, session);
  const isNew = await recordClaim(core, db, { ...kept, session: session.id, state: 'WAITING', duePaisa });
  if (CHANNEL[channel].kind !== 'pull') return isNew;
  const nextAt = core.clock.now() + FIRST_RECHECK_MS;
  await scheduleClaim.all(db, { session: session.id, channel, reference, nextAt, block });
  if (block !== null) return isNew;
  const unmatched = await unmatchedClaims.all(db, { session: session.id });
  const others = unmatched.filter((one) => one.channel !== channel || one.reference !== reference);
  for (const old of others.slice(MAX_UNSEEN_ASKED - 1)) {
    const given = { session: session.id, channel: old.channel, reference: old.reference };
    await scheduleClaim.all(db, { ...given, nextAt: null, block: null });
  }
  return isNew;
}

/**
 * Holds a claim whose money has arrived until it is known whether others are guessing ids at the same time.
 * @returns true if the claim is new.
 */
export async function holdClaim(
  core: WriteDeps,
  db: Db,
  session: WaitingSession,
  claim: ClaimKey & { readonly untilMs: number },
): Promise<boolean> {
  const { untilMs: nextAt, ...kept } = claim;
  const { channel, reference } = kept;
  const about = { ...kept, session: session.id };
  const duePaisa = priceOf(kept, session);
  const isNew = await recordClaim(core, db, { ...about, state: 'WAITING', reason: 'held', duePaisa });
  await scheduleClaim.all(db, { session: session.id, channel, reference, nextAt, block: null });
  return isNew;
}

/** Price by which money finds a claim by number and guesses are counted; null if neither applies. */
function priceOf(
  { channel, reference }: Pick<ClaimKey, 'channel' | 'reference'>,
  session: WaitingSession,
): Paisa | null {
  const isPriced = isGuessable(channel) || isTypedPayer(reference);
  return isPriced ? dueOn(channel, session).totalPaisa : null;
}

/** @returns whether it is a new one. */
export function refuseClaim(
  core: WriteDeps,
  db: Db,
  session: { readonly id: string },
  claim: ClaimKey & { readonly reason: string },
): Promise<boolean> {
  return recordClaim(core, db, { ...claim, session: session.id, state: 'REFUSED' });
}

/** Maximum number of ids that a customer may submit after the session expired; each needs manual review. */
const MAX_UNSEEN = 3;

/** Requests manual review for a late claim whose proof may never come: the operator checks the account. */
export async function requestLateReview(
  core: WriteDeps,
  db: Db,
  session: WaitingSession,
  { channel, reference }: ClaimKey,
): Promise<void> {
  await closeOverdue(core, db, session);
  const asked = await reviewsOfSession(db, session.id);
  if (asked.length >= MAX_UNSEEN) return;
  const about = { session: session.id, channel, reference, proof: null };
  await openReview(core, db, { ...about, reason: 'late_claim' });
}

/** Requests manual review: several pushes match the customer's input, and no number distinguishes them. */
export async function requestPushReview(
  core: WriteDeps,
  db: Db,
  session: ClaimingSession,
  { merchant, channel, reference }: ClaimKey,
): Promise<void> {
  const about = { reason: 'several_payers', channel, reference } as const;
  const isNew = await openReview(core, db, { ...about, session: session.id, proof: null });
  const duePaisa = priceOf(about, session);
  await recordClaim(core, db, { ...about, session: session.id, merchant, state: 'REVIEW', duePaisa });
  if (isNew) await putUnderReview(core, db, session, 'rule', about);
}
