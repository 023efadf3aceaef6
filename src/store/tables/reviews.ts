/** Claims under manual review, with the data needed to decide them. */
import { sql } from 'kysely';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { ReviewReason } from '../../domain/matching/matching.js';
import { prepared, type QueryParam } from '../compiled-query.js';
import { newInserter } from '../compiled-rows.js';
import type { Db, ReviewTable } from '../schema/index.js';
import { oldestFirst, type Page } from './list-position.js';

export type NewReview = {
  id: string;
  session: string;
  channel: PayChannel;
  reference: string;
  proof: string | null;
  now: number;
};

const UNDECIDED = { state: 'OPEN', decided_at: null, decided_by: null, note: null } as const;

/** A claim as it is put under review. */
export function openReview(value: QueryParam<NewReview>, reason: ReviewReason) {
  return {
    id: value('id'),
    session_id: value('session'),
    channel: value('channel'),
    reference: value('reference'),
    proof_id: value('proof'),
    reason,
    created_at: value('now'),
    ...UNDECIDED,
  };
}

/**
 * Puts a claim under review, once. A proof that is found later is added to an open review without one.
 * @returns the row if something was written.
 */
export const putReview = prepared<NewReview & { reason: ReviewReason }>()((db, value) =>
  db.query
    .insertInto('reviews')
    .values(openReview(value, value('reason')))
    .onConflict((conflict) =>
      conflict
        .columns(['session_id', 'channel', 'reference'])
        .doUpdateSet({ proof_id: value('proof'), reason: value('reason') })
        .where('reviews.state', '=', 'OPEN')
        .where('reviews.proof_id', 'is', null)
        .where('reviews.channel', '!=', 'bank')
        .where((is) =>
          is.or([
            is('excluded.proof_id', 'is not', null),
            is('excluded.reason', '!=', is.ref('reviews.reason')),
          ]),
        ),
    )
    .returning('id'),
);

/** Finds a review, open or closed, of this money for this session, under any of its ids. */
export const reviewOfMoney = prepared<{ session: string; proof: string }>()((db, value) =>
  db.query
    .selectFrom('reviews')
    .where('proof_id', '=', value('proof'))
    .where('session_id', '=', value('session'))
    .limit(1)
    .select('id'),
);

type EndedClaim = Pick<NewReview, 'session' | 'channel' | 'reference' | 'now'>;

/** Closes the reviews of money that was credited automatically after all, also under another of its ids. */
export async function closeReview(db: Db, claim: EndedClaim & { readonly proof: string }): Promise<void> {
  await db.query
    .updateTable('reviews')
    .set({ state: 'APPROVED', decided_at: claim.now, decided_by: 'rule' })
    .where('session_id', '=', claim.session)
    .where('state', '=', 'OPEN')
    .where((either) =>
      either.or([
        either('proof_id', '=', claim.proof),
        either.and([either('channel', '=', claim.channel), either('reference', '=', claim.reference)]),
      ]),
    )
    .execute();
}

/** Rejects the review of a claim that had found nothing, because the money that arrived does not pay. */
export async function refuseUnmatched(db: Db, claim: EndedClaim): Promise<void> {
  await db.query
    .updateTable('reviews')
    .set({ state: 'REJECTED', decided_at: claim.now, decided_by: 'rule' })
    .where('session_id', '=', claim.session)
    .where('channel', '=', claim.channel)
    .where('reference', '=', claim.reference)
    .where('state', '=', 'OPEN')
    .where('proof_id', 'is', null)
    .execute();
}

/** Adds the arrived proof to a claim that was sent to the seller, so that the reviewer sees it. */
export const addProof = prepared<Omit<EndedClaim, 'now'> & { readonly proof: string }>()((db, value) =>
  db.query
    .updateTable('reviews')
    .set({ proof_id: value('proof') })
    .where('session_id', '=', value('session'))
    .where('channel', '=', value('channel'))
    .where('reference', '=', value('reference'))
    .where('reason', '=', 'customer_asked')
    .where('state', '=', 'OPEN')
    .where('proof_id', 'is', null),
);

