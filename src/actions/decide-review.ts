/** A person decides a claim: it is credited once like any proof, or refused. Who and why stays written. */
import { KashboxError } from '../base/errors.js';
import { newRowId } from '../base/ids.js';
import { storableText } from '../base/text.js';
import { scopeOn } from '../channels/index.js';
import { BANK, isPulledChannel, QR } from '../domain/channels.js';
import { isPushReference, readBankReference } from '../domain/reference.js';
import { insertMany } from '../store/hot.js';
import type { Db, ProofTable } from '../store/schema.js';
import { writeAudit } from '../store/tables/audit.js';
import { lockMerchant } from '../store/tables/merchants.js';
import { holderOfReference, proofByReference } from '../store/tables/proofs.js';
import { quotesOn } from '../store/tables/quotes.js';
import { decideReviewRow, findReview, type ReviewRow, reviewsOfSession } from '../store/tables/reviews.js';
import { lockSession } from '../store/tables/sessions.js';
import type { Core } from './core.js';
import { creditProof, isSpent } from './credit-proof.js';
import { noReview, type ReviewInFull, showReview } from './list-reviews.js';
import { moveSession } from './move-session.js';
import { namedPush } from './named-push.js';
import { recordClaim } from './record-claim.js';
import { type ClaimedProof, dueOn } from './settle-claim.js';

export interface DecideReview {
  readonly id: string;
  /** Why, in the operator's own words. */
  readonly note: string;
  readonly who: string;
}

export interface ApproveReview extends DecideReview {
  /** Of a bank transfer: what the bank's own statement calls it, where the customer wrote something else. */
  readonly reference?: string | undefined;
}

const MAX_NOTE = 500;

/**
 * Credits the claim and completes its payment, also one that has failed in the meantime.
 * @throws KashboxError `not_found`, `invalid_input`, `state_refused`, `already_credited`
 */
export async function approveReview(core: Core, input: ApproveReview): Promise<ReviewInFull> {
  const note = noteField(input.note);
  const given = input.reference ?? null;
  const session = await core.store.write(async (db) => {
    const review = await openReview(db, input.id);
    if (review.session_status === 'COMPLETED') throw paidOtherwise(review);
    const proof = await proofOf(core, db, review, referenceField(review, given));
    await credit(core, db, review, proof, { ...input, note });
    return review.session_id;
  });
  core.moved.tell(session);
  return showReview(core, input.id);
}

/**
 * Refuses the claim. A payment of which no other claim lies before a person fails with it.
 * @throws KashboxError `not_found`, `invalid_input`, `state_refused`
 */
export async function rejectReview(core: Core, input: DecideReview): Promise<ReviewInFull> {
  const note = noteField(input.note);
  const session = await core.store.write(async (db) => {
    const review = await openReview(db, input.id);
    await decide(core, db, review, 'REJECTED', { ...input, note });
    await settleClaimRow(core, db, review, 'REFUSED', 'rejected');
    const others = await reviewsOfSession(db, review.session_id);
    const isLast = !others.some((other) => other.state === 'OPEN');
    if (review.session_status === 'PENDING' && isLast) {
      const moving = { id: review.session_id, status: review.session_status };
      const about = { review: review.id, note };
      await moveSession(core, db, { session: moving, event: 'reject', who: input.who, about });
    }
    return review.session_id;
  });
  core.moved.tell(session);
  return showReview(core, input.id);
}

/** Decisions on one payment come one after the other: two that are refused at once must see each other. */
async function openReview(db: Db, id: string): Promise<ReviewRow> {
  const named = await findReview(db, id.trim());
  if (named === undefined) throw noReview(id);
  // A push of the reference that he names may come at this moment: one of the two has to see the other.
  if (named.channel === QR) await lockMerchant(db, named.merchant_id);
  await lockSession(db, named.session_id);
  const review = (await findReview(db, named.id)) ?? named;
  if (review.state === 'OPEN') return review;
  throw new KashboxError('state_refused', {
    message: `Verification ${review.id} was ${review.state.toLowerCase()} already by ${review.decided_by ?? 'rule'}`,
    hint: 'See what is open with `kashbox verifications list`.',
  });
}

type CreditedProof = ClaimedProof & Pick<ProofTable, 'amount_paisa'>;

