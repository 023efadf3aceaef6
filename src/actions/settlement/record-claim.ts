/** Records the result of a claim, or that a person is asked, inside the unit of work that decided it. */
import { newRowId } from '../../base/values/ids.js';
import type { Paisa } from '../../base/values/money.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { ClaimState, Db } from '../../store/schema/index.js';
import { putClaim, renewClaim } from '../../store/tables/proofs.js';
import { putReview, reviewsOfSession } from '../../store/tables/reviews.js';
import { tellReview } from '../alerts/raise-alert.js';
import type { Means } from '../core/core.js';

export interface RecordedClaim {
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
