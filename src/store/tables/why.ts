/**
 * Queries of `kashbox why`: payments, claims and money by the details that somebody remembers. Ids are found
 * by index, however old they are. Details without an index (amounts, payers, ids with a mistake) are searched
 * among the newest rows, so that a store of a million payments answers as fast as a small one.
 */
import { sql } from 'kysely';
import { PAY_CHANNELS } from '../../domain/accounts/channels.js';
import type { Db } from '../schema/index.js';
import { holds } from './list-position.js';
import { completes } from './proofs.js';

/** Number of newest rows to search; for a shop with 1,000 payments a day these are 20 days. */
export const NEWEST = 20_000;
/** Maximum claims to list: somebody who guesses may have claimed the same digits thousands of times. */
const CLAIMS = 50;

export type WhySession = Awaited<ReturnType<typeof sessionsForWhy>>[number];

/** The sessions of these ids with what completed them. */
export function sessionsForWhy(db: Db, ids: readonly string[]) {
  return db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .leftJoin('transactions as t', completes)
    .where('s.id', 'in', ids)
    .orderBy('s.created_at', 'desc')
    .select(['s.id', 's.gateway_reference', 's.brand_id', 's.status', 's.reason', 's.amount_paisa'])
    .select(['s.cus_name', 's.created_at', 's.expires_at', 's.closed_at', 's.fees'])
    .select(['b.name as brand', 'b.merchant_id', 'b.proof_window_hours as window_hours'])
    .select(['t.channel', 't.reference as transaction_id', 's.paid_paisa', 's.paid_fee_paisa'])
    .execute();
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** Sessions of this id, number or payment reference, credited with this id, or where it was claimed. */
export async function sessionsNamed(db: Db, typed: string): Promise<string[]> {
  const references = [...new Set([typed, typed.toUpperCase(), typed.toLowerCase()])];
  const own = db.query
    .selectFrom('sessions')
    .where((either) =>
      either.or([
        either('id', '=', typed.toLowerCase()),
        either('gateway_reference', '=', typed.toUpperCase()),
        either('payment_reference', '=', typed.toUpperCase()),
      ]),
    )
    .select('id');
  const credited = db.query
    .selectFrom('transactions')
    .where('channel', 'in', PAY_CHANNELS)
    .where('reference', 'in', references)
    .select('session_id as id');
  const claimed = db.query
    .selectFrom('claims')
    .where('reference', 'in', references)
    .orderBy('created_at', 'desc')
    .limit(CLAIMS)
    .select('session_id as id');
  const found = [await own.execute(), await credited.execute(), await claimed.execute()];
  return [...new Set(found.flatMap(idsOf))];
}

/** The newest sessions with this e-mail address, or with this text somewhere in the shop's own data. */
export function sessionsHolding(db: Db, text: string, since: number) {
  const newest = db.query
    .selectFrom('sessions')
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(NEWEST)
    .select(['id', 'cus_email', 'meta_data', 'created_at']);
  return db.query
    .selectFrom(newest.as('s'))
    .where((is) => is.or([holds('s.cus_email', text), holds('s.meta_data', text)]))
    .orderBy('s.created_at', 'desc')
    .limit(CLAIMS)
    .select(['s.id', 's.cus_email', 's.meta_data'])
    .execute();
}

/** The newest sessions that somebody should pay exactly that much for, of all merchants or of one. */
export async function sessionsOfAmount(
  db: Db,
  asked: {
    readonly paisa: number;
    readonly merchant: string | null;
    readonly since: number;
    readonly limit: number;
  },
): Promise<string[]> {
  const newest = db.query
    .selectFrom('sessions')
    .where('created_at', '>=', asked.since)
    .orderBy('created_at', 'desc')
    .limit(NEWEST)
    .select(['id', 'brand_id', 'status', 'amount_paisa', 'created_at']);
  let query = db.query
    .selectFrom(newest.as('s'))
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .where('s.amount_paisa', '=', asked.paisa)
    // What is not paid is what somebody asks about.
    .orderBy(sql`CASE s.status WHEN 'COMPLETED' THEN 1 ELSE 0 END`)
    .orderBy('s.created_at', 'desc')
    .limit(asked.limit)
    .select('s.id');
  if (asked.merchant !== null) query = query.where('b.merchant_id', '=', asked.merchant);
  return idsOf(await query.execute());
}

/** Claims of the newest sessions that have not been paid by them. */
export function undecidedClaims(db: Db, since: number) {
  const newest = db.query
    .selectFrom('sessions')
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(NEWEST)
    .select('id');
  return db.query
    .selectFrom(newest.as('s'))
    .innerJoin('claims as c', 'c.session_id', 's.id')
    .where('c.state', 'in', ['WAITING', 'REFUSED'])
    .select(['c.session_id', 'c.reference'])
    .execute();
}

/** Claims of these references: those under review first, then the newest. */
export function claimsUnder(db: Db, references: readonly string[]) {
  return db.query
    .selectFrom('claims as c')
    .innerJoin('sessions as s', 's.id', 'c.session_id')
    .where('c.reference', 'in', references)
    .orderBy(sql`CASE c.state WHEN 'REVIEW' THEN 0 ELSE 1 END`)
    .orderBy('c.created_at', 'desc')
    .limit(CLAIMS)
    .select(['c.session_id', 'c.merchant_id', 'c.channel', 'c.reference', 'c.state'])
    .select('s.gateway_reference as payment')
    .execute();
}

/** The payments that these verifications are about. @param ids at least one. */
export async function sessionsOfReviews(db: Db, ids: readonly string[]): Promise<string[]> {
  return idsOf(
    await db.query.selectFrom('reviews').where('id', 'in', ids).select('session_id as id').execute(),
  );
}

/** Claims and reviews of these sessions, newest first. */
export async function claimsForWhy(db: Db, sessions: readonly string[]) {
  const claims = await db.query
    .selectFrom('claims')
    .where('session_id', 'in', sessions)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .select(['session_id', 'channel', 'reference', 'state', 'reason', 'created_at'])
    .execute();
  const reviews = await db.query
    .selectFrom('reviews')
    .where('session_id', 'in', sessions)
    .orderBy('created_at', 'desc')
    .select(['session_id', 'id', 'channel', 'reference', 'reason', 'state'])
    .execute();
  return { claims, reviews };
}

/** Credits and refunds of these sessions, oldest first. */
export async function sumsForWhy(db: Db, sessions: readonly string[]) {
  const credits = await db.query
    .selectFrom('transactions')
    .where('session_id', 'in', sessions)
    .orderBy('id')
    .select(['session_id', 'channel', 'reference', 'amount_paisa', 'credited_at as at'])
    .execute();
  const refunds = await db.query
    .selectFrom('refunds')
    .where('session_id', 'in', sessions)
    .orderBy('created_at')
    .orderBy('id')
    .select(['session_id', 'id', 'channel', 'amount_paisa', 'state', 'payee', 'shown', 'reference'])
    .execute();
  return { credits, refunds };
}

/** The refund of money that paid for nothing, by the id of its SMS or push. */
export function refundOfText(db: Db, source: string) {
  return db.query
    .selectFrom('refunds as r')
    .innerJoin('proofs as p', 'p.id', 'r.proof_id')
    .where('p.source_id', '=', source)
    .where('r.state', '!=', 'CANCELLED')
    .orderBy('r.created_at', 'desc')
    .select(['r.id', 'r.channel', 'r.amount_paisa', 'r.state', 'r.payee', 'r.shown', 'r.reference'])
    .executeTakeFirst();
}

/** Transfers to customers with these ids, each with the refund that it completed. */
export function sentForWhy(db: Db, references: readonly string[]) {
  return db.query
    .selectFrom('sent_money as m')
    .leftJoin('refunds as r', 'r.sent_id', 'm.id')
    .leftJoin('sessions as s', 's.id', 'r.session_id')
    .where('m.reference', 'in', references)
    .select(['m.merchant_id', 'm.channel', 'm.reference', 'm.payee', 'm.reason', 'm.closed_as'])
    .select(['m.closed_note', 'r.id as refund', 's.gateway_reference as payment'])
    .execute();
}

/** The newest SMS and pushes of these merchants, with what they can be recognised by. */
export async function newestMoney(db: Db, merchants: readonly string[], since: number) {
  const sms = db.query
    .selectFrom('sms')
    .where('stored_at', '>=', since)
    .orderBy('stored_at', 'desc')
    .limit(NEWEST)
    .select(['id', 'merchant_id', 'channel', 'trx_id as reference', 'amount_paisa', 'payer', 'kind']);
  const pushes = db.query
    .selectFrom('pushes')
    .where('received_at', '>=', since)
    .orderBy('received_at', 'desc')
    .limit(NEWEST)
    .select(['id', 'merchant_id', 'reference', 'amount_paisa', 'payer']);
  const ofThem = <Row extends { readonly merchant_id: string }>(rows: readonly Row[]) =>
    rows.filter(({ merchant_id }) => merchants.includes(merchant_id));
  return { sms: ofThem(await sms.execute()), pushes: ofThem(await pushes.execute()) };
}

/** Ids of all merchants. */
export async function allMerchants(db: Db): Promise<string[]> {
  return idsOf(await db.query.selectFrom('merchants').select('id').execute());
}

/** Sources and proofs of money with one of these references. */
export async function sourcesOfReferences(
  db: Db,
  merchants: readonly string[],
  references: readonly string[],
) {
  if (merchants.length === 0 || references.length === 0) return [];
  return db.query
    .selectFrom('proofs')
    .where('merchant_id', 'in', merchants)
    .where('channel', 'in', PAY_CHANNELS)
    .where('reference', 'in', references)
    .select(['id', 'source_id'])
    .execute();
}

/** Proofs `p` with the payment that each has completed. */
function proofs(db: Db) {
  return db.query
    .selectFrom('proofs as p')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .leftJoin('sessions as x', 'x.id', 't.session_id');
}

/** Open review of a proof `p`; null if there is none. */
const openReview = sql<string | null>`(SELECT min(v.id) FROM reviews AS v
    WHERE v.proof_id = p.id AND v.state = 'OPEN')`.as('review');

/** SMS by their ids, each with the money that it is, if any; one of two messages is two rows. */
export function smsForWhy(db: Db, ids: readonly string[]) {
  return (
    db.query
      .selectFrom('sms as s')
      .leftJoin('devices as d', 'd.id', 's.device_id')
      .leftJoin('proofs as p', 'p.source_id', 's.id')
      .leftJoin('transactions as t', 't.proof_id', 'p.id')
      .leftJoin('sessions as x', 'x.id', 't.session_id')
      .where('s.id', 'in', ids)
      .select(['s.id', 's.merchant_id', 's.channel', 's.amount_paisa', 's.payer', 's.kind'])
      .select(['s.sender', 's.reasons', 's.received_at', 's.stored_at', 'd.name as device'])
      // The SIM is not the account of an operator's source.
      .select(
        sql<string | null>`CASE WHEN s.source_name IS NULL THEN s.recipient ELSE p.recipient END`.as(
          'recipient',
        ),
      )
      .select((row) => row.fn.coalesce('p.reference', 's.trx_id').as('reference'))
      .select((row) => row.fn.coalesce('p.settle', 's.settle').as('settle'))
      .select(['p.at as proof_at', 'p.disputed_by', 'p.closed_note as closed'])
      .select(['x.gateway_reference as payment', openReview])
      .execute()
  );
}

/** Pushes of banks by their ids. */
export function pushesForWhy(db: Db, ids: readonly string[]) {
  return db.query
    .selectFrom('pushes as u')
    .leftJoin('proofs as p', 'p.source_id', 'u.id')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .leftJoin('sessions as x', 'x.id', 't.session_id')
    .where('u.id', 'in', ids)
    .select(['u.id', 'u.merchant_id', 'u.reference', 'u.amount_paisa', 'u.payer', 'u.state', 'u.received_at'])
    .select(['p.at as proof_at', 'p.settle', 'p.disputed_by', 'x.gateway_reference as payment', openReview])
    .execute();
}

/** Money observed at a chain or exchange, or confirmed by a person, by proof ids. */
export function outsideForWhy(db: Db, proofIds: readonly string[]) {
  return proofs(db)
    .where('p.id', 'in', proofIds)
    .select(['p.id', 'p.merchant_id', 'p.channel', 'p.reference', 'p.amount_paisa', 'p.payer'])
    .select(['p.recipient', 'p.kind', 'p.settle', 'p.disputed_by', 'p.at', 'p.created_at'])
    .select(['x.gateway_reference as payment', openReview])
    .execute();
}

/** Open gaps in the balances of a merchant's wallets. */
export function gapsForWhy(db: Db, merchants: readonly string[]) {
  return db.query
    .selectFrom('sms_gaps')
    .where('merchant_id', 'in', merchants)
    .where('closed_at', 'is', null)
    .select(['id', 'merchant_id', 'channel', 'recipient', 'missing_paisa', 'found_at'])
    .execute();
}

/** The numbers on which brands are paid. */
export function accountsForWhy(db: Db, brands: readonly string[]) {
  return db.query
    .selectFrom('accounts')
    .where('brand_id', 'in', brands)
    .where('active', '=', 1)
    .select(['id', 'brand_id', 'channel', 'type', 'number'])
    .execute();
}

/** The accounts that were chosen for payments, where there was a choice. */
export function chosenForWhy(db: Db, sessions: readonly string[]) {
  return db.query
    .selectFrom('session_accounts as o')
    .innerJoin('accounts as a', 'a.id', 'o.account_id')
    .where('o.session_id', 'in', sessions)
    .select(['o.session_id', 'a.id', 'a.channel', 'a.type'])
    .execute();
}
