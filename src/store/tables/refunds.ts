/** Refunds, and transfers that left the shop's accounts. Knows no rule of the business. */
import { sql, type Updateable } from 'kysely';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { RefundState } from '../../domain/refunds/refund-plan.js';
import { prepared } from '../compiled-query.js';
import { inserter, newInserter } from '../compiled-rows.js';
import type { Db, RefundTable, SentMoneyTable } from '../schema/index.js';
import { newestFirst, type Page } from './list-position.js';

export const insertRefund = inserter('refunds');

/** Refunds with their payment, brand and money. */
function refunds(db: Db) {
  return db.query
    .selectFrom('refunds as r')
    .innerJoin('proofs as p', 'p.id', 'r.proof_id')
    .leftJoin('brands as b', 'b.id', 'r.brand_id')
    .leftJoin('sessions as s', 's.id', 'r.session_id')
    .selectAll('r')
    .select(['s.gateway_reference', 'b.name as brand', 'b.test_of'])
    .select(['p.reference as money_reference', 'p.recipient', 'p.kind as money_kind']);
}

export type RefundRow = NonNullable<Awaited<ReturnType<typeof findRefund>>>;

/**
 * Condition that no refund has the transfer `m`, not even one that an operator has closed with its id though
 * its text does not fit.
 */
const isUnused = sql<boolean>`NOT EXISTS (SELECT 1 FROM refunds AS o WHERE o.sent_id = m.id
  OR (o.merchant_id = m.merchant_id AND o.channel = m.channel AND o.reference = m.reference))`;

/** A transfer of that sum that left after the refund was created and belongs to none: it may be this one. */
const seenTransfer = sql<string | null>`CASE WHEN r.state = 'PENDING' THEN (SELECT min(m.reference)
  FROM sent_money AS m
  WHERE m.merchant_id = r.merchant_id AND m.channel = r.channel AND m.amount_paisa = r.amount_paisa
    AND m.at >= r.created_at - 60000 AND m.closed_as IS NULL AND ${isUnused}) END`;

const shownRefunds = (db: Db) => refunds(db).select(seenTransfer.as('seen_transfer'));

export function findRefund(db: Db, id: string) {
  return shownRefunds(db).where('r.id', '=', id).executeTakeFirst();
}

interface RefundFilter extends Page {
  readonly brandId: string | null;
  readonly states: readonly RefundState[];
  /** Created since then, milliseconds since the epoch. */
  readonly since: number | null;
}

/** A page of refunds, newest first. */
export function listRefundRows(db: Db, { brandId, states, since, ...page }: RefundFilter) {
  return shownRefunds(db)
    .where('r.state', 'in', states)
    .$if(brandId !== null, (query) => query.where('r.brand_id', '=', brandId))
    .$if(since !== null, (query) => query.where('r.created_at', '>=', since ?? 0))
    .$call(newestFirst('r.created_at', 'r.id', page))
    .execute();
}

/** Refunds of a session, or of money by the ids of its proofs, at least one; oldest first. */
export function refundsOf(db: Db, of: { readonly session: string } | { readonly proofs: readonly string[] }) {
  const [column, values] =
    'session' in of ? (['r.session_id', [of.session]] as const) : (['r.proof_id', of.proofs] as const);
  return refunds(db).where(column, 'in', values).orderBy('r.created_at').orderBy('r.id').execute();
}

/** Refunds of a session as its shop sees them, oldest first. */
export const refundsOfPayment = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('refunds')
    .where('session_id', '=', value('session'))
    .orderBy('created_at')
    .orderBy('id')
    .select(['id', 'channel', 'amount_paisa', 'state', 'reference']),
);

/** The oldest refund of a merchant's channel that waits for its transfer. */
export const oldestPending = prepared<{ merchant: string; channel: PayChannel }>()((db, value) =>
  db.query
    .selectFrom('refunds')
    .where('merchant_id', '=', value('merchant'))
    .where('channel', '=', value('channel'))
    .where('state', '=', 'PENDING')
    .orderBy('created_at')
    .limit(1)
    .select('created_at'),
);

