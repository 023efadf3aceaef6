/** Money that can be sent back: that of payments, and that which paid for nothing. Knows no rule. */
import { sql } from 'kysely';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { Db } from '../schema/index.js';

/** Finds a payment by its session id or gateway reference. */
export function refundablePayment(db: Db, named: string) {
  return db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .where((is) =>
      is.or([is('s.id', '=', named.toLowerCase()), is('s.gateway_reference', '=', named.toUpperCase())]),
    )
    .select(['s.id', 's.gateway_reference', 's.status', 's.reason', 's.expires_at'])
    .select(['s.brand_id', 'b.merchant_id', 'b.test_of'])
    .executeTakeFirst();
}

/** State of the review of the dispute of money `p`, if it has one. */
const dispute = sql<string | null>`(SELECT r.state FROM reviews AS r
  WHERE r.proof_id = p.id AND r.reason = 'disputed' ORDER BY r.created_at DESC LIMIT 1)`;

const isUnderReview = sql<string | null>`(SELECT min(r.id) FROM reviews AS r
  WHERE r.proof_id = p.id AND r.state = 'OPEN')`;

function refundableMoney(db: Db) {
  return db.query
    .selectFrom('proofs as p')
    .leftJoin('sms as m', 'm.id', 'p.source_id')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .leftJoin('brands as test', (join) =>
      join.onRef('test.merchant_id', '=', 'p.merchant_id').on('test.test_of', 'is not', null),
    )
    .select(['p.id', 'p.merchant_id', 'p.channel', 'p.reference', 'p.payer', 'p.kind', 'p.units'])
    .select(['p.amount_paisa', 'p.disputed_by', 'p.closed_note', 'p.closed_as', 'm.body', 'test.test_of'])
    .select(['t.session_id', 't.amount_paisa as credited_paisa', 't.fee_paisa'])
    .select([dispute.as('dispute'), isUnderReview.as('review')]);
}

export type RefundableRow = Awaited<ReturnType<typeof moneyOfPayment>>[number];

/** Money that was credited to a session, oldest first. */
export function moneyOfPayment(db: Db, session: string) {
  return refundableMoney(db)
    .where('t.session_id', '=', session)
    .orderBy('t.credited_at')
    .orderBy('t.id')
    .execute();
}

/** Money by its transaction id, the id of its SMS or the id of its row; several merchants may have one. */
export function moneyNamedSo(db: Db, named: string) {
  const spellings = [...new Set([named, named.toUpperCase(), named.toLowerCase()])];
  return refundableMoney(db)
    .where((is) =>
      is.or([is('p.reference', 'in', spellings), is('p.source_id', '=', named), is('p.id', '=', named)]),
    )
    .limit(2)
    .execute();
}

/** Taka of the refunds that the API has created for a brand since then, cancelled ones included. */
export async function sumOfApi(db: Db, brand: string, since: number): Promise<number> {
  const { paisa } = await db.query
    .selectFrom('refunds')
    .where('brand_id', '=', brand)
    .where('created_by', '=', 'api')
    .where('created_at', '>=', since)
    .select(sql<number | string | null>`sum(amount_paisa)`.as('paisa'))
    .executeTakeFirstOrThrow();
  return Number(paisa ?? 0);
}

/** The refund that was completed with that reference, if there is one. */
export function refundByReference(
  db: Db,
  { merchant, channel, reference }: { merchant: string; channel: PayChannel; reference: string },
) {
  return db.query
    .selectFrom('refunds')
    .where('merchant_id', '=', merchant)
    .where('channel', '=', channel)
    .where('reference', '=', reference)
    .select(['id', 'amount_paisa', 'payee', 'created_at', 'sent_id'])
    .executeTakeFirst();
}

/** Links a transfer to a completed refund that had none. */
export async function linkSent(db: Db, refund: string, sent: string): Promise<void> {
  const linked = db.query.updateTable('refunds').set({ sent_id: sent }).where('id', '=', refund);
  await linked.where('sent_id', 'is', null).execute();
}
