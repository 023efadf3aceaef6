/** Counts for metrics and the doctor. Each reads one index only. */
import { sql } from 'kysely';
import { prepared } from '../compiled-query.js';
import type { Db, NotificationTable } from '../schema/index.js';
import { isLiveBrand, isLiveSession } from './brands.js';
import { countRows } from './list-position.js';

/** Written out, so that the partial index of that state serves. */
const PENDING = sql.lit<NotificationTable['state']>('PENDING');
const FAILED = sql.lit<NotificationTable['state']>('FAILED');
const PING = sql.lit<NotificationTable['event']>('ping');

/** Number of open sessions, without those of test brands. */
export function openSessions(db: Db): Promise<number> {
  const open = db.query.selectFrom('sessions').where('status', '=', sql.lit('PENDING'));
  return countRows(open.where(isLiveBrand('brand_id')));
}

export function countOpenSessionsOfBrand(db: Db, brandId: string): Promise<number> {
  const open = db.query.selectFrom('sessions').where('status', '=', sql.lit('PENDING'));
  return countRows(open.where('brand_id', '=', brandId));
}

/** Number of claims that are looked up at chains and exchanges. */
export function askedClaims(db: Db): Promise<number> {
  const waiting = db.query.selectFrom('claims').where('state', '=', sql.lit('WAITING'));
  return countRows(waiting.where('next_at', 'is not', null));
}

/** Gaps in the chains of balances: SMS that never came. */
export function openGaps(db: Db): Promise<number> {
  return countRows(db.query.selectFrom('sms_gaps').where('closed_at', 'is', null));
}

/** @returns `nextAt` is when the first of them is or was due, milliseconds since the epoch; null for none. */
export async function dueNotifications(db: Db): Promise<{ count: number; nextAt: number | null }> {
  const row = await db.query
    .selectFrom('notifications')
    .where('state', '=', PENDING)
    .select((column) => [
      column.fn.countAll<number | string>().as('count'),
      column.fn.min<number | string | null>('next_at').as('next_at'),
    ])
    .executeTakeFirst();
  const nextAt = row?.next_at ?? null;
  return { count: Number(row?.count ?? 0), nextAt: nextAt === null ? null : Number(nextAt) };
}

/** Failed notifications of payments; a failed test notification is no loss. */
function dead(db: Db) {
  return db.query.selectFrom('notifications').where('state', '=', FAILED).where('event', '!=', PING);
}

export function deadNotifications(db: Db): Promise<number> {
  return countRows(dead(db));
}

/** Number of notifications that failed between the two times. */
export function countDeadNotifications(db: Db, from: number, to: number): Promise<number> {
  return countRows(dead(db).where('closed_at', '>=', from).where('closed_at', '<', to));
}

/** Number of pending notifications that were due before that time. */
export function overdueNotifications(db: Db, before: number): Promise<number> {
  return countRows(
    db.query.selectFrom('notifications').where('state', '=', PENDING).where('next_at', '<', before),
  );
}

/** Endpoints with failed notifications of payments since that time, those with the most first. */
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

/** Last attempt of the most recently failed notification of that endpoint. */
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

/** Endpoints with pending notifications that have answered 410: they will not return. */
export async function endpointsGone(db: Db, limit: number): Promise<string[]> {
  const rows = await db.query
    .selectFrom('notifications as n')
    .innerJoin('attempts as a', 'a.notification_id', 'n.id')
    .where('n.state', '=', PENDING)
    .where('n.tries', '>', 0)
    .where('a.status', '=', 410)
    .groupBy('n.endpoint')
    .orderBy('n.endpoint')
    .limit(limit)
    .select('n.endpoint')
    .execute();
  return rows.map(({ endpoint }) => endpoint);
}

// What a dashboard asks for every two seconds, so that each query reads an index and few rows. Payments of
// tests are in none of it.

/** Length of one step of the sparklines. */
export const SLOT_MS = 120_000;

/** Sessions opened since then, grouped by two-minute slot and outcome. */
export const openedBySlot = prepared<{ since: number }>()((db, value) =>
  db.query
    .selectFrom('sessions')
    .where('created_at', '>=', value('since'))
    .where(isLiveBrand('brand_id'))
    // Two whole numbers: both engines divide them without a remainder.
    .groupBy([sql`created_at / ${SLOT_MS}`, 'status'])
    .select((column) => [
      sql<number | string>`created_at / ${SLOT_MS}`.as('slot'),
      'status',
      column.fn.countAll<number | string>().as('count'),
      column.fn.sum<number | string>('amount_paisa').as('paisa'),
    ]),
);

export const openReviewCount = prepared<Record<string, never>>()((db) =>
  db.query
    .selectFrom('reviews')
    .where('state', '=', 'OPEN')
    .where(isLiveSession('session_id'))
    .select((column) => column.fn.countAll<number | string>().as('count')),
);

/** Outbound SMS that wait here, or that a phone has taken and said nothing of yet. */
export const dispatchCounts = prepared<Record<string, never>>()((db) => {
  const counted = (state: 'QUEUED' | 'LEASED') =>
    db.query
      .selectFrom('dispatches')
      .where('state', '=', state)
      .select(({ fn }) => [
        sql<string>`${sql.lit(state)}`.as('state'),
        fn.countAll<number | string>().as('count'),
      ]);
  return counted('QUEUED').unionAll(counted('LEASED'));
});

function notifications(db: Db) {
  return db.query
    .selectFrom('notifications as n')
    .innerJoin('brands as b', 'b.id', 'n.brand_id')
    .select(['n.id', 'n.event', 'n.endpoint', 'n.state', 'n.tries', 'n.next_at', 'n.created_at'])
    .select('b.name as brand');
}

/** Failed notifications of payments, last first. */
export const lastDead = prepared<{ limit: number }>()((db, value) =>
  notifications(db)
    .where('n.state', '=', 'FAILED')
    .where('n.event', '!=', 'ping')
    .where('n.closed_at', 'is not', null)
    .orderBy('n.closed_at', 'desc')
    .limit(value('limit')),
);

/** Notifications that are due, those first that have waited longest. */
export const firstDue = prepared<{ limit: number }>()((db, value) =>
  notifications(db).where('n.state', '=', 'PENDING').orderBy('n.created_at').limit(value('limit')),
);

function alerts(db: Db) {
  return db.query
    .selectFrom('alerts as a')
    .leftJoin('devices as d', 'd.id', 'a.device_id')
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .select(['a.id', 'a.kind', 'a.detail', 'a.at', 'a.ended_at', 'a.device_id', 'd.name as device']);
}

/** Alerts, last first, with the names of their phones; completed payments are listed separately. */
export const lastAlerts = prepared<{ limit: number }>()((db, value) =>
  alerts(db).where('a.kind', '!=', 'payment.completed').limit(value('limit')),
);

/** Open alerts, newest first. */
export const openAlerts = prepared<{ limit: number }>()((db, value) =>
  alerts(db).where('a.ended_at', 'is', null).limit(value('limit')),
);

/** Open gaps that an alert has reported; gaps of one wallet share an alert. */
export const openGapsOfAlerts = prepared<Record<string, never>>()((db) =>
  db.query
    .selectFrom('sms_gaps as g')
    .innerJoin('alerts as a', 'a.incident', 'g.alert')
    .where('g.closed_at', 'is', null)
    .orderBy('g.id')
    .select(['a.id as alert', 'g.id', 'g.missing_paisa']),
);
