/** What is read of a payment for its receipt by SMS, and the phone that may send it. */
import { hot } from '../compiled-query.js';

/** A payment that has just been credited. */
export const receiptOf = hot<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .innerJoin('transactions as t', 't.session_id', 's.id')
    .innerJoin('proofs as p', 'p.id', 't.proof_id')
    .where('s.id', '=', value('session'))
    .select(['s.gateway_reference', 'b.name as brand', 'b.merchant_id', 'b.receipt_sms'])
    .select(['t.channel', 't.reference', 't.amount_paisa', 'p.payer', 'p.kind']),
);

/** The phone of a merchant that called last, of those that can send; it has called since then. */
export const sendingPhone = hot<{ merchant: string; since: number }>()((db, value) =>
  db.query
    .selectFrom('devices')
    .where('merchant_id', '=', value('merchant'))
    .where('revoked_at', 'is', null)
    .where('last_seen_at', '>', value('since'))
    .where('agent', 'in', ['relay', 'app'])
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .select(['id', 'name', 'last_seen_at']),
);
