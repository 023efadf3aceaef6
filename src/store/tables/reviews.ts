/** Claims that a person decides, with all that helps to decide them. */
import { sql } from 'kysely';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { ReviewReason } from '../../domain/matching/matching.js';
import { type Given, hot } from '../compiled-query.js';
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
export function openReview(value: Given<NewReview>, reason: ReviewReason) {
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
 * Puts a claim under review, once. What is seen of it later is added to a review that had nothing.
 * @returns the row if something was written.
 */
export const putReview = hot<NewReview & { reason: ReviewReason }>()((db, value) =>
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

/** Whether a person is or was asked about this very money for this session, by whichever of its ids. */
export const reviewOfMoney = hot<{ session: string; proof: string }>()((db, value) =>
  db.query
    .selectFrom('reviews')
    .where('proof_id', '=', value('proof'))
    .where('session_id', '=', value('session'))
    .limit(1)
    .select('id'),
);

type EndedClaim = Pick<NewReview, 'session' | 'channel' | 'reference' | 'now'>;

/** Ends the reviews of what was credited without a person after all, also by another of its ids. */
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

/** Ends the review of a claim of which nothing had been seen, now that what came does not pay. */
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

/** Money that came for a claim which its customer has sent to the seller: the person who decides sees it. */
export const addProof = hot<Omit<EndedClaim, 'now'> & { readonly proof: string }>()((db, value) =>
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

/** Ends what a customer has sent to the seller of other ids, now that the payment is completed by itself. */
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
export const noteOfCustomer = hot<Omit<EndedClaim, 'now'> & { readonly note: string }>()((db, value) =>
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

/** Those of one payment that wait for a person, the oldest first. */
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

/** Those in which a person is asked about that money. */
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
export const nearReferences = hot<{ folded: string; session: string }>()((db, value) =>
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

/** What was credited on the operator's word alone when this review was approved. */
export function operatorProof(db: Db, review: Pick<ReviewRow, 'id' | 'session_id'>) {
  return db.query
    .selectFrom('transactions as t')
    .innerJoin('proofs as p', 'p.id', 't.proof_id')
    .where('t.session_id', '=', review.session_id)
    .where('p.source_id', '=', review.id)
    .select('p.reference')
    .executeTakeFirst();
}

export interface ReviewFilter extends Page {
  readonly state: ReviewTable['state'] | null;
  readonly brandId: string | null;
  /** Whether they are of test brands; null for either. */
  readonly isTest: boolean | null;
}

/** The oldest first: who has waited longest comes first. */
export function listedReviews(db: Db, { state, brandId, isTest, ...page }: ReviewFilter) {
  let query = reviews(db).$call(oldestFirst('r.created_at', 'r.id', page));
  // Written out, so that the index of the open ones serves.
  if (state !== null) query = query.where('r.state', '=', sql.lit(state));
  if (brandId !== null) query = query.where('s.brand_id', '=', brandId);
  if (isTest !== null) query = query.where('b.test_of', isTest ? 'is not' : 'is', null);
  return query.execute();
}

/** Reviews of a session, the newest first. */
export function reviewsOfSession(db: Db, session: string) {
  return db.query
    .selectFrom('reviews')
    .where('session_id', '=', session)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .select(['id', 'channel', 'reference', 'state', 'reason', 'slip', 'created_at'])
    .execute();
}

export interface ReviewDecision {
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
