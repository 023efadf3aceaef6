/**
 * Whether a reference pays a session, in one unit of work: look at the session, find the proof, settle it or
 * keep the claim. The API and the checkout page ask the same question and word the answer each in its way.
 */
import { newRowId } from '../base/ids.js';
import type { Disagreement } from '../domain/matching.js';
import { isOpen } from '../domain/session.js';
import type { Db } from '../store/schema.js';
import { lockMerchant } from '../store/tables/merchants.js';
import { holderOfReference, proofByReference, putReview } from '../store/tables/proofs.js';
import { reviewsOfSession } from '../store/tables/reviews.js';
import { countMiss, sessionOfBrand } from '../store/tables/sessions.js';
import type { BrandContext } from './brand-context.js';
import type { Core } from './core.js';
import { closeOverdue } from './move-session.js';
import { recordClaim } from './record-claim.js';
import { settleClaim } from './settle-claim.js';

export interface Claim {
  readonly brand: BrandContext;
  readonly sessionId: string;
  /** Channel identifier of a channel that this version serves. */
  readonly method: string;
  /** In the one form in which it is kept (domain/reference), or null for a text that can be no id. */
  readonly reference: string | null;
  /**
   * True where the customer says it on our own page: a session that is over without money then still takes
   * the claim, which goes before a person. To a shop's server such a session is gone (design.md section 5).
   */
  readonly acceptsLate: boolean;
}

export type ClaimedSession = NonNullable<Awaited<ReturnType<typeof sessionOfBrand.first>>>;

/** What was found. Refusals are values, because a refusal too leaves rows that must stay. */
export type Verdict =
  | { readonly outcome: 'completed' | 'under_review'; readonly session: ClaimedSession }
  | {
      readonly outcome:
        | 'session_not_found'
        | 'session_completed'
        | 'too_many_attempts'
        | 'not_found'
        | 'already_credited';
    }
  | { readonly outcome: 'disagrees'; readonly about: Disagreement };

/** Idempotent: the same claim again finds the same, for ever. */
export async function decideClaim(core: Core, claim: Claim): Promise<Verdict> {
  const verdict = await core.store.write((db) => decide(core, db, claim));
  if (verdict.outcome === 'completed' || verdict.outcome === 'under_review') core.moved.tell(claim.sessionId);
  return verdict;
}

async function decide(core: Core, db: Db, input: Claim): Promise<Verdict> {
  const { brand, method, reference } = input;
  const session = await sessionOfBrand.first(db, { id: input.sessionId, brand: brand.brandId });
  if (session === undefined) return { outcome: 'session_not_found' };
  if (session.status === 'COMPLETED') {
    const same = session.credited_channel === method && session.credited_reference === reference;
    return same ? { outcome: 'completed', session } : refuseOther(db, session, method, reference);
  }
  if (!takesClaims(session, input, core.clock.now())) return { outcome: 'session_not_found' };
  if (session.misses >= core.settings.missesPerSession) return { outcome: 'too_many_attempts' };
  if (reference === null) {
    await countMiss.all(db, { id: session.id });
    return { outcome: 'not_found' };
  }
  const key = { merchant: brand.merchantId, channel: method, reference };
  if (!isOpen(session, core.clock.now()) && (await wasRejected(db, session, key))) {
    return { outcome: 'session_not_found' };
  }
  let proof = await proofByReference.first(db, key);
  if (proof === undefined && db.engine !== 'sqlite') {
    // The SMS may be arriving in a unit of work that cannot see this claim, as this one cannot see it.
    await lockMerchant(db, brand.merchantId);
    proof = await proofByReference.first(db, key);
  }
  if (proof === undefined) {
    await keepClaim(core, db, session.id, key);
    if (isOpen(session, core.clock.now())) return { outcome: 'not_found' };
    await askForUnseen(core, db, session, key);
    return { outcome: 'under_review', session };
  }
  // Also when it was credited to this very session, between the reading of the session and of the proof.
  if (proof.credited_session !== null) return afterLostRace(db, input);
  const claiming = {
    ...session,
    merchant_id: brand.merchantId,
    proof_window_hours: brand.proofWindowHours,
    accounts_stamp: brand.accountsStamp,
  };
  const settled = await settleClaim(core, db, claiming, proof);
  switch (settled.outcome) {
    case 'credited':
      return { outcome: 'completed', session };
    case 'taken':
      return afterLostRace(db, input);
    case 'under_review':
      return { outcome: 'under_review', session };
    case 'disagrees':
      await countMiss.all(db, { id: session.id });
      return settled;
    default:
      return settled satisfies never;
  }
}

function takesClaims(session: ClaimedSession, { acceptsLate }: Claim, now: number): boolean {
  if (isOpen(session, now)) return true;
  return acceptsLate && session.reason !== 'rejected';
}

/** A person has decided already: nobody would be asked anew, and no page may say that somebody is. */
async function wasRejected(
  db: Db,
  session: ClaimedSession,
  { channel, reference }: { readonly channel: string; readonly reference: string },
): Promise<boolean> {
  const asked = await reviewsOfSession(db, session.id);
  return asked.some(
    (review) => review.channel === channel && review.reference === reference && review.state === 'REJECTED',
  );
}

/** Ids that a customer may give after the time was over, each for a person to look up. */
const MAX_UNSEEN = 3;

/** The SMS may never come, which is when a customer says so: a person looks into the wallet itself. */
async function askForUnseen(
  core: Core,
  db: Db,
  session: ClaimedSession,
  { channel, reference }: { readonly channel: string; readonly reference: string },
): Promise<void> {
  const now = core.clock.now();
  await closeOverdue(core, db, session);
  const asked = await reviewsOfSession(db, session.id);
  if (asked.length >= MAX_UNSEEN) return;
  await putReview.first(db, {
    id: newRowId(core.random, now, 'review'),
    session: session.id,
    channel,
    reference,
    proof: null,
    reason: 'late_claim',
    now,
  });
}

/** Another transaction, of this session or of this reference, was committed first: say as its winner. */
async function afterLostRace(db: Db, input: Claim): Promise<Verdict> {
  const session = await sessionOfBrand.first(db, { id: input.sessionId, brand: input.brand.brandId });
  if (session?.status === 'COMPLETED') {
    const same = session.credited_channel === input.method && session.credited_reference === input.reference;
    return { outcome: same ? 'completed' : 'session_completed', session };
  }
  await countMiss.all(db, { id: input.sessionId });
  return { outcome: 'already_credited' };
}

/** The session is paid by another reference; the one that came now may be spent elsewhere besides. */
async function refuseOther(
  db: Db,
  session: ClaimedSession,
  channel: string,
  reference: string | null,
): Promise<Verdict> {
  const holder = reference === null ? undefined : await holderOfReference.first(db, { channel, reference });
  return {
    outcome:
      holder !== undefined && holder.session_id !== session.id ? 'already_credited' : 'session_completed',
  };
}

async function keepClaim(
  core: Core,
  db: Db,
  session: string,
  key: { merchant: string; channel: string; reference: string },
): Promise<void> {
  await recordClaim(core, db, { session, ...key, state: 'WAITING', reason: 'not_seen_yet' });
  await countMiss.all(db, { id: session });
}
