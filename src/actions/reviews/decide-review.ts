/** Decisions of an operator on a claim: credit, refusal or its undoing, recorded with name and reason. */
import { KashboxError } from '../../base/errors/errors.js';
import { newRowId } from '../../base/values/ids.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { creditedName } from '../../domain/matching/reference.js';
import { dueOn, leastPart, splitPart } from '../../domain/sessions/fees.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { lockMerchant, lockNames } from '../../store/tables/locks.js';
import { refundsOf } from '../../store/tables/refunds.js';
import {
  decideReviewRow,
  findReview,
  putReview,
  type ReviewRow,
  reopenReviewRow,
  reviewsOfSession,
} from '../../store/tables/reviews.js';
import { lockSession } from '../../store/tables/sessions.js';
import { brandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { noteField } from '../input/fields.js';
import { showPayment } from '../sessions/list-payments.js';
import { movePart, transitionSession } from '../sessions/transition-session.js';
import { creditProof, findHolder, type Holder } from '../settlement/credit-proof.js';
import { recordClaim, reviewOfClaim } from '../settlement/record-claim.js';
import { partText } from '../settlement/settle-claim.js';
import { learnApproved } from '../settlement/sms-centres.js';
import { factsOfReview } from '../why/review-facts.js';
import { noReview, type ReviewInFull, showReview } from './list-reviews.js';
import {
  type CreditedProof,
  factsChanged,
  moneyReference,
  paidOtherwise,
  proofOfReview,
  referenceField,
  SEEN_BY_OPERATOR,
  spent,
  spokenAgainst,
  tooLittle,
} from './review-proof.js';

interface DecideReview {
  readonly id: string;
  /** Reason, in the operator's own words. */
  readonly note: string;
  readonly who: string;
  /** Version of the facts that the operator was shown; the decision is refused if they have changed. */
  readonly facts?: string | undefined;
}

export interface ApproveReview extends DecideReview {
  /** Approves despite a warning about money whose facts were not shown. */
  readonly force?: boolean | undefined;
  /** Reference of a bank transfer in the bank's own statement, if the customer wrote a different one. */
  readonly reference?: string | undefined;
  /** Completes the payment also where less came in than is due. What came is recorded, nothing else. */
  readonly acceptLess?: boolean | undefined;
}

/**
 * Credits the claim and completes its payment, also one that has failed in the meantime.
 * @throws KashboxError `not_found`, `invalid_input`, `facts_changed`, `warning_unconfirmed`, `state_refused`,
 *   `already_credited`
 */
export async function approveReview(core: Core, input: ApproveReview): Promise<ReviewInFull> {
  const note = noteField(input.note);
  const given = input.reference ?? null;
  const session = await core.store.write(async (db) => {
    const review = await openReview(db, input.id);
    await requireFacts(core, db, review, input);
    await approve(core, db, review, referenceField(review, given), { ...input, note });
    return review.session_id;
  });
  core.moved.tell(session);
  return showReview(core, input.id);
}

/** Money that an operator has found for a payment that has no open review. */
export interface ApprovePayment {
  /** Session id or gateway reference. */
  readonly payment: string;
  readonly method: PayChannel;
  /** Reference of the money in the account of that channel. */
  readonly reference: string;
  readonly note: string;
  readonly who: string;
  /** Approves even if less came in than is due. */
  readonly acceptLess?: boolean | undefined;
  /** Approves despite a warning about the money. */
  readonly force?: boolean | undefined;
}

/**
 * Completes a payment, including a failed one, with money that no rule could credit to it: money without a
 * payer, without a claim, or that came too late. The verification is opened and approved at once, so it is
 * listed like any other.
 * @throws KashboxError `not_found`, `invalid_input`, `warning_unconfirmed`, `state_refused`,
 * `already_credited`
 */
export async function approvePayment(core: Core, input: ApprovePayment): Promise<ReviewInFull> {
  const note = noteField(input.note);
  const { method: channel, who, acceptLess, force } = input;
  const reference = moneyReference(channel, input.reference);
  const payment = await showPayment(core, input.payment.trim());
  const { merchantId } = await brandContext(core, payment.brand);
  const id = await core.store.write(async (db) => {
    await lockForDecision(db, { merchant: merchantId, channel, session: payment.id, reference });
    const about = { session: payment.id, channel, reference };
    const review = await openReview(db, await reviewAbout(core, db, about));
    await approve(core, db, review, CHANNEL[channel].kind === 'push' ? reference : null, {
      id: review.id,
      note,
      who,
      acceptLess,
      force,
    });
    return review.id;
  });
  core.moved.tell(payment.id);
  return showReview(core, id);
}

/** The one that there is, or a new one. */
async function reviewAbout(
  core: Core,
  db: Db,
  about: { readonly session: string; readonly channel: PayChannel; readonly reference: string },
): Promise<string> {
  const same = await reviewOfClaim(db, about);
  if (same !== undefined) return same.id;
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'review');
  await putReview.first(db, { id, ...about, proof: null, reason: SEEN_BY_OPERATOR, now });
  return id;
}

