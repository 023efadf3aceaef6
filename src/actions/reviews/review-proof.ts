/** The money that an operator decides about: a proof that was seen, or one that their word stands for. */
import { newRowId } from '../../base/values/ids.js';
import { scopeOn } from '../../channels/index.js';
import { BANK, isPulledChannel, QR } from '../../domain/accounts/channels.js';
import { creditedName, shopNumberName } from '../../domain/matching/reference.js';
import { dueOn } from '../../domain/sessions/due.js';
import { insertMany } from '../../store/compiled-query.js';
import type { Db, NewProof } from '../../store/schema/index.js';
import { proofByReference } from '../../store/tables/proofs.js';
import { quotesOn } from '../../store/tables/quotes.js';
import type { ReviewRow } from '../../store/tables/reviews.js';
import type { Core } from '../core/core.js';
import type { ClaimedProof } from '../settlement/credit-proof.js';
import { namedPush } from './named-push.js';
import { otherProof, SEEN, spent } from './review-refusals.js';

export type CreditedProof = ClaimedProof & Pick<NewProof, 'amount_paisa'>;

/** What was seen by then; where nothing was, what the operator has seen in the account itself. */
export async function proofOfReview(
  core: Core,
  db: Db,
  review: ReviewRow,
  given: string | null,
): Promise<CreditedProof> {
  const { channel, proof_id, proof_reference, proof_scope } = review;
  if (proof_id !== null && proof_reference !== null) {
    if (given !== null && given !== proof_reference && channel !== BANK)
      throw otherProof(review, proof_reference);
    const scope = proof_scope ?? '';
    const otherNames = JSON.parse(review.proof_aliases ?? '[]') as string[];
    return {
      id: proof_id,
      channel,
      reference: proof_reference,
      scope,
      recipient: review.proof_recipient,
      otherNames,
      amount_paisa: review.proof_paisa,
    };
  }
  const push = channel === QR ? await namedPush(db, review, given) : null;
  if (push !== null) return push;
  const reference = handMadeReference(channel, given ?? review.reference);
  const known = await proofByReference.first(db, { merchant: review.merchant_id, channel, reference });
  if (known !== undefined && channel !== BANK) return known;
  const now = core.clock.now();
  const { scope, otherNames } = await namedWithin(db, review, reference);
  const proof: NewProof = {
    id: newRowId(core.random, now, 'proof'),
    merchant_id: review.merchant_id,
    channel,
    reference,
    amount_paisa: dueOn(channel, review).totalPaisa,
    recipient: null,
    payer: null,
    kind: channel === BANK ? 'bank_transfer' : SEEN,
    settle: 'review',
    at: now,
    source_id: review.id,
    created_at: now,
    scope,
    aliases: '[]',
    units: null,
    evidence: null,
  };
  const [kept] = await insertMany(db, 'proofs', [proof], 'id');
  if (kept === undefined) throw spent(review, reference);
  return { ...proof, otherNames };
}

/** In capitals, however it was typed: a push of it that comes later must meet it (credit-push.ts). */
function handMadeReference(channel: string, reference: string): string {
  return channel === QR ? reference.toUpperCase() : creditedName(channel, reference);
}

/** As the rules would have it, so that they know later that this transfer is spent. */
async function namedWithin(
  db: Db,
  { session_id: session, channel }: ReviewRow,
  reference: string,
): Promise<{ readonly scope: string; readonly otherNames: readonly string[] }> {
  if (!isPulledChannel(channel)) return { scope: '', otherNames: [] };
  const quotes = await quotesOn.all(db, { session, channel });
  // It may be a number of the shop's own as well as the exchange's.
  const otherNames = quotes.map(({ receiver }) => shopNumberName(receiver, reference));
  return { scope: scopeOn(channel, quotes[0]?.details ?? '{}'), otherNames };
}
