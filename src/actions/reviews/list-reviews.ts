/** Lists claims under review. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import { formatSteps, formatUsdt } from '../../base/values/usdt.js';
import type { SmsReason } from '../../channels/mfs/index.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { foldedReference } from '../../domain/matching/reference.js';
import type { SlipOutcome, SlipType } from '../../domain/reviews/slip.js';
import { statusAt } from '../../domain/sessions/session.js';
import type { Db, ReviewTable } from '../../store/schema/index.js';
import type { Page } from '../../store/tables/list-position.js';
import { findPushText } from '../../store/tables/pushes.js';
import {
  claimOfReview,
  findReview,
  findSlip,
  listedReviews,
  nearReferences,
  openReviewsOfPayment,
  operatorProof,
  type ReviewRow,
} from '../../store/tables/reviews.js';
import { findSms } from '../../store/tables/sms.js';
import type { Core } from '../core/core.js';
import { collectAll, cursorBy, paginate } from '../input/pages.js';
import { idOfBrand } from '../input/require-row.js';
import { defineView } from '../input/view.js';
import { dueOfReview, listReviewReasons } from '../why/list-facts.js';
import { type FactsOfReview, factsOfReview } from '../why/review-facts.js';

export type ReviewView = ReturnType<typeof reviewView>;

/** Current status of the review's payment. */
const paymentOf = (row: ReviewRow, now: number) =>
  statusAt({ status: row.session_status, reason: row.session_reason, expires_at: row.expires_at }, now);

/** Takes the current time in milliseconds since the epoch. */
const reviewView = defineView<ReviewRow, number>()(({ same, times, time, taka }) => ({
  // The reason is why a person is asked.
  ...same('id', 'state', 'reason'),
  payment: (row) => row.session_id,
  ...same('gateway_reference'),
  payment_status: (row, now) => paymentOf(row, now).status,
  payment_reason: (row, now): string => paymentOf(row, now).reason,
  ...same('brand', 'cus_name'),
  /** Amount that the shop requested. */
  amount: taka('amount_paisa'),
  /** Fee of the channel, and with it what the customer owes: of a payment in parts, the rest. */
  fee: (row) => formatTaka(dueOfReview(row).feePaisa),
  due: (row) => formatTaka(dueOfReview(row).totalPaisa),
  /** Amount due in USDT, decimal text; null on channels in taka. */
  due_usdt: (row) => (row.quoted === null ? null : formatSteps(row.quoted)),
  // The reference is what the customer claims to have paid by.
  ...same('channel', 'reference'),
  /** Time when money was seen; null, like the other four, if none was, for example for a bank transfer. */
  seen_at: time('proof_at'),
  /** Null where it could not be read, or is USDT. */
  seen_amount: taka('proof_paisa'),
  /** USDT, decimal text; null where it is taka. */
  seen_usdt: (row) => (row.proof_units === null ? null : formatUsdt(BigInt(row.proof_units))),
  seen_from: (row) => row.proof_payer,
  seen_on: (row) => row.proof_recipient,
  /** Note from the customer to the seller; null if there is none. */
  ...same('customer_note'),
  // What became of the slip that the customer gave, and of what is kept: media type, bytes and digest.
  ...same('slip', 'slip_type', 'slip_bytes', 'slip_sha256'),
  ...times('created_at', 'decided_at'),
  ...same('decided_by', 'note'),
  /** True if the payment belongs to a test brand, so that it is not real money. */
  test: (row) => row.test_of !== null,
  /** Names of the reasons why the SMS is suspicious; empty if there are none. */
  doubts: listReviewReasons,
}));

export interface ReviewInFull extends ReviewView, FactsOfReview {
  /** Original text of the SMS that the proof comes from, and the reasons of its assessment. */
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
  /** True if it was approved although no source had seen the money, on the operator's word alone. */
  readonly unseen: boolean;
}

interface LooksLike {
  readonly reference: string;
  /** Gateway reference of the payment that was credited with it. */
  readonly payment: string;
  readonly credited_at: string;
}

