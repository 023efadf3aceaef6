/** Counts for metrics and the doctor. Each reads one index only. */
import { sql } from 'kysely';
import type { Db, NotificationTable } from '../schema/index.js';
import { countOf } from './list-position.js';
import { isLiveBrand } from './test-brands.js';

/** Written out, so that the partial index of that state serves. */
const DUE = sql.lit<NotificationTable['state']>('DUE');
const DEAD = sql.lit<NotificationTable['state']>('DEAD');
const PING = sql.lit<NotificationTable['event']>('ping');

/** Without those of tests. */
export function openSessions(db: Db): Promise<number> {
  const open = db.query.selectFrom('sessions').where('status', '=', sql.lit('PENDING'));
  return countOf(open.where(isLiveBrand('brand_id')));
}

/** Those of one brand. */
export function openSessionsOf(db: Db, brandId: string): Promise<number> {
  const open = db.query.selectFrom('sessions').where('status', '=', sql.lit('PENDING'));
  return countOf(open.where('brand_id', '=', brandId));
}

/** Claims whose payments are asked for on chain and exchanges. */
export function askedClaims(db: Db): Promise<number> {
  const waiting = db.query.selectFrom('claims').where('state', '=', sql.lit('WAITING'));
  return countOf(waiting.where('next_at', 'is not', null));
}

/** Gaps in the chains of balances: SMS that never came. */
export function openGaps(db: Db): Promise<number> {
  return countOf(db.query.selectFrom('sms_gaps').where('closed_at', 'is', null));
}

/** @returns `nextAt` is when the first of them is or was due, milliseconds since the epoch; null for none. */
export async function dueNotifications(db: Db): Promise<{ count: number; nextAt: number | null }> {
  const row = await db.query
    .selectFrom('notifications')
    .where('state', '=', DUE)
    .select((column) => [
      column.fn.countAll<number | string>().as('count'),
      column.fn.min<number | string | null>('next_at').as('next_at'),
    ])
    .executeTakeFirst();
  const nextAt = row?.next_at ?? null;
  return { count: Number(row?.count ?? 0), nextAt: nextAt === null ? null : Number(nextAt) };
}

/** Of payments: a test that failed is no loss. */
function dead(db: Db) {
  return db.query.selectFrom('notifications').where('state', '=', DEAD).where('event', '!=', PING);
}

export function deadNotifications(db: Db): Promise<number> {
  return countOf(dead(db));
}

/** How many were given up from the one time to the other. */
export function deadNotificationsIn(db: Db, from: number, to: number): Promise<number> {
  return countOf(dead(db).where('closed_at', '>=', from).where('closed_at', '<', to));
}

/** How many are due since before that time. */
export function overdueNotifications(db: Db, before: number): Promise<number> {
  return countOf(db.query.selectFrom('notifications').where('state', '=', DUE).where('next_at', '<', before));
}

/** Endpoints for which notifications of payments were given up since that time, those with the most first. */
export async function deadEndpoints(db: Db, since: number, limit: number) {
  const rows = await dead(db)
    .where('closed_at', '>=', since)
    .groupBy('endpoint')
    .select((column) => ['endpoint', column.fn.countAll<number | string>().as('count')])
    .orderBy('count', 'desc')
    .orderBy('endpoint')
    .limit(limit)
    .execute();
  return rows.map(({ endpoint, count }) => ({ endpoint, count: Number(count) }));
}

/** The last attempt of the notification that was given up last for that endpoint. */
export function lastDeadAttempt(db: Db, endpoint: string) {
  const closed = dead(db).where('endpoint', '=', endpoint).where('closed_at', 'is not', null);
  const last = closed.orderBy('closed_at', 'desc').limit(1).select('id');
  return db.query
    .selectFrom('attempts')
    .where('notification_id', '=', last)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .select(['outcome', 'detail'])
    .executeTakeFirst();
}

/** Endpoints that something is due to and that have answered 410: they will not be there again. */
export async function endpointsGone(db: Db, limit: number): Promise<string[]> {
  const rows = await db.query
    .selectFrom('notifications as n')
    .innerJoin('attempts as a', 'a.notification_id', 'n.id')
    .where('n.state', '=', DUE)
    .where('n.tries', '>', 0)
    .where('a.status', '=', 410)
    .groupBy('n.endpoint')
    .orderBy('n.endpoint')
    .limit(limit)
    .select('n.endpoint')
    .execute();
  return rows.map(({ endpoint }) => endpoint);
}
