/** The queue of claims that a person must decide, as an operator reads it. */

import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import { formatSteps, formatUsdt } from '../../base/values/usdt.js';
import type { SmsReason } from '../../channels/mfs/index.js';
import { BANK } from '../../domain/accounts/channels.js';
import type { ReviewReason } from '../../domain/matching/matching.js';
import { foldedReference } from '../../domain/matching/reference.js';
import type { SlipFate, SlipType } from '../../domain/reviews/slip.js';
import { feeOn, readFees } from '../../domain/sessions/fees.js';
import { type SessionStatus, statusAt } from '../../domain/sessions/session.js';
import type { Db, ReviewTable } from '../../store/schema/index.js';
import type { Page } from '../../store/tables/place.js';
import { findPushText } from '../../store/tables/pushes.js';
import {
  claimOfReview,
  findReview,
  listedReviews,
  nearReferences,
  openReviewsOfPayment,
  proofOfWord,
  type ReviewRow,
} from '../../store/tables/reviews.js';
import { findSlip } from '../../store/tables/slips.js';
import { findSms } from '../../store/tables/sms.js';
import type { Core } from '../core/core.js';
import { pagesOf, wholeList } from '../input/pages.js';
import { requireBrand } from '../input/require-row.js';

export interface ReviewView {
  readonly id: string;
  readonly state: ReviewTable['state'];
  /** Why a person is asked. */
  readonly reason: ReviewReason;
  /** Session id and gateway reference of the payment. */
  readonly payment: string;
  readonly gateway_reference: string;
  readonly payment_status: SessionStatus;
  readonly payment_reason: string;
  readonly brand: string;
  readonly cus_name: string;
  /** BDT with two decimals: what the shop asks for, the channel's fee, and both, which the customer owes. */
  readonly amount: string;
  readonly fee: string;
  readonly due: string;
  /** What was asked for in USDT, decimal text; null on channels of taka. */
  readonly due_usdt: string | null;
  readonly channel: string;
  /** What the customer claims to have paid by. */
  readonly reference: string;
  /** When money was seen; null where none was, as of a bank transfer, and then so are the other four. */
  readonly seen_at: string | null;
  /** BDT with two decimals, null where it could not be read, or is USDT. */
  readonly seen_amount: string | null;
  /** USDT, decimal text; null where it is taka. */
  readonly seen_usdt: string | null;
  readonly seen_from: string | null;
  readonly seen_on: string | null;
  /** What became of the slip that the customer gave; null where there was none. */
  readonly slip: SlipFate | null;
  /** Media type, size in bytes and digest of what is kept of it. */
  readonly slip_type: SlipType | null;
  readonly slip_bytes: number | null;
  readonly slip_sha256: string | null;
  readonly created_at: string;
  readonly decided_at: string | null;
  readonly decided_by: string | null;
  readonly note: string | null;
}

export interface ReviewInFull extends ReviewView {
  /** The SMS that the proof comes from, word for word, and what was thought of it. */
  readonly sms: {
    readonly sender: string;
    readonly body: string;
    readonly reasons: readonly SmsReason[];
  } | null;
  readonly claim: { readonly state: string; readonly reason: string; readonly created_at: string } | null;
  /** The later text or push that says otherwise of the money, word for word; null where none does. */
  readonly contrary: { readonly sender: string; readonly body: string } | null;
  /**
   * Bank transfers that were credited to other payments under a reference that is nearly spelled the same.
   */
  readonly looks_like: readonly LooksLike[];
  /** True where it was approved and nothing here had seen the money: the operator's word stands for it. */
  readonly unseen: boolean;
}

export interface LooksLike {
  readonly reference: string;
  /** Gateway reference of the payment that was credited with it. */
  readonly payment: string;
  readonly credited_at: string;
}

function reviewView(row: ReviewRow, now: number): ReviewView {
  const feePaisa = feeOn(readFees(row.fees), row.channel, row.amount_paisa);
  const session = { status: row.session_status, reason: row.session_reason, expires_at: row.expires_at };
  const payment = statusAt(session, now);
  return {
    id: row.id,
    state: row.state,
    reason: row.reason,
    payment: row.session_id,
    gateway_reference: row.gateway_reference,
    payment_status: payment.status,
    payment_reason: payment.reason,
    brand: row.brand,
    cus_name: row.cus_name,
    amount: formatTaka(row.amount_paisa),
    fee: formatTaka(feePaisa),
    due: formatTaka(row.amount_paisa + feePaisa),
    due_usdt: row.quoted === null ? null : formatSteps(row.quoted),
    channel: row.channel,
    reference: row.reference,
    seen_at: row.proof_at === null ? null : dhakaIso(row.proof_at),
    seen_amount: row.proof_paisa === null ? null : formatTaka(row.proof_paisa),
    seen_usdt: row.proof_units === null ? null : formatUsdt(BigInt(row.proof_units)),
    seen_from: row.proof_payer,
    seen_on: row.proof_recipient,
    slip: row.slip,
    slip_type: row.slip_type,
    slip_bytes: row.slip_bytes,
    slip_sha256: row.slip_sha256,
    created_at: dhakaIso(row.created_at),
    decided_at: row.decided_at === null ? null : dhakaIso(row.decided_at),
    decided_by: row.decided_by,
    note: row.note,
  };
}