/** Rejects a customer's other ids under review, because the payment was completed automatically. */
export async function dropAsked(
  db: Db,
  { session, now }: Pick<EndedClaim, 'session' | 'now'>,
): Promise<void> {
  await db.query
    .updateTable('reviews')
    .set({ state: 'REJECTED', decided_at: now, decided_by: 'rule' })
    .where('session_id', '=', session)
    .where('reason', '=', 'customer_asked')
    .where('state', '=', 'OPEN')
    .where('proof_id', 'is', null)
    .execute();
}

/** Keeps what the customer wrote to the seller. */
export const saveCustomerNote = prepared<Omit<EndedClaim, 'now'> & { readonly note: string }>()((db, value) =>
  db.query
    .updateTable('reviews')
    .set({ customer_note: value('note') })
    .where('session_id', '=', value('session'))
    .where('channel', '=', value('channel'))
    .where('reference', '=', value('reference')),
);

function reviews(db: Db) {
  return db.query
    .selectFrom('reviews as r')
    .innerJoin('sessions as s', 's.id', 'r.session_id')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .leftJoin('proofs as p', 'p.id', 'r.proof_id')
    .leftJoin('transactions as t', 't.proof_id', 'r.proof_id')
    .leftJoin('slips as f', 'f.review_id', 'r.id')
    .leftJoin('sms as m', 'm.id', 'p.source_id')
    .select((r) =>
      // All accounts of a channel were quoted the same.
      r
        .selectFrom('quotes as q')
        .whereRef('q.session_id', '=', 'r.session_id')
        .whereRef('q.channel', '=', 'r.channel')
        .select('q.amount')
        .limit(1)
        .as('quoted'),
    )
    .select(['r.id', 'r.state', 'r.reason', 'r.channel', 'r.reference', 'r.proof_id', 'r.created_at'])
    .select(['r.decided_at', 'r.decided_by', 'r.note', 'r.slip', 'r.customer_note'])
    .select(['s.id as session_id', 's.gateway_reference', 's.brand_id', 's.status as session_status'])
    .select(['s.reason as session_reason', 's.cus_name', 's.amount_paisa', 's.fees', 's.expires_at'])
    .select(['s.takes_parts', 's.paid_paisa', 's.paid_fee_paisa'])
    .select(['b.name as brand', 'b.merchant_id', 'b.test_of'])
    .select(['p.reference as proof_reference', 'p.scope as proof_scope', 'p.aliases as proof_aliases'])
    .select(['p.units as proof_units', 'p.amount_paisa as proof_paisa', 'p.payer as proof_payer'])
    .select(['p.recipient as proof_recipient', 'p.at as proof_at', 'p.source_id as proof_source'])
    .select(['p.disputed_by as proof_disputed_by', 't.session_id as proof_session'])
    .select('m.reasons as sms_reasons')
    .select(['f.media_type as slip_type', 'f.bytes as slip_bytes', 'f.sha256 as slip_sha256']);
}

export type ReviewRow = NonNullable<Awaited<ReturnType<typeof findReview>>>;

export function findReview(db: Db, id: string) {
  return reviews(db).where('r.id', '=', id).executeTakeFirst();
}

/** Open reviews of one payment, oldest first. */
export function openReviewsOfPayment(db: Db, payment: { readonly id: string; readonly reference: string }) {
  return db.query
    .selectFrom('reviews as r')
    .innerJoin('sessions as s', 's.id', 'r.session_id')
    .where((either) =>
      either.or([either('s.id', '=', payment.id), either('s.gateway_reference', '=', payment.reference)]),
    )
    .where('r.state', '=', 'OPEN')
    .orderBy('r.created_at')
    .orderBy('r.id')
    .select('r.id')
    .execute();
}

export function openReviewsOfMoney(db: Db, proof: string) {
  return db.query
    .selectFrom('reviews')
    .where('proof_id', '=', proof)
    .where('state', '=', 'OPEN')
    .select(['id', 'session_id as session', 'channel', 'reference', 'reason'])
    .execute();
}

/** The customer's word that a review is about. */
export function claimOfReview(db: Db, review: Pick<ReviewRow, 'session_id' | 'channel' | 'reference'>) {
  return db.query
    .selectFrom('claims')
    .where('session_id', '=', review.session_id)
    .where('channel', '=', review.channel)
    .where('reference', '=', review.reference)
    .select(['state', 'reason', 'created_at'])
    .executeTakeFirst();
}

