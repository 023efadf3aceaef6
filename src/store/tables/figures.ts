/** How much there is of what, for metrics and the doctor. Counts read one index and nothing else. */
import { sql } from 'kysely';
import type { Db, NotificationTable } from '../schema/index.js';

/** Written out, so that the partial index of that state serves. */
const DUE = sql.lit<NotificationTable['state']>('DUE');
const DEAD = sql.lit<NotificationTable['state']>('DEAD');
const PING = sql.lit<NotificationTable['event']>('ping');

export async function openSessions(db: Db): Promise<number> {
  const row = await db.query
    .selectFrom('sessions')
    .where('status', '=', sql.lit('PENDING'))
    .select((column) => column.fn.countAll<number | string>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Claims whose payments are asked for on chain and exchanges. */
export async function askedClaims(db: Db): Promise<number> {
  const row = await db.query
    .selectFrom('claims')
    .where('state', '=', sql.lit('WAITING'))
    .where('next_at', 'is not', null)
    .select((column) => column.fn.countAll<number | string>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
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
export async function deadNotifications(db: Db): Promise<number> {
  const row = await db.query
    .selectFrom('notifications')
    .where('state', '=', DEAD)
    .where('event', '!=', PING)
    .select((column) => column.fn.countAll<number | string>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** How many are due since before that time. */
export async function overdueNotifications(db: Db, before: number): Promise<number> {
  const row = await db.query
    .selectFrom('notifications')
    .where('state', '=', DUE)
    .where('next_at', '<', before)
    .select((column) => column.fn.countAll<number | string>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Endpoints for which notifications of payments were given up since that time, those with the most first. */
export async function deadEndpoints(db: Db, since: number, limit: number) {
  const rows = await db.query
    .selectFrom('notifications')
    .where('state', '=', DEAD)
    .where('event', '!=', PING)
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
  return db.query
    .selectFrom('attempts')
    .where('notification_id', '=', (sub) =>
      sub
        .selectFrom('notifications')
        .where('state', '=', DEAD)
        .where('event', '!=', PING)
        .where('endpoint', '=', endpoint)
        .where('closed_at', 'is not', null)
        .orderBy('closed_at', 'desc')
        .limit(1)
        .select('id'),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .select(['outcome', 'detail'])
    .executeTakeFirst();
}

/** Endpoints that something is due to and that have answered 410: they will not be there again. */
export async function goneEndpoints(db: Db, limit: number): Promise<string[]> {
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