interface ListReviews {
  /** Null lists all, decided ones too. */
  readonly state: ReviewTable['state'] | null;
  /** Identifier or name. */
  readonly brand?: string | undefined;
  /** Lists only reviews of test brands. Without it and without `brand`, these are left out. */
  readonly test?: boolean | undefined;
  /** Maximum number of reviews; may be `Infinity`. */
  readonly limit: number;
}

/**
 * Lists reviews in pages, oldest first, without the texts of SMS.
 * @throws KashboxError `not_found` if there is no such brand
 */
export function reviewPages(core: Core, input: ListReviews): AsyncGenerator<ReviewView[]> {
  const { state, brand, test = false, limit } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const brandId = await idOfBrand(db, brand);
      const isTest = test ? true : brandId === null ? false : null;
      return listedReviews(db, { state, brandId, isTest, ...page });
    });
  return paginate({ limit }, read, cursorBy('created_at'), (row) => reviewView(row, core.clock.now()));
}

export const listReviews = collectAll(reviewPages);

/**
 * Finds a verification, also by its payment's number, the only one that customers know.
 * @param typed verification id, or gateway reference or session id of a payment with an open verification.
 * @returns the verification's id; a typed one is not checked for existence.
 * @throws KashboxError `not_found`, `invalid_input` if several are open
 */
export async function findReviewId(core: Core, typed: string): Promise<string> {
  const named = typed.trim();
  if (named.startsWith('rev_')) return named;
  const payment = { id: named.toLowerCase(), reference: named.toUpperCase() };
  const [only, ...others] = await core.store.read((db) => openReviewsOfPayment(db, payment));
  if (only === undefined) throw noReview(typed, SEEN_HINT);
  if (others.length === 0) return only.id;
  refuse(
    `Payment ${named} has several verifications: ${[only, ...others].map(({ id }) => id).join(', ')}`,
    'Look at each with `kashbox verifications show`, then name the one that you mean.',
  );
}

/** @throws KashboxError `not_found` */
export async function showReview(core: Core, id: string): Promise<ReviewInFull> {
  return core.store.read(async (db) => {
    const row = await findReview(db, id.trim());
    if (row === undefined) throw noReview(id);
    const sms = row.proof_source === null ? undefined : await findSms(db, row.proof_source);
    const claim = await claimOfReview(db, row);
    const word = await operatorProof(db, row);
    const reference = word?.reference ?? row.reference;
    const alike = CHANNEL[row.channel].kind === 'manual' ? await alikeOf(db, row.session_id, reference) : [];
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
      ...(await factsOfReview(db, row, core.clock.now())),
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

/** Slip that the customer uploaded. @throws KashboxError `not_found`, also if the review has no slip */
export async function loadSlip(core: Core, id: string): Promise<Slip> {
  const found = await core.store.read(async (db) => {
    const review = await findReview(db, id.trim());
    if (review === undefined) throw noReview(id);
    return (await findSlip(db, id.trim())) ?? noSlip(id, review.slip);
  });
  if (found instanceof KashboxError) throw found;
  return { mediaType: found.media_type, bytes: Buffer.from(found.content, 'base64') };
}

function noSlip(id: string, outcome: SlipOutcome | null): KashboxError {
  const named = echoed(id);
  const statement = "Look for the reference in the bank's own statement.";
  switch (outcome) {
    case 'no_room':
      return new KashboxError('not_found', {
        message: `The slip of "${named}" was not saved: the storage limit for slips of that day was reached`,
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
      return outcome satisfies never;
  }
}

const LIST_HINT = 'List them with `kashbox verifications list`.';
const SEEN_HINT = `${LIST_HINT} To complete a payment that has none with money that you have found: kashbox verifications approve PAYMENT --channel METHOD --reference REFERENCE --note …`;

export function noReview(id: string, hint = LIST_HINT): KashboxError {
  return new KashboxError('not_found', { message: `There is no verification "${echoed(id)}"`, hint });
}
