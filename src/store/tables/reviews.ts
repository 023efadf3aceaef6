/** Claims that a person decides, with all that helps to decide them. */
import { sql } from 'kysely';
import type { ReviewReason } from '../../domain/matching/matching.js';
import { hot } from '../compiled-query.js';
import type { Db, ReviewTable } from '../schema/index.js';
import { newerThan, type Page } from './place.js';

/**
 * Puts a claim before a person, once. What is seen of it later is added to a review that had nothing.
 * @returns the row if something was written.
 */
export const putReview = hot<{
  id: string;
  session: string;
  channel: string;
  reference: string;
  proof: string | null;
  reason: ReviewReason;
  now: number;
}>()((db, value) =>
  db.query
    .insertInto('reviews')
    .values({
      id: value.id,
      session_id: value.session,
      channel: value.channel,
      reference: value.reference,
      proof_id: value.proof,
      reason: value.reason,
      state: 'OPEN',
      created_at: value.now,
      decided_at: null,
      decided_by: null,
      note: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['session_id', 'channel', 'reference'])
        .doUpdateSet({ proof_id: value.proof, reason: value.reason })
        .where('reviews.state', '=', 'OPEN')
        .where('reviews.proof_id', 'is', null)
        .where('reviews.channel', '!=', 'bank'),
    )
    .returning('id'),
);

/** Whether a person is or was asked about this very money for this session, by whichever of its ids. */
export const reviewOfMoney = hot<{ session: string; proof: string }>()((db, value) =>
  db.query
    .selectFrom('reviews')
    .where('proof_id', '=', value.proof)
    .where('session_id', '=', value.session)
    .limit(1)
    .select('id'),
);

interface EndedClaim {
  readonly session: string;
  readonly channel: string;
  readonly reference: string;
  readonly now: number;
}

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
export async function refuseUnseen(db: Db, claim: EndedClaim): Promise<void> {
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

function reviews(db: Db) {
  return db.query
    .selectFrom('reviews as r')
    .innerJoin('sessions as s', 's.id', 'r.session_id')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .leftJoin('proofs as p', 'p.id', 'r.proof_id')
    .leftJoin('transactions as t', 't.proof_id', 'r.proof_id')
    .leftJoin('slips as f', 'f.review_id', 'r.id')
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
    .select([
      'r.id',
      'r.state',
      'r.reason',
      'r.channel',
      'r.reference',
      'r.proof_id',
      'r.created_at',
      'r.decided_at',
      'r.decided_by',
      'r.note',
      'r.slip',
      's.id as session_id',
      's.gateway_reference',
      's.brand_id',
      's.status as session_status',
      's.reason as session_reason',
      's.cus_name',
      's.amount_paisa',
      's.fees',
      's.expires_at',
      'b.name as brand',
      'b.merchant_id',
      'p.reference as proof_reference',
      'p.scope as proof_scope',
      'p.aliases as proof_aliases',
      'p.units as proof_units',
      'p.amount_paisa as proof_paisa',
      'p.payer as proof_payer',
      'p.recipient as proof_recipient',
      'p.at as proof_at',
      'p.source_id as proof_source',
      'p.disputed_by as proof_disputed_by',
      't.session_id as proof_session',
      'f.media_type as slip_type',
      'f.bytes as slip_bytes',
      'f.sha256 as slip_sha256',
    ]);
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
    .where('t.folded', '=', value.folded)
    .where('t.folded', 'is not', null)
    .where('t.session_id', '!=', value.session)
    .orderBy('t.credited_at', 'desc')
    .limit(5)
    .select(['t.reference', 's.gateway_reference as payment', 't.credited_at']),
);

/** What was credited on the operator's word alone when this review was approved. */
export function proofOfWord(db: Db, review: Pick<ReviewRow, 'id' | 'session_id'>) {
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
}

/** The oldest first: who has waited longest comes first. */
export function listedReviews(db: Db, { state, brandId, after, limit }: ReviewFilter) {
  let query = reviews(db).orderBy('r.created_at').orderBy('r.id').limit(limit);
  // Written out, so that the index of the open ones serves.
  if (state !== null) query = query.where('r.state', '=', sql.lit(state));
  if (brandId !== null) query = query.where('s.brand_id', '=', brandId);
  if (after !== null) query = query.where(newerThan('r.created_at', 'r.id', after));
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
}

/** @returns false, and nothing is written, where it was decided before. */
export async function decideReviewRow(db: Db, decision: ReviewDecision): Promise<boolean> {
  const { id, state, now, who, note } = decision;
  const decided = await db.query
    .updateTable('reviews')
    .set({ state, decided_at: now, decided_by: who, note })
    .where('id', '=', id)
    .where('state', '=', 'OPEN')
    .returning('id')
    .executeTakeFirst();
  return decided !== undefined;
}
