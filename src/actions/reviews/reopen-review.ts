/** Undoes a rejection that was a mistake: the verification is open again, and a person decides once more. */
import { KashboxError } from '../../base/errors/errors.js';
import { audit } from '../../store/tables/audit.js';
import { findReview, reopenReviewRow } from '../../store/tables/reviews.js';
import type { Core } from '../core/core.js';
import { noteField } from '../input/fields.js';
import { recordClaim } from '../settlement/record-claim.js';
import { claimOf, type DecideReview, lockForDecision } from './decide-review.js';
import { noReview, type ReviewInFull, showReview } from './list-reviews.js';

/**
 * The payment stays as it is. One that has failed is completed by an approval, like any other.
 * @throws KashboxError `not_found`, `invalid_input`, `state_refused` where it is not rejected, or where
 *   other money has completed the payment
 */
export async function reopenReview(core: Core, input: DecideReview): Promise<ReviewInFull> {
  const note = noteField(input.note);
  const { id, session } = await core.store.write(async (db) => {
    const named = await findReview(db, input.id.trim());
    if (named === undefined) throw noReview(input.id);
    await lockForDecision(db, claimOf(named));
    const review = (await findReview(db, named.id)) ?? named;
    if (review.session_status === 'COMPLETED') {
      throw new KashboxError('state_refused', {
        message: `Payment ${review.gateway_reference} is completed, so nothing is left to decide`,
        hint: `See by what: kashbox payments show ${review.gateway_reference}`,
      });
    }
    if (!(await reopenReviewRow(db, review.id))) {
      throw new KashboxError('state_refused', {
        message: `Verification ${review.id} is ${review.state.toLowerCase()}; only a rejected one is opened again`,
        hint: `See it: kashbox verifications show ${review.id}`,
      });
    }
    await recordClaim(core, db, { ...claimOf(review), state: 'REVIEW', reason: review.reason });
    const before = { state: review.state, by: review.decided_by, note: review.note };
    await audit(core, db, input.who, 'review.reopen', review.id, { before, after: { state: 'OPEN', note } });
    return { id: review.id, session: review.session_id };
  });
  core.moved.tell(session);
  return showReview(core, id);
}
