/** Payment sessions and the transaction that each may have. */
import { type ExpressionBuilder, sql } from 'kysely';
import { hot, inserter, locker, newInserter } from '../compiled-query.js';
import type { Db, SessionTable } from '../schema/index.js';

export const insertSession = inserter('sessions');

/** A session of that brand, with its credited reference if it has one. */
export const sessionOfBrand = hot<{ id: string; brand: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .leftJoin('transactions as t', 't.session_id', 's.id')
    .where('s.id', '=', value.id)
    .where('s.brand_id', '=', value.brand)
    .select(['s.id', 's.brand_id', 's.gateway_reference', 's.status', 's.reason', 's.cus_name'])
    .select(['s.cus_email', 's.amount_paisa', 's.meta_data', 's.misses', 's.created_at', 's.expires_at'])
    .select(['s.fees', 't.channel as credited_channel', 't.reference as credited_reference']),
);

/** The address for notifications: the payment's own, else its brand's, else none. */
const notifiedAt = sql<string | null>`coalesce(webhook_url,
  (SELECT b.webhook_url FROM brands AS b WHERE b.id = sessions.brand_id))`.as('notified_at');

/** Whether some target of alerts wants to hear of payments: asked here, because it costs nothing beside. */
const isAwaited = sql<number | boolean>`EXISTS (
  SELECT 1 FROM alert_targets AS t WHERE t.removed_at IS NULL AND t.tells_payments = 1)`.as('awaited');

/**
 * Moves a session, if it still is in the state it is moved from. Returns where it is notified, and whether
 * alerts want to hear of it, or nothing.
 * The state is compared as an expression: with the bare column SQLite would compile again for every value.
 */
export const moveSession = hot<{
  id: string;
  from: SessionTable['status'];
  to: SessionTable['status'];
  reason: string;
  closedAt: number | null;
}>()((db, value) =>
  db.query
    .updateTable('sessions')
    .set({ status: value.to, reason: value.reason, closed_at: value.closedAt })
    .where('id', '=', value.id)
    .where(sql`status || ''`, '=', value.from)
    .returning([notifiedAt, isAwaited]),
);

/** For units of work that count what is said of one session, and then move it. */
export const lockSession = locker('sessions');

export const countMiss = hot<{ id: string }>()((db, value) =>
  db.query
    .updateTable('sessions')
    .set((column) => ({ misses: column('misses', '+', 1) }))
    .where('id', '=', value.id),
);

/** The one row that says this reference is spent, for ever and for all. False: it was spent before. */
export const insertTransaction = newInserter('transactions');

/**
 * Moves open sessions whose time is over, oldest first, and returns them; one that a person is looking at
 * does not run out. It is looked at again as it is moved: a session may come under review meanwhile.
 */
export const moveExpired = hot<{
  now: number;
  limit: number;
  to: SessionTable['status'];
  reason: string;
}>()((db, value) =>
  db.query
    .updateTable('sessions')
    .set({ status: value.to, reason: value.reason, closed_at: value.now })
    .where('status', '=', 'PENDING')
    .where('reason', '!=', 'review')
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('sessions')
        .where('status', '=', 'PENDING')
        .where('reason', '!=', 'review')
        .where('expires_at', '<=', value.now)
        .orderBy('expires_at')
        .limit(value.limit)
        .select('id'),
    )
    .returning(['id', notifiedAt]),
);

/** How many payments of a brand that were opened since then may still be paid, and until when. */
export const openPaymentsSince = hot<{ brand: string; since: number; now: number }>()((db, value) =>
  db.query
    .selectFrom('sessions')
    .where('status', '=', 'PENDING')
    .where('brand_id', '=', value.brand)
    .where('created_at', '>=', value.since)
    .where((either) => either.or([either('expires_at', '>', value.now), either('reason', '=', 'review')]))
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.max<number | null>('expires_at').as('until'),
    ]),
);

/**
 * For `where`: the sessions `s` of which `statusAt` (domain/sessions/session) tells that status. The rule is
 * said there for memory and here for the store, and a test holds one against the other.
 */
export function inStatus(status: SessionTable['status'], now: number) {
  return ({ eb, and, or, not }: ExpressionBuilder<{ s: SessionTable }, 's'>) => {
    const stored = eb('s.status', '=', status);
    if (status === 'COMPLETED') return stored;
    const isOver = and([
      eb('s.status', '=', 'PENDING'),
      eb('s.reason', '!=', 'review'),
      eb('s.expires_at', '<=', now),
    ]);
    return status === 'FAILED' ? or([stored, isOver]) : and([stored, not(isOver)]);
  };
}

/** @param number a gateway reference, in letters of either case. @returns the id of its session, if any. */
export async function sessionNamed(db: Db, number: string): Promise<string | undefined> {
  const named = db.query.selectFrom('sessions').where('gateway_reference', '=', number.toUpperCase());
  return (await named.select('id').executeTakeFirst())?.id;
}