/** Bank transfers under nearly that reference which other payments were credited with, the last first. */
export const nearReferences = prepared<{ folded: string; session: string }>()((db, value) =>
  db.query
    .selectFrom('transactions as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .where('t.folded', '=', value('folded'))
    .where('t.folded', 'is not', null)
    .where('t.session_id', '!=', value('session'))
    .orderBy('t.credited_at', 'desc')
    .limit(5)
    .select(['t.reference', 's.gateway_reference as payment', 't.credited_at']),
);

/** Proof that was credited on the operator's word alone when this review was approved. */
export function operatorProof(db: Db, review: Pick<ReviewRow, 'id' | 'session_id'>) {
  return db.query
    .selectFrom('transactions as t')
    .innerJoin('proofs as p', 'p.id', 't.proof_id')
    .where('t.session_id', '=', review.session_id)
    .where('p.source_id', '=', review.id)
    .select('p.reference')
    .executeTakeFirst();
}

interface ReviewFilter extends Page {
  readonly state: ReviewTable['state'] | null;
  readonly brandId: string | null;
  /** True for reviews of test brands, false for those of live brands; null for both. */
  readonly isTest: boolean | null;
}

/** Lists reviews, oldest first, so that the longest wait is on top. */
export function listedReviews(db: Db, { state, brandId, isTest, ...page }: ReviewFilter) {
  let query = reviews(db).$call(oldestFirst('r.created_at', 'r.id', page));
  // Written out, so that the index of the open ones serves.
  if (state !== null) query = query.where('r.state', '=', sql.lit(state));
  if (brandId !== null) query = query.where('s.brand_id', '=', brandId);
  if (isTest !== null) query = query.where('b.test_of', isTest ? 'is not' : 'is', null);
  return query.execute();
}

/** Lists reviews of a session, newest first. */
export function reviewsOfSession(db: Db, session: string) {
  return db.query
    .selectFrom('reviews')
    .where('session_id', '=', session)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .select(['id', 'channel', 'reference', 'state', 'reason', 'slip', 'created_at'])
    .execute();
}

interface ReviewDecision {
  readonly id: string;
  readonly state: 'APPROVED' | 'REJECTED';
  readonly now: number;
  readonly who: string;
  readonly note: string;
  /** Money that was seen and that nobody knew to be meant until now; null for none. */
  readonly proof: string | null;
}

/** @returns false, and nothing is written, where it was decided before. */
export async function decideReviewRow(db: Db, decision: ReviewDecision): Promise<boolean> {
  const { id, state, now, who, note, proof } = decision;
  const open = db.query.updateTable('reviews').where('id', '=', id).where('state', '=', 'OPEN');
  const meant = proof === null ? {} : { proof_id: proof };
  const decided = open.set({ state, decided_at: now, decided_by: who, note, ...meant }).returning('id');
  return (await decided.executeTakeFirst()) !== undefined;
}

/** @returns false, and nothing is written, where it is not rejected. */
export async function reopenReviewRow(db: Db, id: string): Promise<boolean> {
  const rejected = db.query.updateTable('reviews').where('id', '=', id).where('state', '=', 'REJECTED');
  return (await rejected.set(UNDECIDED).returning('id').executeTakeFirst()) !== undefined;
}

// What the facts of a review are found from: the money, who told of it, and who was credited with it.

/** Money of a review: what was paid, when, and the source that reported it. */
export function seenMoney(db: Db, proof: string) {
  return db.query
    .selectFrom('proofs as p')
    .leftJoin('sms as m', 'm.id', 'p.source_id')
    .leftJoin('devices as d', 'd.id', 'm.device_id')
    .leftJoin('pushes as u', 'u.id', 'p.source_id')
    .leftJoin('acquirers as a', 'a.id', 'u.acquirer_id')
    .where('p.id', '=', proof)
    .select(['p.id', 'p.channel', 'p.reference', 'p.scope', 'p.kind', 'p.amount_paisa', 'p.units', 'p.at'])
    .select(['p.payer', 'p.recipient', 'p.named', 'p.disputed_by', 'p.evidence', 'p.closed_note'])
    .select(['m.sender', 'm.source', 'm.reasons as sms_reasons', 'd.name as device', 'a.name as acquirer'])
    .executeTakeFirst();
}

/** Content of an SMS that arrived after an operator had credited its money to a payment. */
export function laterMoney(db: Db, sms: string) {
  return db.query
    .selectFrom('sms as m')
    .leftJoin('devices as d', 'd.id', 'm.device_id')
    .where('m.id', '=', sms)
    .select(['m.amount_paisa', 'm.payer', 'm.recipient', 'm.received_at as at'])
    .select(['m.sender', 'm.source', 'm.reasons as sms_reasons', 'd.name as device'])
    .executeTakeFirst();
}

export type SeenMoney = NonNullable<Awaited<ReturnType<typeof seenMoney>>>;

/** The payments that were credited with money under that reference, of all merchants. */
export function creditedUnder(db: Db, money: { readonly channel: PayChannel; readonly reference: string }) {
  return db.query
    .selectFrom('transactions as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('brands as b', 'b.id', 't.brand_id')
    .where('t.channel', '=', money.channel)
    .where('t.reference', '=', money.reference)
    .orderBy('t.credited_at')
    .select(['t.session_id', 't.proof_id', 't.scope', 's.gateway_reference as payment', 'b.merchant_id'])
    .execute();
}

// What customers uploaded to show bank transfers, and the room that each brand has for it a day.

/** Keeps a slip; a review has one, the first that came. */
export const insertSlip = newInserter('slips', 'review_id');

export function findSlip(db: Db, review: string) {
  return db.query
    .selectFrom('slips')
    .where('review_id', '=', review)
    .select(['media_type', 'sha256', 'content'])
    .executeTakeFirst();
}

export async function markSlip(
  db: Db,
  reviews: readonly string[],
  slip: NonNullable<ReviewTable['slip']>,
): Promise<void> {
  await db.query.updateTable('reviews').set({ slip }).where('id', 'in', reviews).execute();
}

/** Claims of a session that are under review, and the outcome of each slip; null if none was uploaded. */
export function openSlips(db: Db, session: string) {
  return db.query
    .selectFrom('reviews')
    .where('session_id', '=', session)
    .where('state', '=', 'OPEN')
    .select(['channel', 'reference', 'slip'])
    .execute();
}

interface SlipRoom {
  readonly brand: string;
  /** `2026-08-21`, of Bangladesh time. */
  readonly day: string;
  readonly bytes: number;
  /** Maximum total size of that day's slips. */
  readonly mostBytes: number;
}

/**
 * Takes room of a brand's day in one statement, so that neither claims at the same moment nor several daemons
 * take more than there is. Where clocks disagree, the later day counts.
 * @returns false, and nothing is taken, where there is too little.
 */
export async function takeSlipRoom(db: Db, { brand, day, bytes, mostBytes }: SlipRoom): Promise<boolean> {
  if (bytes > mostBytes) return false;
  const isNewDay = sql<boolean>`slip_days.day < excluded.day`;
  const taken = await db.query
    .insertInto('slip_days')
    .values({ brand_id: brand, day, bytes })
    .onConflict((conflict) =>
      conflict
        .column('brand_id')
        .doUpdateSet({
          day: sql`case when ${isNewDay} then excluded.day else slip_days.day end`,
          bytes: sql`excluded.bytes + case when ${isNewDay} then 0 else slip_days.bytes end`,
        })
        .where(sql<boolean>`(${isNewDay} or slip_days.bytes + excluded.bytes <= ${mostBytes})`),
    )
    .returning('brand_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes the slips of claims that were decided before that time; the claims stay. @returns how many. */
export async function forgetSlips(db: Db, before: number, limit: number): Promise<number> {
  const rows = await db.query
    .selectFrom('reviews')
    .where('slip', '=', sql.lit('kept'))
    .where('decided_at', '<', before)
    .orderBy('decided_at')
    .limit(limit)
    .select('id')
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db.query.deleteFrom('slips').where('review_id', 'in', ids).execute();
  await markSlip(db, ids, 'forgotten');
  return ids.length;
}
