/**
 * What is written down of a claim, that it waits, is refused or that a person is asked, inside the unit of
 * work that decided it.
 */
import { newRowId } from '../../base/values/ids.js';
import type { Paisa } from '../../base/values/money.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { isGuessable } from '../../domain/matching/weak-ids.js';
import { dueOn } from '../../domain/sessions/fees.js';
import type { SessionStatus } from '../../domain/sessions/session.js';
import type { ClaimState, Db } from '../../store/schema/index.js';
import { putClaim, renewClaim, scheduleClaim, unmatchedClaims } from '../../store/tables/proofs.js';
import { putReview, reviewsOfSession } from '../../store/tables/reviews.js';
import { tellReview } from '../alerts/raise-alert.js';
import type { Means } from '../core/core.js';
import { closeOverdue, putUnderReview } from '../sessions/move-session.js';

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

interface RecordedClaim {
  /** Session id. */
  readonly session: string;
  readonly merchant: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly state: ClaimState;
  /** A word for why it is so: `not_seen_yet`, `credited`, a disagreement, a review's reason. */
  readonly reason: string;
  /** What the session costs there, of a claim that is also looked for by its price. */
  readonly duePaisa?: Paisa | null;
  /** Of the address from which it is made; absent where a shop's server makes it. */
  readonly addressMark?: string | null | undefined;
  /** Whether it was made before; absent where that has not been read. */
  readonly isKnown?: boolean | undefined;
}

/** A claim that was made before is brought up to date. @returns whether it is a new one. */
export async function recordClaim(core: Means, db: Db, claim: RecordedClaim): Promise<boolean> {
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

/** @returns whether something was written: not where a person was asked before. */
export async function openReview(
  core: Means,
  db: Db,
  about: Omit<Parameters<typeof putReview.first>[1], 'id' | 'now'>,
): Promise<boolean> {
  const now = core.clock.now();
  const opened = await putReview.first(db, { ...about, id: newRowId(core.random, now, 'review'), now });
  if (opened === undefined) return false;
  await tellReview(core, db, { ...about, id: opened.id });
  return true;
}

export interface ClaimKey {
  readonly merchant: string;
  readonly channel: PayChannel;
  readonly reference: string;
  /** Whether the session has claimed it before; absent where that has not been read. */
  readonly isKnown?: boolean;
  /** Of the address from which it is made; absent where a shop's server makes it. */
  readonly addressMark?: string | null | undefined;
}

type WaitingSession = Pick<
  ClaimingSession,
  'id' | 'status' | 'reason' | 'expires_at' | 'fees' | 'amount_paisa'
>;

/** Soon enough for a customer who waits, late enough for a block to be made. */
const FIRST_RECHECK_MS = 2_000;

/**
 * Claims of a session that are asked for again while nobody has seen anything of them, the newest. Somebody
 * who makes ids up would keep the sources busy for hours otherwise.
 */
const MAX_UNSEEN_ASKED = 3;

/** Lets a claim wait for its proof, or to be asked for again. @returns whether it is a new one. */
export async function keepClaim(
  core: Means,
  db: Db,
  session: WaitingSession,
  claim: ClaimKey & { readonly reason: string; readonly block: number | null },
): Promise<boolean> {
  const { block, ...kept } = claim;
  const { channel, reference } = kept;
  const duePaisa = priceOf(channel, session);
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
 * Holds a claim whose money is there until it is known whether others guess beside it.
 * @returns whether it is a new one.
 */
export async function holdClaim(
  core: Means,
  db: Db,
  session: WaitingSession,
  claim: ClaimKey & { readonly untilMs: number },
): Promise<boolean> {
  const { untilMs: nextAt, ...kept } = claim;
  const { channel, reference } = kept;
  const about = { ...kept, session: session.id };
  const duePaisa = priceOf(channel, session);
  const isNew = await recordClaim(core, db, { ...about, state: 'WAITING', reason: 'held', duePaisa });
  await scheduleClaim.all(db, { session: session.id, channel, reference, nextAt, block: null });
  return isNew;
}

/**
 * By its price a push finds a claim by a number, and guesses are counted. @returns null where neither is so.
 */
function priceOf(channel: PayChannel, session: WaitingSession): Paisa | null {
  return isGuessable(channel) ? dueOn(channel, session).totalPaisa : null;
}

/** @returns whether it is a new one. */
export function refuseClaim(
  core: Means,
  db: Db,
  session: { readonly id: string },
  claim: ClaimKey & { readonly reason: string },
): Promise<boolean> {
  return recordClaim(core, db, { ...claim, session: session.id, state: 'REFUSED' });
}

/** Ids that a customer may give after the time was over, each for a person to look up. */
const MAX_UNSEEN = 3;

/** The proof may never come, which is when a customer says so: a person looks into the account itself. */
export async function askForUnmatched(
  core: Means,
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

/** Several pushes fit what the customer gave, and no number would tell them apart. */
export async function askWhichPush(
  core: Means,
  db: Db,
  session: ClaimingSession,
  { merchant, channel, reference }: ClaimKey,
): Promise<void> {
  const about = { reason: 'several_payers', channel, reference } as const;
  const isNew = await openReview(core, db, { ...about, session: session.id, proof: null });
  const duePaisa = priceOf(channel, session);
  await recordClaim(core, db, { ...about, session: session.id, merchant, state: 'REVIEW', duePaisa });
  if (isNew) await putUnderReview(core, db, session, 'rule', about);
}