/** Refunds of that sum on a merchant's channel that are pending, or were created since then. */
export const refundsToSend = prepared<{
  merchant: string;
  channel: PayChannel;
  paisa: number;
  since: number;
}>()((db, value) =>
  refunds(db)
    .where('r.merchant_id', '=', value('merchant'))
    .where('r.channel', '=', value('channel'))
    .where('r.amount_paisa', '=', value('paisa'))
    .where(({ or, eb }) => or([eb('r.state', '=', 'PENDING'), eb('r.created_at', '>=', value('since'))]))
    .orderBy('r.created_at')
    .orderBy('r.id'),
);

/**
 * Changes a refund that is pending: its payee, or how it ended.
 * @returns false where it has ended before.
 */
export async function changeRefund(db: Db, id: string, change: Updateable<RefundTable>): Promise<boolean> {
  const pending = db.query.updateTable('refunds').where('id', '=', id).where('state', '=', 'PENDING');
  return (await pending.set(change).returning('id').executeTakeFirst()) !== undefined;
}

/** Adds a completed refund to the sum of its session. */
export const addRefunded = prepared<{ session: string; paisa: number }>()((db, value) =>
  db.query
    .updateTable('sessions')
    .set((column) => ({ refunded_paisa: column('refunded_paisa', '+', value('paisa')) }))
    .where('id', '=', value('session')),
);

/** @returns false if the transfer is known: the same text came twice, or from two phones. */
export const insertSent = newInserter('sent_money', 'merchant_id', 'channel', 'reference');

/** Transfers `m`, each with the refund `r` that it completed. */
function transfers(db: Db) {
  return db.query
    .selectFrom('sent_money as m')
    .leftJoin('refunds as r', 'r.sent_id', 'm.id')
    .selectAll('m')
    .select('r.id as refund');
}

export const findSent = prepared<{ merchant: string; channel: PayChannel; reference: string }>()(
  (db, value) =>
    transfers(db)
      .where('m.merchant_id', '=', value('merchant'))
      .where('m.channel', '=', value('channel'))
      .where('m.reference', '=', value('reference')),
);

/** A transfer by its id, its transaction id, or the id of its SMS; several merchants may have one. */
export function sentNamed(db: Db, named: string) {
  return transfers(db)
    .where((is) =>
      is.or([
        is('m.reference', '=', named.toUpperCase()),
        is('m.source_id', '=', named),
        is('m.id', '=', named),
      ]),
    )
    .executeTakeFirst();
}

/** Reasons that a later SMS, or the number of a refund, may remove. */
const RETRIED = ['balance_gap', 'number_missing', 'other_number'];

/** Transfers since then that may still complete a refund, with their SMS; oldest first. */
export const sentToRetry = prepared<{ merchant: string; channel: PayChannel; since: number }>()((db, value) =>
  transfers(db)
    .innerJoin('sms as t', 't.id', 'm.source_id')
    .where('m.merchant_id', '=', value('merchant'))
    .where('m.channel', '=', value('channel'))
    .where('m.reason', 'in', RETRIED)
    .where('m.at', '>=', value('since'))
    .where('m.closed_as', 'is', null)
    .where(isUnused)
    .orderBy('m.at')
    .orderBy('m.id')
    .select(['t.id as sms_id', 't.at as sms_at', 't.recipient']),
);

/** A page of transfers that have completed no refund and that nobody has closed, newest first. */
export function listFreeSent(db: Db, page: Page) {
  return transfers(db)
    .where('r.id', 'is', null)
    .where('m.closed_as', 'is', null)
    .$call(newestFirst('m.at', 'm.id', page))
    .execute();
}

/** @param change the reason why it completes no refund, or what the operator says that it is. */
export async function changeSent(db: Db, id: string, change: Updateable<SentMoneyTable>): Promise<void> {
  await db.query.updateTable('sent_money').set(change).where('id', '=', id).execute();
}
