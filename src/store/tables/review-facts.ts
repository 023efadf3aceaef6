/** What the facts of a review are found from: the money, who told of it, and who was credited with it. */
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { Db } from '../schema/index.js';

/** Money as the facts of a review tell of it: what, when, and who told of it. */
export function seenMoney(db: Db, proof: string) {
  return db.query
    .selectFrom('proofs as p')
    .leftJoin('sms as m', 'm.id', 'p.source_id')
    .leftJoin('devices as d', 'd.id', 'm.device_id')
    .leftJoin('pushes as u', 'u.id', 'p.source_id')
    .leftJoin('acquirers as a', 'a.id', 'u.acquirer_id')
    .where('p.id', '=', proof)
    .select(['p.id', 'p.channel', 'p.reference', 'p.scope', 'p.kind', 'p.amount_paisa', 'p.units', 'p.at'])
    .select(['p.payer', 'p.recipient', 'p.named', 'p.disputed_by', 'p.evidence', 'p.closed_note'])
    .select(['m.sender', 'm.source', 'm.reasons as sms_reasons', 'd.name as device', 'a.name as acquirer'])
    .executeTakeFirst();
}

/** What an SMS says that came after an operator had given its money to a payment. */
export function laterMoney(db: Db, sms: string) {
  return db.query
    .selectFrom('sms as m')
    .leftJoin('devices as d', 'd.id', 'm.device_id')
    .where('m.id', '=', sms)
    .select(['m.amount_paisa', 'm.payer', 'm.recipient', 'm.received_at as at'])
    .select(['m.sender', 'm.source', 'm.reasons as sms_reasons', 'd.name as device'])
    .executeTakeFirst();
}

export type SeenMoney = NonNullable<Awaited<ReturnType<typeof seenMoney>>>;

/** The payments that were credited with money under that reference, of all merchants. */
export function creditedUnder(db: Db, money: { readonly channel: PayChannel; readonly reference: string }) {
  return db.query
    .selectFrom('transactions as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('brands as b', 'b.id', 't.brand_id')
    .where('t.channel', '=', money.channel)
    .where('t.reference', '=', money.reference)
    .orderBy('t.credited_at')
    .select(['t.session_id', 't.proof_id', 't.scope', 's.gateway_reference as payment', 'b.merchant_id'])
    .execute();
}
