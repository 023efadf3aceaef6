/** Writes down what became of a customer's word, inside the unit of work that decided it. */
import { newRowId } from '../base/ids.js';
import type { ClaimState, Db } from '../store/schema.js';
import { putClaim } from '../store/tables/proofs.js';
import type { Core } from './core.js';

export interface RecordedClaim {
  /** Session id. */
  readonly session: string;
  readonly merchant: string;
  readonly channel: string;
  readonly reference: string;
  readonly state: ClaimState;
  /** A word for why it is so: `not_seen_yet`, `credited`, a disagreement, a review's reason. */
  readonly reason: string;
}

/** A claim that was made before is brought up to date. */
export async function recordClaim(core: Core, db: Db, claim: RecordedClaim): Promise<void> {
  const now = core.clock.now();
  const isUndecided = claim.state === 'WAITING' || claim.reason === 'bank_transfer';
  await putClaim.all(db, {
    id: newRowId(core.random, now, 'claim'),
    ...claim,
    now,
    decidedAt: isUndecided ? null : now,
  });
}
