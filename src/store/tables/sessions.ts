/** Payment sessions and the transaction that each may have. */
import { sql } from 'kysely';
import { hot } from '../compiled-query.js';
import type { Db, SessionTable } from '../schema/index.js';

export const insertSession = hot<{ [Column in keyof SessionTable]: SessionTable[Column] }>()((db, value) =>
  db.query.insertInto('sessions').values({
    id: value.id,
    brand_id: value.brand_id,
    gateway_reference: value.gateway_reference,
    flow: value.flow,
    status: value.status,
    reason: value.reason,
    cus_name: value.cus_name,
    cus_email: value.cus_email,
    amount_paisa: value.amount_paisa,
    meta_data: value.meta_data,
    misses: value.misses,
    created_at: value.created_at,
    expires_at: value.expires_at,
    closed_at: value.closed_at,
    success_url: value.success_url,
    cancel_url: value.cancel_url,
    webhook_url: value.webhook_url,
    return_type: value.return_type,
    fees: value.fees,
  }),
);

/** A session of that brand, with its credited reference if it has one. */
export const sessionOfBrand = hot<{ id: string; brand: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .leftJoin('transactions as t', 't.session_id', 's.id')
    .where('s.id', '=', value.id)
    .where('s.brand_id', '=', value.brand)
    .select([
      's.id',
      's.brand_id',
      's.gateway_reference',
      's.status',
      's.reason',
      's.cus_name',
      's.cus_email',
      's.amount_paisa',
      's.meta_data',
      's.misses',
      's.created_at',
      's.expires_at',
      's.fees',
      't.channel as credited_channel',
      't.reference as credited_reference',
    ]),
);

/** Where the shop wants to hear of it: the payment's own address, else its brand's, else nowhere. */
const notifiedAt = sql<string | null>`coalesce(webhook_url,
  (SELECT b.webhook_url FROM brands AS b WHERE b.id = sessions.brand_id))`.as('notified_at');

/**
 * Moves a session, if it still is in the state it is moved from. Returns where it is notified, or nothing.
 * The state is compared as an expression: next to the bare column SQLite would compile the statement anew for
 * every value, to see whether the partial index on open sessions may serve.
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
    .returning(notifiedAt),
);

/**
 * Makes units of work that count what is said of one session, and then move it, come one after the other.
 * SQLite has one writer anyway.
 */
export async function lockSession(db: Db, id: string): Promise<void> {
  if (db.engine === 'sqlite') return;
  await db.query
    .selectFrom('sessions')
    .where('id', '=', id)
    .select('id')
    .modifyEnd(sql`for no key update`)
    .execute();
}

export const countMiss = hot<{ id: string }>()((db, value) =>
  db.query
    .updateTable('sessions')
    .set((column) => ({ misses: column('misses', '+', 1) }))
    .where('id', '=', value.id),
);

/** The one row that says this reference is spent, for ever and for all. No row back: it was spent before. */
export const insertTransaction = hot<{
  id: string;
  session: string;
  brand: string;
  proof: string;
  channel: string;
  reference: string;
  scope: string;
  folded: string | null;
  paisa: number;
  feePaisa: number;
  now: number;
  by: string;
}>()((db, value) =>
  db.query
    .insertInto('transactions')
    .values({
      id: value.id,
      session_id: value.session,
      brand_id: value.brand,
      proof_id: value.proof,
      channel: value.channel,
      reference: value.reference,
      scope: value.scope,
      folded: value.folded,
      amount_paisa: value.paisa,
      fee_paisa: value.feePaisa,
      credited_at: value.now,
      credited_by: value.by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/**
 * Moves open sessions whose time is over, oldest first, and returns them; one that a person is looking at
 * does not run out. One statement finds them and looks again as it moves them, because a session may come
 * under review between the two.
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
