/** The outbox as operators read it and send it again. Knows no rule of the business. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Destination } from '../../domain/notifications/fair-share.js';
import type { Db, NotificationTable, SessionTable } from '../schema/index.js';
import { type ListPosition, newestFirst, oldestFirst, type Page } from './list-position.js';

function notifications(db: Db) {
  return db.query
    .selectFrom('notifications as n')
    .innerJoin('brands as b', 'b.id', 'n.brand_id')
    .leftJoin('sessions as s', 's.id', 'n.session_id')
    .leftJoin('attempts as a', (join) =>
      join.on('a.id', '=', (of) =>
        of
          .selectFrom('attempts as l')
          .whereRef('l.notification_id', '=', 'n.id')
          .orderBy('l.at', 'desc')
          .orderBy('l.id', 'desc')
          .limit(1)
          .select('l.id'),
      ),
    )
    .select(['n.id', 'n.session_id', 'n.event', 'n.sequence', 'n.url', 'n.endpoint', 'n.format'])
    .select(['n.content', 'n.state', 'n.tries', 'n.next_at', 'n.lease', 'n.created_at', 'n.closed_at'])
    .select(['b.name as brand', 's.gateway_reference'])
    .select(['a.at as last_at', 'a.outcome as last_outcome', 'a.status as last_status'])
    .select(['a.detail as last_detail']);
}

export type NotificationRow = Awaited<ReturnType<typeof listedNotifications>>[number];

type Columns = ExpressionBuilder<{ n: NotificationTable }, 'n'>;

/** Of a payment, not of a test; and given up, or tried without success so far. */
function isFailed(either: Columns): Expression<SqlBool> {
  return either.and([
    either('n.session_id', 'is not', null),
    either.or([
      either('n.state', '=', 'DEAD'),
      either.and([either('n.state', '=', 'DUE'), either('n.tries', '>', 0)]),
    ]),
  ]);
}

export interface NotificationFilter extends Page {
  readonly brandId: string | null;
  readonly sessionId: string | null;
  readonly state: NotificationTable['state'] | null;
  readonly failed: boolean;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number | null;
}

/** The newest first. */
export function listedNotifications(db: Db, filter: NotificationFilter) {
  const { brandId, sessionId, state, sinceMs } = filter;
  let query = notifications(db).$call(newestFirst('n.created_at', 'n.id', filter));
  if (brandId !== null) query = query.where('n.brand_id', '=', brandId);
  if (sessionId !== null) query = query.where('n.session_id', '=', sessionId);
  if (state !== null) query = query.where('n.state', '=', state);
  if (filter.failed) query = query.where(isFailed);
  if (sinceMs !== null) query = query.where('n.created_at', '>=', sinceMs);
  return query.execute();
}

export function findNotification(db: Db, id: string) {
  return notifications(db).where('n.id', '=', id).executeTakeFirst();
}

/** All of one payment, in the order of their events. */
export function notificationsOfSession(db: Db, session: string) {
  return notifications(db).where('n.session_id', '=', session).orderBy('n.sequence').execute();
}

/** The oldest first. */
export function attemptsOf(db: Db, notification: string) {
  return db.query
    .selectFrom('attempts')
    .where('notification_id', '=', notification)
    .orderBy('at')
    .orderBy('id')
    .select(['id', 'at', 'ms', 'outcome', 'status', 'detail', 'answer', 'asked_by'])
    .execute();
}

/** @param payment session id in lower case, gateway reference in upper case. */
export function findPaymentRow(db: Db, payment: { readonly id: string; readonly reference: string }) {
  return db.query
    .selectFrom('sessions as s')
    .where((either) =>
      either.or([either('s.id', '=', payment.id), either('s.gateway_reference', '=', payment.reference)]),
    )
    .select(['s.id', 's.gateway_reference'])
    .executeTakeFirst();
}

/** What a replay needs to know of a notification, and where its payment would be notified today. */
function replayable(db: Db) {
  return db.query
    .selectFrom('notifications as n')
    .innerJoin('brands as b', 'b.id', 'n.brand_id')
    .leftJoin('sessions as s', 's.id', 'n.session_id')
    .select(['n.id', 'n.brand_id', 'n.session_id', 'n.event', 'n.state', 'n.tries', 'n.url', 'n.lease'])
    .select(['n.next_at'])
    .select(['n.created_at', 'b.name as brand', 's.gateway_reference', 's.webhook_url as own_url'])
    .select(['b.webhook_url as brand_url'])
    .select((row) =>
      row
        .selectFrom('attempts as a')
        .whereRef('a.notification_id', '=', 'n.id')
        .orderBy('a.at', 'desc')
        .orderBy('a.id', 'desc')
        .limit(1)
        .select('a.outcome')
        .as('last_outcome'),
    );
}

export type ReplayableRow = NonNullable<Awaited<ReturnType<typeof findReplayable>>>;

export function findReplayable(db: Db, id: string) {
  return replayable(db).where('n.id', '=', id).executeTakeFirst();
}

/** What a payment's shop was told last. */
export function findLastReplayable(db: Db, session: string) {
  return replayable(db)
    .where('n.session_id', '=', session)
    .orderBy('n.sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface FailedAfter {
  readonly brandId: string | null;
  /** Where the portion before ended, or from when on. */
  readonly after: ListPosition;
  readonly limit: number;
}

/** Failed notifications of payments that have an address, the oldest first; tests are not among them. */
export function failedAfter(db: Db, { brandId, after, limit }: FailedAfter): Promise<ReplayableRow[]> {
  let query = replayable(db)
    .where(isFailed)
    .where((either) =>
      either.or([either('s.webhook_url', 'is not', null), either('b.webhook_url', 'is not', null)]),
    )
    .$call(oldestFirst('n.created_at', 'n.id', { after, limit }));
  if (brandId !== null) query = query.where('n.brand_id', '=', brandId);
  return query.execute();
}

/** Begins a new schedule. @returns false, and nothing is written, while somebody makes an attempt. */
export async function makeDueAgain(
  db: Db,
  { id, now, ...to }: Destination & { readonly id: string; readonly now: number },
): Promise<boolean> {
  const again = db.query
    .updateTable('notifications')
    .set({ state: 'DUE', tries: 0, next_at: now, lease: null, closed_at: null, ...to })
    .where('id', '=', id)
    .where((either) =>
      either.or([either('state', '!=', 'DUE'), either('lease', 'is', null), either('next_at', '<=', now)]),
    );
  return (await again.returning('id').executeTakeFirst()) !== undefined;
}

/** Deliveries of a session's notifications, in short form and in order. */
export function notificationsInBrief(db: Db, session: SessionTable['id']) {
  return db.query
    .selectFrom('notifications')
    .where('session_id', '=', session)
    .orderBy('sequence')
    .select(['id', 'event', 'state', 'tries', 'created_at'])
    .execute();
}
