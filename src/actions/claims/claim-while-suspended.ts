/**
 * A claim on the checkout page of a suspended merchant: it is stored, and decided when the merchant is active
 * again (settle-suspended, recheck-claims).
 */
import { CHANNEL, type Channel } from '../../domain/accounts/channels.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { hostedSession } from '../../store/tables/checkout.js';
import { claimedAt } from '../../store/tables/claims.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { countMiss } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { askForUnmatched, keepClaim } from '../settlement/keep-claim.js';
import { reviewOfClaim } from '../settlement/record-claim.js';
import { questionsOf } from '../usdt/ask-sources.js';

export interface ClaimWhileSuspended {
  readonly sessionId: string;
  readonly channel: Channel;
  /** In stored form (domain/matching/reference). */
  readonly reference: string;
}

export type SuspendedClaim =
  /** Kept; `under_review`: the time was over, so that a person looks. */
  | 'waiting'
  | 'under_review'
  | 'too_many_attempts'
  | 'method_unavailable'
  | 'over'
  /** Nothing is kept, because the merchant is active: decide as always. */
  | 'active';

export async function claimWhileSuspended(core: Core, input: ClaimWhileSuspended): Promise<SuspendedClaim> {
  const kept = await core.store.write((db) => keep(core, db, input));
  if (kept === 'under_review') core.moved.tell(input.sessionId);
  return kept;
}

async function keep(
  core: Core,
  db: Db,
  { sessionId, channel, reference }: ClaimWhileSuspended,
): Promise<SuspendedClaim> {
  const named = await hostedSession.first(db, { id: sessionId });
  if (named === undefined) return 'over';
  // Locked, so that a claim is not missed when the merchant becomes active.
  await lockMerchant(db, named.merchant_id);
  const session = (await hostedSession.first(db, { id: sessionId })) ?? named;
  if (session.merchant_status !== 'SUSPENDED') return 'active';
  if (session.status === 'COMPLETED' || session.reason === 'rejected') return 'over';
  const isKnown = (await claimedAt.first(db, { session: session.id, channel, reference })) !== undefined;
  if (!isKnown && session.misses >= core.settings.missesPerSession) return 'too_many_attempts';
  const isOver = !isOpen(session, core.clock.now());
  const same = await reviewOfClaim(db, { session: session.id, channel, reference });
  if (same?.state === 'OPEN') return 'under_review';
  if (same?.state === 'REJECTED' && isOver) return 'over';
  const row = CHANNEL[channel];
  if (row.kind === 'pull' && (await questionsOf(db, session, row.channel, reference)).length === 0) {
    return 'method_unavailable';
  }
  const claim = { merchant: session.merchant_id, channel, reference };
  await keepClaim(core, db, session, { ...claim, reason: 'not_asked_yet', block: null });
  if (!isKnown) await countMiss.all(db, { id: session.id });
  if (!isOver) return 'waiting';
  await askForUnmatched(core, db, session, claim);
  return 'under_review';
}
