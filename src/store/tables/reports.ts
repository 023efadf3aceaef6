/**
 * Totals of payments by day and by channel, without those of test brands. Days are Bangladesh days, numbered
 * from the epoch.
 */
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, DHAKA_OFFSET_MS } from '../../base/values/clock.js';
import { firstRowId } from '../../base/values/ids.js';
import { isCredit, KNOWN_WITHOUT_FORMAT, SMS_KINDS } from '../../domain/wallets/format.js';
import type { AuditTable, Db } from '../schema/index.js';
import { isLiveBrand, isLiveMerchant, isLiveSession } from './brands.js';
import { phones } from './devices.js';
import { isNotUnderReview } from './money.js';
import { inStatus } from './sessions.js';

/** Milliseconds since the epoch; the end is not part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** PostgreSQL gives counts and sums as text. */
export type Count = number | string;

export interface ReportSpan extends Span {
  /** Null for all. */
  readonly brandId: string | null;
}

/** Day number. Engines divide integer literals as integers; bound values could have any numeric type. */
const dayOf = (column: string): RawBuilder<number | string> =>
  sql`(${sql.ref(column)} + ${sql.lit(DHAKA_OFFSET_MS)}) / ${sql.lit(DAY_MS)}`;

function opened(db: Db, { brandId, from, to }: ReportSpan) {
  const query = db.query
    .selectFrom('sessions as s')
    .where('s.created_at', '>=', from)
    .where('s.created_at', '<', to)
    .where(isLiveBrand('s.brand_id'))
    .groupBy(sql.ref('day'))
    .select((row) => [dayOf('s.created_at').as('day'), row.fn.countAll<Count>().as('count')]);
  return brandId === null ? query : query.where('s.brand_id', '=', brandId);
}

/** Payments by the day on which they were opened. */
export function openedByDay(db: Db, span: ReportSpan) {
  return opened(db, span).execute();
}

/** Sessions opened in the span that have failed by now, per day. @param now milliseconds since the epoch */
export function failedByDay(db: Db, span: ReportSpan, now: number) {
  return opened(db, span).where(inStatus('FAILED', now)).execute();
}

/** Number of payments that the credits `t` complete: a part is money, but completes nothing. */
const completedCount = sql<Count>`sum(CASE WHEN t.rest_paisa = 0 THEN 1 ELSE 0 END)`;

function credited(db: Db, { brandId, from, to }: ReportSpan) {
  const query = db.query
    .selectFrom('transactions as t')
    // Ids begin with the time at which money was credited, so that only these days are read.
    .where('t.id', '>=', firstRowId('transaction', from))
    .where('t.id', '<', firstRowId('transaction', to))
    .where(isLiveBrand('t.brand_id'))
    .select(({ fn }) => [
      completedCount.as('completed'),
      fn.sum<Count | null>('t.amount_paisa').as('paid'),
      fn.sum<Count | null>('t.fee_paisa').as('fees'),
    ]);
  return brandId === null ? query : query.where('t.brand_id', '=', brandId);
}

/** Money by the day on which it was credited. */
export function creditedByDay(db: Db, span: ReportSpan) {
  return credited(db, span).groupBy(sql.ref('day')).select(dayOf('t.credited_at').as('day')).execute();
}

/** Money by the channel on which it came. */
export function creditedByChannel(db: Db, span: ReportSpan) {
  return credited(db, span).groupBy('t.channel').select('t.channel').execute();
}

function refunded(db: Db, { brandId, from, to }: ReportSpan) {
  const query = db.query
    .selectFrom('refunds as r')
    .where('r.state', '=', 'COMPLETED')
    .where('r.closed_at', '>=', from)
    .where('r.closed_at', '<', to)
    // Without a brand it was never paid for anything.
    .where('r.brand_id', 'is not', null)
    .where(isLiveBrand('r.brand_id'))
    .select(({ fn }) => [
      fn.countAll<Count>().as('refunds'),
      fn.sum<Count | null>('r.amount_paisa').as('refunded'),
      fn.sum<Count | null>('r.fee_paisa').as('refund_fees'),
    ]);
  return brandId === null ? query : query.where('r.brand_id', '=', brandId);
}

/** Refunds of payments by the day on which they were completed. */
export function refundedByDay(db: Db, span: ReportSpan) {
  return refunded(db, span).groupBy(sql.ref('day')).select(dayOf('r.closed_at').as('day')).execute();
}

/** Refunds of payments by the channel on which they were sent. */
export function refundedByChannel(db: Db, span: ReportSpan) {
  return refunded(db, span).groupBy('r.channel').select('r.channel').execute();
}

/** Number and sum of refunds that are still to be sent; those of test brands complete immediately. */
export function pendingRefundTotals(db: Db) {
  return (
    db.query
      .selectFrom('refunds')
      .where('state', '=', 'PENDING')
      // Every merchant; the condition lets SQLite use the index of the pending ones.
      .where('merchant_id', '>', '')
      .select(({ fn }) => [
        fn.countAll<Count>().as('count'),
        fn.sum<Count | null>('amount_paisa').as('paisa'),
        fn.min<Count | null>('created_at').as('oldest'),
      ])
      .executeTakeFirstOrThrow()
  );
}

// How many rows a span of time has brought: payments, changes, SMS. Each query reads that span alone.

/** Payments that were opened in it, by flow. */
export function countOpenedPayments(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('sessions')
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where(isLiveBrand('brand_id'))
    .groupBy('flow')
    .select(({ fn }) => ['flow', fn.countAll<Count>().as('count')])
    .execute();
}

