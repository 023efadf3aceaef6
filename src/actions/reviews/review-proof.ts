/**
 * Money that an operator decides about: a proof that was seen, or one based on the operator's word. Also the
 * errors that say why a verification cannot be decided in this way, and what the operator can do instead.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { newRowId } from '../../base/values/ids.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { STATEMENT_HINT } from '../../channels/channel.js';
import { channelModule } from '../../channels/index.js';
import { parseAccountDetails } from '../../domain/accounts/account-details.js';
import { CHANNEL, type Channel, type PayChannel } from '../../domain/accounts/channels.js';
import { isTypedPayer } from '../../domain/matching/payer.js';
import { isSameMoney } from '../../domain/matching/push-repeat.js';
import { creditedName, parseBankReference, shopNumberName } from '../../domain/matching/reference.js';
import { dueOn } from '../../domain/sessions/fees.js';
import type { ReviewFact } from '../../domain/why/cause.js';
import { insertMany } from '../../store/compiled-rows.js';
import type { Db, NewProof } from '../../store/schema/index.js';
import { proofByReference } from '../../store/tables/proofs.js';
import { pushesOfReference } from '../../store/tables/pushes.js';
import { quotesOn } from '../../store/tables/quotes.js';
import type { ReviewRow } from '../../store/tables/reviews.js';
import type { Core } from '../core/core.js';
import type { ClaimedProof } from '../settlement/credit-proof.js';

export type CreditedProof = ClaimedProof &
  Pick<NewProof, 'amount_paisa'> & {
    /** False if only the operator has seen the money. */
    readonly isSeen: boolean;
  };

/** Proof that was seen by now; if there is none, the money that the operator has seen in the account. */
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
  if (isByNumber(review) && given === null) throw noReference(review);
  const push = kind === 'push' ? await namedPush(db, review, given) : null;
  // What stands for an earlier word is told of by no bank.
  if (push !== null) return { ...push, isSeen: push.acquirer !== null };
  const reference = typedReference(channel, given ?? review.reference);
  const known = await proofByReference.first(db, { merchant: review.merchant_id, channel, reference });
  if (known !== undefined && kind !== 'manual') return { ...known, isSeen: known.kind !== SEEN_BY_OPERATOR };
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
    kind: kind === 'manual' ? 'bank_transfer' : SEEN_BY_OPERATOR,
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

/** Converts to upper case, so that a later push of the same money matches (pushes/settle-push). */
function typedReference(channel: PayChannel, reference: string): string {
  return CHANNEL[channel].kind === 'push' ? reference.toUpperCase() : creditedName(channel, reference);
}

/** Scope and other names as the rules use them, so that they later know that this transfer is spent. */
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
  const details = parseAccountDetails(quotes[0]?.details ?? '{}');
  return { scope: channelModule(row.channel).scopeOf(details), otherNames };
}

/**
 * Finds the money whose bank reference an operator gives when approving a claim by a payer's number. Two
 * banks of a merchant may use the same reference: uncredited money is preferred, and among several the money
 * with the amount due. A push that may report money that was already credited does not count as uncredited.
 * @param reference null if the operator gave none: the text that the customer typed is not a reference.
 * @returns a proof, a credited one if there is no other; null if that reference is unknown.
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

/** `acquirer` is null if only an operator, and no bank, has reported the money. */
type NamedMoney = Awaited<ReturnType<typeof pushesOfReference>>[number];

function noReference({ id, channel }: ReviewRow): KashboxError {
  const found =
    CHANNEL[channel].kind === 'push'
      ? "in the bank's statement or with `kashbox pushes list --unmatched`"
      : "in the wallet's SMS or app, or with `kashbox sms list --unmatched`";
  return new KashboxError('invalid_input', {
    message: 'reference is missing',
    hint: `Find it ${found}, then: kashbox verifications approve ${id} --reference REFERENCE --note …`,
  });
}

/** True for a claim on a wallet by the number that paid its QR code: the number is not an id of the money. */
const isByNumber = ({ channel, reference }: Pick<ReviewRow, 'channel' | 'reference'>) =>
  CHANNEL[channel].kind === 'sms' && isTypedPayer(reference);

function severalPushes(pushes: readonly NamedMoney[]): KashboxError {
  const acquirers = pushes.map(({ acquirer }) => acquirer).join(', ');
  return new KashboxError('invalid_input', {
    message: `Several banks reported money with reference ${pushes[0]?.reference}: ${acquirers}`,
    hint: 'Ask the customer for the full number that paid; if one of the banks reports it, it settles the payment.',
  });
}

/**
 * Validates the operator's reference, null if not given. For a claim by number it says which push it is; for
 * all other channels except banks, the proof contains the reference.
 * @throws KashboxError `invalid_input`
 */
