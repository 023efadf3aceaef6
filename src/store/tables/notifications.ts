/** The outbox: notifications of payments, and the attempts to deliver them. Knows no rule of the business. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Destination, EndpointQueue } from '../../domain/notifications/fair-share.js';
import { prepared, preparedIn } from '../compiled-query.js';
import { inserter, newInserter } from '../compiled-rows.js';
import type { Db, NotificationTable, SessionTable } from '../schema/index.js';
import { type ListPosition, newestFirst, oldestFirst, type Page } from './list-position.js';
import { completes } from './proofs.js';

/** The number of the last notification of session `s`, also if that was deleted. */
const lastSequence = sql<number>`coalesce(
  (SELECT max(n.sequence) FROM notifications AS n WHERE n.session_id = s.id), s.deleted_sequence)`.as(
  'last_sequence',
);

/**
 * Complete content of a session's notification, as of this database transaction: the session and its credit.
 */
export const notifiedPayment = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .leftJoin('transactions as t', completes)
    .leftJoin('proofs as p', 'p.id', 't.proof_id')
    .where('s.id', '=', value('session'))
    .selectAll('s')
    .select(['b.webhook_format', 'b.webhook_url as brand_webhook_url', 'b.metadata_as', 'b.status_as'])
    .select(['b.plugin', 'b.test_of', lastSequence])
    .select(['t.channel as paid_channel', 't.reference as paid_reference'])
    .select(['p.units as paid_units', 'p.recipient as paid_recipient'])
    .select((column) =>
      column
        .selectFrom('claims as c')
        .whereRef('c.session_id', '=', 's.id')
        .orderBy('c.created_at', 'desc')
        .orderBy('c.id', 'desc')
        .limit(1)
        .select('c.channel')
        .as('claimed_channel'),
    ),
);

/** Inserts nothing if another one has that number in the session's sequence: the content is outdated. */
export const insertNotification = newInserter('notifications');

/**
 * Every lane in which something is to be sent, now or later. Goes from one to the next by the index, so that
 * ten thousand notifications in one of them cost as much as one.
 */
export async function dueLanes(db: Db): Promise<EndpointQueue[]> {
  return db.execute<EndpointQueue>(DUE_LANES, []);
}

const DUE_LANES = `WITH RECURSIVE e (lane) AS (
  SELECT min(lane) FROM notifications WHERE state = 'PENDING'
  UNION ALL
  SELECT (SELECT min(n.lane) FROM notifications AS n WHERE n.state = 'PENDING' AND n.lane > e.lane)
  FROM e WHERE e.lane IS NOT NULL
)
SELECT e.lane AS lane,
  (SELECT min(n.next_at) FROM notifications AS n WHERE n.state = 'PENDING' AND n.lane = e.lane) AS next_at
FROM e WHERE e.lane IS NOT NULL`;

/** The first of a lane's notifications that are due. */
export const dueAt = prepared<{ lane: string; now: number; limit: number }>()((db, value) =>
  db.query
    .selectFrom('notifications')
    .where('state', '=', 'PENDING')
    .where('lane', '=', value('lane'))
    .where('next_at', '<=', value('now'))
    .orderBy('next_at')
    .limit(value('limit'))
    .select('id'),
);

/**
 * Leases notifications for an attempt. If several processes lease the same one, one of them gets it.
 * @returns the leased ones, with their signing secrets (sealed).
 */
export async function leaseDue(
  db: Db,
  lease: { readonly by: string; readonly until: number; readonly now: number },
  due: readonly string[],
) {
  const taken = await setLease(db, lease, due);
  if (taken.length === 0) return [];
  const ids = taken.map(({ id }) => id);
  return leased(db, { by: lease.by }, ids);
}

const setLease = preparedIn<{ by: string; until: number; now: number }>()((db, value, ids) =>
  db.query
    .updateTable('notifications')
    .set({ lease: value('by'), next_at: value('until') })
    .where('id', 'in', ids)
    .where('state', '=', 'PENDING')
    .where('next_at', '<=', value('now'))
    .returning('id'),
);

const leased = preparedIn<{ by: string }>()((db, value, ids) =>
  db.query
    .selectFrom('notifications as n')
    .innerJoin('brands as b', 'b.id', 'n.brand_id')
    .where('n.id', 'in', ids)
    .where('n.lease', '=', value('by'))
    .select(['n.id', 'n.brand_id', 'n.url', 'n.endpoint', 'n.lane', 'n.format', 'n.content', 'n.tries'])
    .select(['n.created_at'])
    .select([
      'b.plugin',
      'b.test_of',
      'b.webhook_secret',
      'b.old_webhook_secret',
      'b.old_webhook_secret_expires_at',
    ]),
);

