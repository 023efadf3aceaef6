/** Money that a later text or push says otherwise of. */
import { sql } from 'kysely';
import type { PayChannel } from '../../domain/accounts/channels.js';
import { hot, hotIn } from '../compiled-query.js';
import type { Db } from '../schema/index.js';
import { type NewReview, openReview } from './reviews.js';

/**
 * Money of a merchant's wallets under these ids, and the session it was credited to. @param ids at least one.
 */
export const moneyNamed = hotIn<{ merchant: string; channel: PayChannel }>()((db, value, ids) =>
  db.query
    .selectFrom('proofs as p')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .where('p.merchant_id', '=', value('merchant'))
    .where('p.channel', '=', value('channel'))
    .where('p.reference', 'in', ids)
    .where('p.disputed_by', 'is', null)
    .select(['p.id', 'p.reference', 'p.kind', 'p.amount_paisa', 'p.recipient'])
    .select('t.brand_id as credited_brand'),
);

/** Keeps with money that an operator's word stands for the first SMS that came of it since, as JSON. */
export const noteLaterSms = hot<{ proof: string; evidence: string }>()((db, value) =>
  db.query
    .updateTable('proofs')
    .set({ evidence: value('evidence') })
    .where('id', '=', value('proof'))
    .where('kind', '=', 'seen_by_operator')
    .where('evidence', 'is', null),
);

/** Texts that settle nothing and name one of these ids. @param ids at least one. */
export const contraryTexts = hotIn<{ merchant: string }>()((db, value, ids) =>
  db.query
    .selectFrom('sms')
    .where('merchant_id', '=', value('merchant'))
    .where('settle', '=', 'never')
    .where('trx_id', 'is not', null)
    .where('trx_id', 'in', ids)
    .select(['id', 'channel', 'trx_id', 'kind', 'amount_paisa', 'recipient', 'reasons']),
);

/**
 * From now on a person decides on that money. @returns nothing where something said otherwise of it before.
 */
export const disputeProof = hot<{ proof: string; by: string }>()((db, value) =>
  db.query
    .updateTable('proofs')
    .set({ settle: 'review', disputed_by: value('by') })
    .where('id', '=', value('proof'))
    .where('disputed_by', 'is', null)
    .returning('id'),
);

/** The payment completed with that money, for the alert and the notification. */
export const disputedPayment = hot<{ proof: string }>()((db, value) =>
  db.query
    .selectFrom('transactions as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .where('t.proof_id', '=', value('proof'))
    .select([
      't.channel',
      't.reference',
      't.amount_paisa',
      's.id as session_id',
      's.gateway_reference',
      'b.merchant_id',
      'b.webhook_format',
      sql<string | null>`coalesce(s.webhook_url, b.webhook_url)`.as('notified_at'),
    ]),
);

/** Puts a credited payment under review, also one whose claim was decided before: the audit keeps that. */
export const openDispute = hot<{ [Name in keyof NewReview]: NonNullable<NewReview[Name]> }>()((db, value) => {
  const row = openReview(value, 'disputed');
  const { id: _id, session_id: _session, channel: _channel, reference: _reference, ...again } = row;
  return db.query
    .insertInto('reviews')
    .values(row)
    .onConflict((conflict) => conflict.columns(['session_id', 'channel', 'reference']).doUpdateSet(again))
    .returning('id');
});

/** The money of a push. */
export function proofOfSource(db: Db, source: string) {
  return db.query.selectFrom('proofs').where('source_id', '=', source).select('id').executeTakeFirst();
}