async function approve(
  core: Core,
  db: Db,
  review: ReviewRow,
  given: string | null,
  decision: ApproveReview,
): Promise<void> {
  // The money was credited before: the operator says that it is there all the same.
  if (isCredited(review)) return decide(core, db, review, 'APPROVED', decision);
  if (review.session_status === 'COMPLETED') throw paidOtherwise(review);
  const proof = await proofOfReview(core, db, review, given);
  // What was shown is what is believed; money that is named now was shown to nobody.
  if (decision.force !== true && (decision.facts === undefined || given !== null)) {
    const meant = { proof: proof.id, reference: proof.reference };
    const { facts } = await factsOfReview(db, review, core.clock.now(), meant);
    const warnings = facts.filter(({ level }) => level === 'warning');
    if (warnings.length > 0) throw spokenAgainst(review, warnings);
  }
  await credit(core, db, review, proof, decision);
}

/** Compares the facts under the locks of the decision. @throws KashboxError `facts_changed` */
async function requireFacts(core: Core, db: Db, review: ReviewRow, { facts: shown }: DecideReview) {
  if (shown === undefined) return;
  const { facts_version, facts } = await factsOfReview(db, review, core.clock.now());
  if (shown !== facts_version) throw factsChanged(review, facts);
}

/**
 * Refuses the claim. If no other claim of its payment is under review, the payment fails.
 * @throws KashboxError `not_found`, `invalid_input`, `facts_changed`, `state_refused`
 */
export async function rejectReview(core: Core, input: DecideReview): Promise<ReviewInFull> {
  const note = noteField(input.note);
  const session = await core.store.write(async (db) => {
    const review = await openReview(db, input.id);
    await requireFacts(core, db, review, input);
    await decide(core, db, review, 'REJECTED', { ...input, note });
    if (isCredited(review)) return review.session_id;
    await recordClaim(core, db, { ...claimOf(review), state: 'REFUSED', reason: 'rejected' });
    const others = await reviewsOfSession(db, review.session_id);
    const isLast = !others.some((other) => other.state === 'OPEN');
    if (review.session_status === 'PENDING' && isLast) {
      const moving = { id: review.session_id, status: review.session_status };
      const about = { review: review.id, note };
      // What was paid stays credited, and the rest is still due.
      if (review.paid_paisa > 0) {
        await movePart(core, db, {
          session: { ...moving, reason: review.session_reason },
          who: input.who,
          about,
          isPaid: false,
        });
      } else await transitionSession(core, db, { session: moving, event: 'reject', who: input.who, about });
    }
    return review.session_id;
  });
  core.moved.tell(session);
  return showReview(core, input.id);
}

/** True if the disputed money was already credited to this payment: the credit stays, whatever is decided. */
function isCredited({ reason, proof_session: session, session_id }: ReviewRow): boolean {
  return reason === 'disputed' && session === session_id;
}

/** Decisions on one payment come one after the other: two that are refused at once must see each other. */
async function openReview(db: Db, id: string): Promise<ReviewRow> {
  const named = await findReview(db, id.trim());
  if (named === undefined) throw noReview(id);
  await lockForDecision(db, claimOf(named));
  const review = (await findReview(db, named.id)) ?? named;
  if (review.state === 'OPEN') return review;
  throw new KashboxError('state_refused', {
    message:
      `Verification ${review.id} was already ${review.state.toLowerCase()} by ` +
      `${review.decided_by ?? 'rule'}`,
    hint:
      review.state === 'REJECTED'
        ? `If that was a mistake, reopen it: kashbox verifications reopen ${review.id} --note WHY`
        : 'See what is open with `kashbox verifications list`.',
  });
}

/** Serializes decisions; called first in the database transaction that decides. */
async function lockForDecision(
  db: Db,
  { merchant, channel, session, reference }: ReturnType<typeof claimOf>,
): Promise<void> {
  // What was seen, or says otherwise, may come at this moment: one of the two has to see the other.
  if (CHANNEL[channel].kind === 'push') await lockMerchant(db, merchant);
  else await lockNames(db, merchant, [{ reference: creditedName(channel, reference) }]);
  await lockSession(db, session);
}