export type LeasedNotification = Awaited<ReturnType<typeof leaseDue>>[number];

/** Payment of a notification of that brand, and whether it is still pending. */
export const notificationOfBrand = prepared<{ id: string; brand: string }>()((db, value) =>
  db.query
    .selectFrom('notifications')
    .where('id', '=', value('id'))
    .where('brand_id', '=', value('brand'))
    .select(['session_id', 'state']),
);

export const insertAttempt = inserter('attempts');

/** Records the result of an attempt, unless another process has leased the notification in the meantime. */
export const settleNotification = prepared<{
  id: string;
  lease: string;
  state: NotificationTable['state'];
  tries: number;
  nextAt: number;
  closedAt: number | null;
}>()((db, value) =>
  db.query
    .updateTable('notifications')
    .set({ state: value('state'), tries: value('tries'), next_at: value('nextAt') })
    .set({ closed_at: value('closedAt'), lease: null })
    .where('id', '=', value('id'))
    .where('lease', '=', value('lease'))
    .returning('id'),
);

/** Records a delivery, even if another daemon has the lease now. */
export const closeDelivered = prepared<{ id: string; now: number }>()((db, value) =>
  db.query
    .updateTable('notifications')
    .set({ state: 'DELIVERED', closed_at: value('now'), lease: null })
    .where('id', '=', value('id')),
);

/** Pending, to a brand's own address. The condition uses constants, so that the partial index applies. */
function dueToBrand(db: Db, brandId: string) {
  return db.query
    .updateTable('notifications')
    .where('brand_id', '=', brandId)
    .where('state', '=', sql.lit<NotificationTable['state']>('PENDING'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessions as s')
          .whereRef('s.id', '=', 'notifications.session_id')
          .where('s.webhook_url', 'is', null)
          .select('s.id'),
      ),
    );
}

/**
 * Redirects pending notifications to a brand's new address, due now; payments with their own address keep it.
 * An attempt in progress finishes at the old address.
 */
export async function redirectDue(
  db: Db,
  brandId: string,
  { now, url, endpoint, lane }: Destination & { readonly now: number },
): Promise<void> {
  const next_at = sql<number>`CASE WHEN lease IS NULL THEN ${now} ELSE next_at END`;
  await dueToBrand(db, brandId).set({ url, endpoint, lane, next_at }).execute();
}

/** Fails those of a brand that has no address any longer; payments with their own address continue. */
export async function giveUpDue(db: Db, brandId: string, now: number): Promise<void> {
  const dead = sql.lit<NotificationTable['state']>('FAILED');
  await dueToBrand(db, brandId).set({ state: dead, closed_at: now, lease: null }).execute();
}

/**
 * Makes notifications due that a fast clock has postponed: created after `madeAfter` or due after `dueAfter`.
 * @returns number of notifications.
 */
export async function resetDueTimes(
  db: Db,
  times: { readonly now: number; readonly madeAfter: number; readonly dueAfter: number },
): Promise<number> {
  const { now, madeAfter, dueAfter } = times;
  const brought = await db.query
    .updateTable('notifications')
    .set({ next_at: now })
    .where('state', '=', 'PENDING')
    .where('next_at', '>', now)
    .where((either) => either.or([either('created_at', '>', madeAfter), either('next_at', '>', dueAfter)]))
    .returning('id')
    .execute();
  return brought.length;
}

// The outbox as operators read it and send it again.

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

/** Condition: of a payment, not a test; failed, or tried without success so far. */
function isFailed(either: Columns): Expression<SqlBool> {
  return either.and([
    either('n.session_id', 'is not', null),
    either.or([
      either('n.state', '=', 'FAILED'),
      either.and([either('n.state', '=', 'PENDING'), either('n.tries', '>', 0)]),
    ]),
  ]);
}

interface NotificationFilter extends Page {
  readonly brandId: string | null;
  readonly sessionId: string | null;
  readonly state: NotificationTable['state'] | null;
  readonly failed: boolean;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number | null;
}

/** Lists notifications, newest first. */
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
export function listAttempts(db: Db, notification: string) {
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

/** Columns used to replay a notification, with the address that its payment has today. */
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

/** Finds the last notification of a payment. */
export function findLastReplayable(db: Db, session: string) {
  return replayable(db)
    .where('n.session_id', '=', session)
    .orderBy('n.sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}

interface FailedAfter {
  readonly brandId: string | null;
  /** Position at which the previous batch ended, or the start time. */
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
    .set({ state: 'PENDING', tries: 0, next_at: now, lease: null, closed_at: null, ...to })
    .where('id', '=', id)
    .where((either) =>
      either.or([
        either('state', '!=', 'PENDING'),
        either('lease', 'is', null),
        either('next_at', '<=', now),
      ]),
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
