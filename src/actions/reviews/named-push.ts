/** The push that an operator names by the bank's reference when approving a claim by a payer's number. */
import { KashboxError } from '../../base/errors/errors.js';
import { dueOn } from '../../domain/sessions/due.js';
import type { Db } from '../../store/schema/index.js';
import { pushesOfReference } from '../../store/tables/pushes.js';
import type { ReviewRow } from '../../store/tables/reviews.js';

/**
 * Two banks of a merchant may have given out the same reference. The money that is not credited is meant,
 * and of several that of the amount due.
 * @param reference null where the operator has named none: what the customer typed is no reference.
 * @returns a proof, one that is credited if there is no other; null where no bank has told of that reference.
 * @throws KashboxError `invalid_input`
 */
export async function namedPush(db: Db, review: ReviewRow, reference: string | null) {
  if (reference === null) throw noReference(review);
  const all = await pushesOfReference(db, review.merchant_id, reference);
  const free = all.filter((push) => push.credited_session === null);
  const due = dueOn(review.channel, review).totalPaisa;
  const exact = free.filter((push) => push.amount_paisa === due);
  const [meant, ...others] = [exact, free, all].find((pushes) => pushes.length > 0) ?? [];
  if (meant === undefined) return null;
  if (meant.credited_session !== null || others.length === 0) return meant;
  throw severalPushes(
    meant.reference,
    [meant, ...others].map(({ acquirer }) => acquirer),
  );
}

function noReference({ id }: ReviewRow): KashboxError {
  return new KashboxError('invalid_input', {
    message: 'reference is missing',
    hint: `Find it in the bank's statement or with \`kashbox pushes list --unmatched\`, then: kashbox verifications approve ${id} --reference REFERENCE --note …`,
  });
}

function severalPushes(reference: string, acquirers: readonly string[]): KashboxError {
  return new KashboxError('invalid_input', {
    message: `Several banks have told of money under ${reference}: ${acquirers.join(', ')}`,
    hint: 'Ask the customer for the full number that paid: where one of the banks shows it, that settles the payment.',
  });
}