async function credit(
  core: Core,
  db: Db,
  review: ReviewRow,
  proof: CreditedProof,
  decision: ApproveReview,
): Promise<void> {
  const { channel, reference } = proof;
  await requireUnrefunded(db, review);
  const { feePaisa: wholeFee, totalPaisa } = dueOn(channel, review);
  const paisa = proof.amount_paisa ?? totalPaisa;
  const holder = await findHolder(db, review.merchant_id, proof);
  if (holder.by === 'merchant') throw spentBy(review, proof, holder);
  // What banks call a transfer is typed by customers; all else another merchant's phone or account has said.
  if (holder.by === 'other_merchant' && CHANNEL[channel].kind === 'manual') throw spent(review, reference);
  const isLess = paisa < totalPaisa;
  const isPart = isLess && decision.acceptLess !== true && takesPart(review, paisa, core.clock.now());
  if (isLess && !isPart && decision.acceptLess !== true) throw tooLittle(review, totalPaisa - paisa);
  const split = isPart ? splitPart(channel, review, paisa) : { feePaisa: wholeFee, restPaisa: 0 };
  const { session_id: id, brand_id, session_status: status, paid_paisa } = review;
  const session = { id, brand_id, status, paid_paisa };
  const beside = holder.by === 'other_merchant' ? { beside: review.merchant_id } : {};
  const credited = await creditProof(core, db, {
    session,
    proof,
    paisa,
    ...split,
    by: decision.who,
    ...beside,
  });
  if (credited === 'taken') throw spentBy(review, proof, await findHolder(db, review.merchant_id, proof));
  await learnApproved(core, db, proof.id);
  // What only the operator's word stands for was seen by nobody.
  const seen = review.proof_id === null && proof.isSeen ? proof.id : null;
  await decide(core, db, review, 'APPROVED', decision, seen);
  await recordClaim(core, db, { ...claimOf(review), state: 'CREDITED', reason: 'approved' });
  const less = isLess ? { accepted: formatTaka(paisa), due: formatTaka(totalPaisa) } : {};
  const about = { review: review.id, note: decision.note, channel, reference, proof: proof.id, ...less };
  if (isPart) {
    const part = { ...about, ...partText(paisa, split.restPaisa) };
    const moving = { ...session, reason: review.session_reason };
    await movePart(core, db, { session: moving, who: decision.who, about: part, isPaid: true });
    return;
  }
  await transitionSession(core, db, { session, event: 'approve', who: decision.who, about });
}

/** What was sent back no longer pays for anything: the rest of a failed payment must not complete it. */
async function requireUnrefunded(db: Db, { session_id: session, gateway_reference: named }: ReviewRow) {
  if ((await refundsOf(db, { session })).every(({ state }) => state === 'CANCELLED')) return;
  throw new KashboxError('state_refused', {
    message: `Money of payment ${named} goes back to its customer, so other money cannot complete it`,
    hint: `Create a new payment; send the new money back: kashbox refunds create TRXID --note WHY`,
  });
}

/** True if the payment is open and the money, which is less than is due, pays a part of it. */
function takesPart(review: ReviewRow, paisa: Paisa, now: number): boolean {
  const { session_status: status, session_reason: reason, expires_at } = review;
  if (review.takes_parts !== 1 || !isOpen({ status, reason, expires_at }, now)) return false;
  return paisa >= leastPart(review.channel, review);
}

function spentBy(review: ReviewRow, { reference }: CreditedProof, holder: Holder): KashboxError {
  const isOwn = holder.by === 'merchant' && holder.session === review.session_id;
  return isOwn ? paidOtherwise(review) : spent(review, reference);
}

async function decide(
  core: Core,
  db: Db,
  review: ReviewRow,
  state: 'APPROVED' | 'REJECTED',
  { who, note }: DecideReview,
  proof: string | null = null,
): Promise<void> {
  const now = core.clock.now();
  if (!(await decideReviewRow(db, { id: review.id, state, now, who, note, proof }))) {
    throw new KashboxError('state_refused', { message: `Verification ${review.id} was decided just now` });
  }
  // The payment's own row says nothing of a claim that was refused while the payment stays as it is.
  const action = state === 'APPROVED' ? 'review.approve' : 'review.reject';
  const change = { before: { state: review.state }, after: { state, note } };
  await audit(core, db, who, action, review.id, change);
}

function claimOf({ session_id: session, merchant_id: merchant, channel, reference }: ReviewRow) {
  return { session, merchant, channel, reference };
}

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
        hint: `See how: kashbox payments show ${review.gateway_reference}`,
      });
    }
    if (!(await reopenReviewRow(db, review.id))) {
      throw new KashboxError('state_refused', {
        message: `Verification ${review.id} is ${review.state.toLowerCase()}; only a rejected one can be reopened`,
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