export function referenceField(
  review: Pick<ReviewRow, 'channel' | 'reference'>,
  given: string | null,
): string | null {
  if (given === null) return null;
  const { channel } = review;
  const { kind } = CHANNEL[channel];
  if (kind === 'push' || kind === 'manual' || isByNumber(review)) return moneyReference(channel, given);
  throw new KashboxError('invalid_input', {
    message: 'reference is allowed for bank transfers and QR codes only',
    hint: 'Approve without it: the reference is the one of the proof.',
  });
}

/**
 * @param text reference of the money in the account of that channel. For bank QR, where customers give their
 * number, it is the bank's reference.
 * @returns the reference in the form in which it is stored.
 * @throws KashboxError `invalid_input`
 */
export function moneyReference(channel: PayChannel, text: string): string {
  const row = CHANNEL[channel];
  const reference =
    row.kind === 'manual' ? parseBankReference(text) : parseApproveReference(row.channel, text);
  if (reference !== null) return reference;
  throw new KashboxError('invalid_input', {
    message: `"${text}" is not a valid reference`,
    hint: row.kind === 'manual' ? STATEMENT_HINT : channelModule(row.channel).approveHint,
  });
}

function parseApproveReference(channel: Channel, text: string): string | null {
  const { readReference, approveReference } = channelModule(channel);
  if (approveReference !== undefined) return approveReference(text);
  const read = readReference(text);
  return read.outcome === 'id' ? read.reference : null;
}

/** Reason for money that an operator has found; the verification is kept only if the payment completes. */
export const SEEN_BY_OPERATOR = 'seen_by_operator';

function otherProof({ id }: ReviewRow, reference: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `This verification is about the money with reference ${reference}, not another one`,
    hint: `Approve it without --reference, or reject it: kashbox verifications show ${id}`,
  });
}

const textsOf = (facts: readonly ReviewFact[]) => facts.map(({ text }) => text).join(' ');

/** @param facts as they are now. */
export function factsChanged({ id }: ReviewRow, facts: readonly ReviewFact[]): KashboxError {
  return new KashboxError('facts_changed', {
    message: `The facts have changed since you saw them. Now: ${textsOf(facts)}`,
    hint: `Check again, then decide: kashbox verifications show ${id}`,
  });
}

export function spokenAgainst(
  { id, reason, reference }: ReviewRow,
  warnings: readonly ReviewFact[],
): KashboxError {
  const look = reason === SEEN_BY_OPERATOR ? `why ${reference}` : `verifications show ${id}`;
  return new KashboxError('warning_unconfirmed', {
    message: `Not approved, because there are warnings about this money. ${textsOf(warnings)}`,
    hint: `If the money is really there, approve it with --force. Check first: kashbox ${look}`,
  });
}

/** @param lacks paisa */
export function tooLittle({ id, reason, reference }: ReviewRow, lacks: Paisa): KashboxError {
  return new KashboxError('state_refused', {
    message: `The money with reference ${reference} is ${formatTaka(lacks)} BDT less than the amount due`,
    hint:
      reason === SEEN_BY_OPERATOR
        ? 'If that is enough for you, add --accept-less. Otherwise give it back: nothing was changed.'
        : `If that is enough for you, add --accept-less. Otherwise: kashbox verifications reject ${id} --note WHY`,
  });
}

export function paidOtherwise({ id, reason, gateway_reference }: ReviewRow): KashboxError {
  return new KashboxError('state_refused', {
    message: `Payment ${gateway_reference} is already completed by another transaction`,
    hint:
      reason === SEEN_BY_OPERATOR
        ? `See it with \`kashbox payments show ${gateway_reference}\`. If this money came on top of it, give it back.`
        : `If this money came on top of it, give it back and close the verification: kashbox verifications reject ${id} --note "given back"`,
  });
}

export function spent({ id, channel, reason }: ReviewRow, reference: string): KashboxError {
  return new KashboxError('already_credited', {
    message: `Reference ${reference} was already credited to another payment`,
    hint: hintOf(),
  });

  function hintOf(): string {
    if (CHANNEL[channel].kind === 'manual') {
      return "If it is another transfer of the same name, name it as the bank's statement does with --reference.";
    }
    if (reason === SEEN_BY_OPERATOR) {
      const second = `If the statements of two banks show a payment under it, write the second as ${reference}-2.`;
      const other = CHANNEL[channel].kind === 'push' ? ` ${second}` : '';
      return `One payment settles one order. See which with \`kashbox payments list\`.${other}`;
    }
    return `One payment settles one order, so close this one: kashbox verifications reject ${id} --note "used before"`;
  }
}
