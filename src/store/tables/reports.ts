/**
 * Sums of payments by day and by channel, without those of tests. Days are those of Bangladesh, as numbers
 * since the epoch.
 */
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, DHAKA_OFFSET_MS } from '../../base/values/clock.js';
import { firstRowId } from '../../base/values/ids.js';
import type { Db } from '../schema/index.js';
import { inStatus } from './sessions.js';
import type { Count, Span } from './span.js';
import { isLiveBrand } from './test-brands.js';

export interface ReportSpan extends Span {
  /** Null for all. */
  readonly brandId: string | null;
}

/** Both engines divide whole numbers as whole numbers. Bound values would be numbers of any kind. */
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

/** Those of them that have failed by now. @param now milliseconds since the epoch */
export function failedByDay(db: Db, span: ReportSpan, now: number) {
  return opened(db, span).where(inStatus('FAILED', now)).execute();
}

function credited(db: Db, { brandId, from, to }: ReportSpan) {
  const query = db.query
    .selectFrom('transactions as t')
    // Ids begin with the time at which money was credited, so that only these days are read.
    .where('t.id', '>=', firstRowId('transaction', from))
    .where('t.id', '<', firstRowId('transaction', to))
    .where(isLiveBrand('t.brand_id'))
    .select(({ fn }) => [
      fn.countAll<Count>().as('completed'),
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