/** Changes of these kinds that were made in it, by kind. */
export function countChanges(db: Db, { from, to }: Span, actions: readonly AuditTable['action'][]) {
  return (
    db.query
      .selectFrom('audit')
      .where('id', '>=', firstRowId('audit', from))
      .where('id', '<', firstRowId('audit', to))
      .where('action', 'in', actions)
      // All of these are about a payment.
      .where(isLiveSession('subject'))
      .groupBy('action')
      .select(({ fn }) => ['action', fn.countAll<Count>().as('count')])
      .execute()
  );
}

/** SMS that were stored in it, by what they were read as. */
export function countStoredSms(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('sms')
    .where('stored_at', '>=', from)
    .where('stored_at', '<', to)
    .where('source', '!=', 'played')
    .groupBy('kind')
    .select(({ fn }) => ['kind', fn.countAll<Count>().as('count')])
    .execute();
}

// How one day was, for a summary. Rows are found by their identifiers, which begin with the time, so that
// a day of a large store costs what that day holds.

/** Count and total of received money that neither completed a payment nor is under review. */
export function totalUnclaimed(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('proofs as p')
    .where('p.id', '>=', firstRowId('proof', from))
    .where('p.id', '<', firstRowId('proof', to))
    .where(isLiveMerchant('p.merchant_id'))
    .where('p.closed_note', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('transactions as t').whereRef('t.proof_id', '=', 'p.id').select('t.id'))),
    )
    .where(isNotUnderReview('p.id'))
    .select(({ fn }) => [
      fn.countAll<Count>().as('count'),
      fn.sum<Count | null>('p.amount_paisa').as('paisa'),
    ])
    .executeTakeFirstOrThrow();
}

/** Phones that are offline, by their names. */
export async function phonesOffline(db: Db): Promise<string[]> {
  const rows = await db.query
    .selectFrom('alerts as a')
    .innerJoin('devices as d', 'd.id', 'a.device_id')
    .where('a.ended_at', 'is', null)
    .where('a.kind', '=', 'device.offline')
    .orderBy('d.name')
    .select('d.name')
    .execute();
  return rows.map(({ name }) => name);
}

// What phones brought and sent in a span of time, counted by phone.

const MONEY_KINDS = SMS_KINDS.filter(isCredit);

/** SMS by when they were stored: of wallets those that money came in with, and those that no format reads. */
export function smsByDevice(db: Db, { from, to }: Span) {
  const money = sql<boolean>`format IS NOT NULL AND kind IN (${sql.join(MONEY_KINDS)})`;
  const known = sql.join(KNOWN_WITHOUT_FORMAT);
  const unread = sql<boolean>`format IS NULL AND channel IS NOT NULL AND kind NOT IN (${known})`;
  return db.query
    .selectFrom('sms')
    .where('stored_at', '>=', from)
    .where('stored_at', '<', to)
    .where('device_id', 'is not', null)
    .groupBy('device_id')
    .select(({ fn }) => ['device_id', fn.countAll<Count>().as('count')])
    .select(sql<Count>`sum(CASE WHEN ${money} THEN 1 ELSE 0 END)`.as('money'))
    .select(sql<Count>`sum(CASE WHEN ${unread} THEN 1 ELSE 0 END)`.as('unread'))
    .execute();
}

/** Payments by when they were credited, each by the phone that brought its SMS. */
export function creditedByDevice(db: Db, { from, to }: Span) {
  return (
    db.query
      .selectFrom('transactions as t')
      .innerJoin('proofs as p', 'p.id', 't.proof_id')
      .innerJoin('sms as s', 's.id', 'p.source_id')
      // Ids begin with the time at which money was credited.
      .where('t.id', '>=', firstRowId('transaction', from))
      .where('t.id', '<', firstRowId('transaction', to))
      .where('s.device_id', 'is not', null)
      .groupBy('s.device_id')
      .select(['s.device_id', completedCount.as('count')])
      .select(({ fn }) => fn.sum<Count>('t.amount_paisa').as('paid'))
      .execute()
  );
}

/** Outbound SMS by when they were queued. */
export function dispatchesByDevice(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('dispatches')
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .groupBy(['device_id', 'state'])
    .select(({ fn }) => ['device_id', 'state', fn.countAll<Count>().as('count')])
    .execute();
}

/** Gaps by when they were found. */
export function gapsByDevice(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('sms_gaps')
    .where('found_at', '>=', from)
    .where('found_at', '<', to)
    .where('device_id', 'is not', null)
    .groupBy('device_id')
    .select(({ fn }) => ['device_id', fn.countAll<Count>().as('count')])
    .select(sql<Count>`sum(CASE WHEN closed_at IS NULL THEN 1 ELSE 0 END)`.as('open'))
    .execute();
}

/** Offline periods of a phone in the span, from its alerts. */
export function listOfflinePeriods(db: Db, device: string, { from, to }: Span) {
  return db.query
    .selectFrom('alerts')
    .where('device_id', '=', device)
    .where('kind', '=', 'device.offline')
    .where('at', '<', to)
    .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>', from)]))
    .select(['detail', 'at', 'ended_at'])
    .execute();
}

/** Phones with their merchants, revoked ones too. @param merchantId null for all. */
export function reportedDevices(db: Db, merchantId: string | null) {
  const query = phones(db)
    .orderBy('d.name')
    .orderBy('d.id')
    .select(['d.id', 'd.name', 'd.revoked_at', 'd.last_seen_at', 'm.name as merchant']);
  return merchantId === null ? query.execute() : query.where('d.merchant_id', '=', merchantId).execute();
}
