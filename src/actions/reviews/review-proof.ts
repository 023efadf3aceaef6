/** The money that an operator decides about: a proof that was seen, or one that their word stands for. */
import { KashboxError } from '../../base/errors/errors.js';
import { newRowId } from '../../base/values/ids.js';
import { channelModule } from '../../channels/index.js';
import { readDetails } from '../../domain/accounts/account-details.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { isSameMoney } from '../../domain/matching/push-repeat.js';
import { creditedName, shopNumberName } from '../../domain/matching/reference.js';
import { dueOn } from '../../domain/sessions/due.js';
import { insertMany } from '../../store/compiled-rows.js';
import type { Db, NewProof } from '../../store/schema/index.js';
import { proofByReference } from '../../store/tables/proofs.js';
import { pushesOfReference } from '../../store/tables/pushes.js';
import { quotesOn } from '../../store/tables/quotes.js';
import type { ReviewRow } from '../../store/tables/reviews.js';
import type { Core } from '../core/core.js';
import type { ClaimedProof } from '../settlement/credit-proof.js';
import { otherProof, SEEN, spent } from './review-refusals.js';

export type CreditedProof = ClaimedProof &
  Pick<NewProof, 'amount_paisa'> & {
    /** Not on the operator's word alone. */
    readonly isSeen: boolean;
  };

/** What was seen by then; where nothing was, what the operator has seen in the account itself. */
export async function proofOfReview(
  core: Core,
  db: Db,
  review: ReviewRow,
  given: string | null,
): Promise<CreditedProof> {
  const { channel, proof_id, proof_reference, proof_scope } = review;
  const { kind } = CHANNEL[channel];
  if (proof_id !== null && proof_reference !== null) {
    if (given !== null && given !== proof_reference && kind !== 'manual')
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
      isSeen: true,
    };
  }
  const push = kind === 'push' ? await namedPush(db, review, given) : null;
  // What stands for an earlier word is told of by no bank.
  if (push !== null) return { ...push, isSeen: push.acquirer !== null };
  const reference = typedReference(channel, given ?? review.reference);
  const known = await proofByReference.first(db, { merchant: review.merchant_id, channel, reference });
  if (known !== undefined && kind !== 'manual') return { ...known, isSeen: known.kind !== SEEN };
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
    kind: kind === 'manual' ? 'bank_transfer' : SEEN,
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
  return { ...proof, otherNames, isSeen: false };
}

/** In capitals, however it was typed: a push of it that comes later must meet it (credit-push.ts). */
function typedReference(channel: PayChannel, reference: string): string {
  return CHANNEL[channel].kind === 'push' ? reference.toUpperCase() : creditedName(channel, reference);
}

/** As the rules would have it, so that they know later that this transfer is spent. */
async function namedWithin(
  db: Db,
  { session_id: session, channel }: ReviewRow,
  reference: string,
): Promise<{ readonly scope: string; readonly otherNames: readonly string[] }> {
  const row = CHANNEL[channel];
  if (row.kind !== 'pull') return { scope: '', otherNames: [] };
  const quotes = await quotesOn.all(db, { session, channel: row.channel });
  // It may be a number of the shop's own as well as the exchange's.
  const otherNames = quotes.map(({ receiver }) => shopNumberName(receiver, reference));
  const details = readDetails(quotes[0]?.details ?? '{}');
  return { scope: channelModule(row.channel).scopeOf(details), otherNames };
}

/**
 * The money that an operator names by the bank's reference when approving a claim by a payer's number. Two
 * banks of a merchant may have given out the same reference: the money that is not credited is meant, and of
 * several that of the amount due. What may be money that was credited before, told of once more, is not free.
 * @param reference null where the operator has named none: what the customer typed is no reference.
 * @returns a proof, one that is credited if there is no other; null where nobody has told of that reference.
 * @throws KashboxError `invalid_input`
 */
async function namedPush(db: Db, review: ReviewRow, reference: string | null) {
  if (reference === null) throw noReference(review);
  const all = await pushesOfReference(db, review.merchant_id, reference);
  const credited = all.filter((money) => money.credited_session !== null);
  const isCreditedElsewhere = (money: NamedMoney) =>
    credited.some((other) => other.acquirer === null || isSameMoney(money, other));
  const free = all.filter((money) => money.credited_session === null && !isCreditedElsewhere(money));
  const due = dueOn(review.channel, review).totalPaisa;
  const exact = free.filter((push) => push.amount_paisa === due);
  const meant = [exact, free, credited].find((found) => found.length > 0) ?? [];
  if (meant !== credited && meant.length > 1) throw severalPushes(meant);
  return meant[0] ?? null;
}

/** `acquirer`: null where no bank but an operator has told of it. */
type NamedMoney = Awaited<ReturnType<typeof pushesOfReference>>[number];

function noReference({ id }: ReviewRow): KashboxError {
  return new KashboxError('invalid_input', {
    message: 'reference is missing',
    hint: `Find it in the bank's statement or with \`kashbox pushes list --unmatched\`, then: kashbox verifications approve ${id} --reference REFERENCE --note …`,
  });
}

function severalPushes(pushes: readonly NamedMoney[]): KashboxError {
  const acquirers = pushes.map(({ acquirer }) => acquirer).join(', ');
  return new KashboxError('invalid_input', {
    message: `Several banks have told of money under ${pushes[0]?.reference}: ${acquirers}`,
    hint: 'Ask the customer for the full number that paid: where one of the banks shows it, that settles the payment.',
  });
}