/** What was seen by then; where nothing was, what the operator has seen in the account itself. */
async function proofOf(core: Core, db: Db, review: ReviewRow, given: string | null): Promise<CreditedProof> {
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
  const scope = await scopeOf(db, review);
  const proof: ProofTable = {
    id: newRowId(core.random, now, 'proof'),
    merchant_id: review.merchant_id,
    channel,
    reference,
    amount_paisa: dueOn(channel, review).totalPaisa,
    recipient: null,
    payer: null,
    kind: channel === BANK ? 'bank_transfer' : 'seen_by_operator',
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
  return proof;
}

/** In capitals, however it was typed: a push of it that comes later must meet it (credit-push.ts). */
function handMadeReference(channel: string, reference: string): string {
  return channel === QR ? reference.toUpperCase() : reference;
}

/** As the rules would have it, so that they know later that this transfer is spent. */
async function scopeOf(db: Db, { session_id: session, channel }: ReviewRow): Promise<string> {
  if (!isPulledChannel(channel)) return '';
  const quote = await quotesOn.first(db, { session, channel });
  return scopeOn(channel, quote?.details ?? '{}');
}

async function credit(
  core: Core,
  db: Db,
  review: ReviewRow,
  proof: CreditedProof,
  decision: DecideReview,
): Promise<void> {
  const { channel, reference } = proof;
  const { feePaisa, totalPaisa } = dueOn(channel, review);
  const paisa = proof.amount_paisa ?? totalPaisa;
  if (paisa < totalPaisa) throw tooLittle(review);
  if (await isSpent(db, proof)) throw await spentBy(db, review, proof);
  const session = { id: review.session_id, brand_id: review.brand_id, status: review.session_status };
  const credited = await creditProof(core, db, { session, proof, paisa, feePaisa, by: decision.who });
  if (credited === 'taken') throw await spentBy(db, review, proof);
  await decide(core, db, review, 'APPROVED', decision);
  await settleClaimRow(core, db, review, 'CREDITED', 'approved');
  const about = { review: review.id, note: decision.note, channel, reference, proof: proof.id };
  await moveSession(core, db, { session, event: 'approve', who: decision.who, about });
}

function otherProof({ id }: ReviewRow, reference: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `This verification is about the money under ${reference}, not under another reference`,
    hint: `Approve it without --reference, or reject it: kashbox verifications show ${id}`,
  });
}

async function spentBy(
  db: Db,
  review: ReviewRow,
  { channel, reference, scope }: CreditedProof,
): Promise<KashboxError> {
  const holder = await holderOfReference.first(db, { channel, reference, scope });
  return holder?.session_id === review.session_id ? paidOtherwise(review) : spent(review, reference);
}

async function decide(
  core: Core,
  db: Db,
  review: ReviewRow,
  state: 'APPROVED' | 'REJECTED',
  { who, note }: DecideReview,
): Promise<void> {
  const now = core.clock.now();
  if (!(await decideReviewRow(db, { id: review.id, state, now, who, note }))) {
    throw new KashboxError('state_refused', { message: `Verification ${review.id} was decided just now` });
  }
  // The payment's own row says nothing of a claim that was refused while the payment stays as it is.
  await writeAudit(db, core.random, {
    at: now,
    who,
    action: state === 'APPROVED' ? 'review.approve' : 'review.reject',
    subject: review.id,
    before: { state: review.state },
    after: { state, note },
  });
}

function settleClaimRow(
  core: Core,
  db: Db,
  { session_id: session, merchant_id: merchant, channel, reference }: ReviewRow,
  state: 'CREDITED' | 'REFUSED',
  reason: string,
): Promise<void> {
  return recordClaim(core, db, { session, merchant, channel, reference, state, reason });
}

function tooLittle(review: ReviewRow): KashboxError {
  return new KashboxError('state_refused', {
    message: `What came under ${review.reference} is less than what is due`,
    hint: `Look at it with \`kashbox verifications show ${review.id}\`, then reject it or settle it with the customer.`,
  });
}

function paidOtherwise(review: ReviewRow): KashboxError {
  return new KashboxError('state_refused', {
    message: `Payment ${review.gateway_reference} is completed already by another transaction`,
    hint: `If this money came on top of it, give it back and close the verification: kashbox verifications reject ${review.id} --note "given back"`,
  });
}

function spent({ id, channel }: ReviewRow, reference: string): KashboxError {
  const isBank = channel === BANK;
  return new KashboxError('already_credited', {
    message: `Reference ${reference} was credited to another payment before`,
    hint: isBank
      ? "If it is another transfer of the same name, name it as the bank's statement does with --reference."
      : `One payment settles one order, so close this one: kashbox verifications reject ${id} --note "used before"`,
  });
}

function noteField(text: string): string {
  const note = storableText(text.trim());
  const length = [...note].length;
  if (length > 0 && length <= MAX_NOTE) return note;
  throw new KashboxError('invalid_input', {
    message: `note must have 1 to ${MAX_NOTE} characters`,
    hint: 'Say in a sentence why: it is kept with the decision.',
  });
}

/** Of a claim by number an operator says which push it is; of all others but banks the proof says it. */
function referenceField({ channel }: ReviewRow, given: string | null): string | null {
  if (given === null) return null;
  if (channel === QR) return pushReferenceField(given);
  if (channel === BANK) return bankReferenceField(given);
  throw new KashboxError('invalid_input', {
    message: 'reference can be given for bank transfers and bank QR only',
    hint: 'Approve without it: the reference is the one of the proof.',
  });
}

function bankReferenceField(text: string): string {
  const reference = readBankReference(text);
  if (reference === null) throw noReference(text);
  return reference;
}

function pushReferenceField(text: string): string {
  const reference = text.trim();
  if (!isPushReference(reference)) throw noReference(text);
  return reference;
}

function noReference(text: string): KashboxError {
  return new KashboxError('invalid_input', {
    message: `"${text}" is no reference`,
    hint: 'Write the letters and digits that stand in the statement, at most 64.',
  });
}