export interface ListReviews {
  /** Null lists all, decided ones too. */
  readonly state: ReviewTable['state'] | null;
  /** Identifier or name. */
  readonly brand?: string | undefined;
  /** May be infinite. */
  readonly limit: number;
}

/**
 * The oldest first, in pages; without the texts of SMS.
 * @throws KashboxError `not_found` if there is no such brand
 */
export async function* reviewPages(core: Core, input: ListReviews): AsyncGenerator<ReviewView[]> {
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const brand = input.brand === undefined ? null : await requireBrand(db, input.brand);
      return listedReviews(db, { state: input.state, brandId: brand?.id ?? null, ...page });
    });
  for await (const rows of pagesOf(input.limit, read, ({ created_at: at, id }) => ({ at, id }))) {
    yield rows.map((row) => reviewView(row, core.clock.now()));
  }
}

/** The same as one list. */
export function listReviews(core: Core, input: ListReviews): Promise<ReviewView[]> {
  return wholeList(reviewPages(core, input));
}

/**
 * Operators are told of a payment by its customer, who knows the payment's number only.
 * @param typed a verification's id, or gateway reference or session id of a payment for which one is open.
 * @returns the verification's id; whether there is one of that id is not looked up.
 * @throws KashboxError `not_found`, `invalid_input` where several are open
 */
export async function reviewIdOf(core: Core, typed: string): Promise<string> {
  const named = typed.trim();
  if (named.startsWith('rev_')) return named;
  const payment = { id: named.toLowerCase(), reference: named.toUpperCase() };
  const [only, ...others] = await core.store.read((db) => openReviewsOfPayment(db, payment));
  if (only === undefined) throw noReview(typed, SEEN_HINT);
  if (others.length === 0) return only.id;
  throw new KashboxError('invalid_input', {
    message: `Payment ${named} has several verifications: ${[only, ...others].map(({ id }) => id).join(', ')}`,
    hint: 'Look at each with `kashbox verifications show`, then name the one that you mean.',
  });
}

/** @throws KashboxError `not_found` */
export async function showReview(core: Core, id: string): Promise<ReviewInFull> {
  return core.store.read(async (db) => {
    const row = await findReview(db, id.trim());
    if (row === undefined) throw noReview(id);
    const sms = row.proof_source === null ? undefined : await findSms(db, row.proof_source);
    const claim = await claimOfReview(db, row);
    const word = await proofOfWord(db, row);
    const reference = word?.reference ?? row.reference;
    const alike = row.channel === BANK ? await alikeOf(db, row.session_id, reference) : [];
    return {
      ...reviewView(row, core.clock.now()),
      sms:
        sms === undefined
          ? null
          : { sender: sms.sender, body: sms.body, reasons: JSON.parse(sms.reasons) as SmsReason[] },
      claim: claim === undefined ? null : { ...claim, created_at: dhakaIso(claim.created_at) },
      contrary: row.proof_disputed_by === null ? null : await contraryText(db, row.proof_disputed_by),
      looks_like: alike.map(({ credited_at, ...one }) => ({ ...one, credited_at: dhakaIso(credited_at) })),
      unseen: word !== undefined,
    };
  });
}

function alikeOf(db: Db, session: string, reference: string) {
  return nearReferences.all(db, { session, folded: foldedReference(reference) });
}

async function contraryText(db: Db, source: string): Promise<ReviewInFull['contrary']> {
  const sms = await findSms(db, source);
  if (sms !== undefined) return { sender: sms.sender, body: sms.body };
  const push = await findPushText(db, source);
  return push === undefined ? null : { sender: push.acquirer, body: push.body };
}

export interface Slip {
  readonly mediaType: SlipType;
  readonly bytes: Buffer;
}

/** What the customer uploaded. @throws KashboxError `not_found`, also where the review has no slip */
export async function readSlip(core: Core, id: string): Promise<Slip> {
  const found = await core.store.read(async (db) => {
    const review = await findReview(db, id.trim());
    if (review === undefined) throw noReview(id);
    return (await findSlip(db, id.trim())) ?? noSlip(id, review.slip);
  });
  if (found instanceof KashboxError) throw found;
  return { mediaType: found.media_type, bytes: Buffer.from(found.content, 'base64') };
}

function noSlip(id: string, fate: SlipFate | null): KashboxError {
  const named = echoed(id);
  const statement = "Look for the reference in the bank's own statement.";
  switch (fate) {
    case 'no_room':
      return new KashboxError('not_found', {
        message: `The slip of "${named}" was not kept: that day's room for slips was used up`,
        hint: `Ask the customer for it. ${statement}`,
      });
    case 'forgotten':
      return new KashboxError('not_found', {
        message: `The slip of "${named}" was deleted some time after the decision`,
        hint: statement,
      });
    case 'kept':
    case null:
      return new KashboxError('not_found', {
        message: `The customer of "${named}" uploaded no slip`,
        hint: statement,
      });
    default:
      return fate satisfies never;
  }
}

const LIST_HINT = 'See them with `kashbox verifications list`.';
const SEEN_HINT = `${LIST_HINT} A payment that has none is completed with money that you have found: kashbox verifications approve PAYMENT --method METHOD --reference REFERENCE --note …`;

export function noReview(id: string, hint = LIST_HINT): KashboxError {
  return new KashboxError('not_found', { message: `There is no verification "${echoed(id)}"`, hint });
}
