/** Weak money (domain/matching/weak-money), and the payments whose own QR codes request its amount. */
import { sql } from 'kysely';
import type { Channel, PayChannel } from '../../domain/accounts/channels.js';
import { prepared, preparedIn } from '../compiled-query.js';
import { CLAIMING_SESSION, completes } from './proofs.js';

/** The code of a payment on one channel: the account that it pays, and its amount in paisa. */
export const codeOnChannel = prepared<{ session: string; channel: PayChannel }>()((db, value) =>
  db.query
    .selectFrom('codes')
    .where('session_id', '=', value('session'))
    .where('channel', '=', value('channel') as Channel)
    .select(['receiver', 'amount_paisa']),
);

/** Most payments of one amount and account that are compared; more are never distinguished. */
export const MOST_ASKING = 200;

/**
 * Payments of a merchant whose code requests that amount on that account, newest first. `since` bounds their
 * age, `from` is the earliest time at which the money moved: payments that ended before are left out.
 */
export const askingPayments = prepared<{
  merchant: string;
  channel: PayChannel;
  receiver: string;
  paisa: number;
  since: number;
  from: number;
}>()((db, value) =>
  db.query
    .selectFrom('codes as c')
    .innerJoin('sessions as s', 's.id', 'c.session_id')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
    .leftJoin('transactions as t', completes)
    .leftJoin('proofs as p', 'p.id', 't.proof_id')
    .where('c.receiver', '=', value('receiver'))
    .where('c.amount_paisa', '=', value('paisa'))
    .where('c.created_at', '>=', value('since'))
    .where('c.channel', '=', value('channel') as Channel)
    .where('b.merchant_id', '=', value('merchant'))
    .where(sql<boolean>`(s.status = 'PENDING' OR s.closed_at >= ${value('from')})`)
    .orderBy('c.created_at', 'desc')
    .orderBy('c.session_id', 'desc')
    .limit(MOST_ASKING)
    .select(['s.payment_reference', 's.closed_at', 'm.status as merchant_status'])
    .select(['t.channel as paid_channel', 'p.settle as paid_settle'])
    .select([...CLAIMING_SESSION]),
);

/** Claims of these payments on a channel, in the order in which they were made. */
export const claimsOfSessions = preparedIn<{ channel: PayChannel }>()((db, value, sessions) =>
  db.query
    .selectFrom('claims')
    .where('session_id', 'in', sessions)
    .where('channel', '=', value('channel'))
    .where('state', 'in', ['WAITING', 'REVIEW'])
    .orderBy('created_at')
    .orderBy('id')
    .select(['session_id', 'reference', 'created_at as claimed_at']),
);

/** Weak money of that amount on an account that pays nothing yet, oldest first. */
export const freeWeakMoney = prepared<{
  merchant: string;
  channel: PayChannel;
  receiver: string;
  paisa: number;
  since: number;
}>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .leftJoin('sms as x', 'x.id', 'p.source_id')
    .where('p.merchant_id', '=', value('merchant'))
    .where('p.channel', '=', value('channel'))
    .where('p.recipient', '=', value('receiver'))
    .where('p.amount_paisa', '=', value('paisa'))
    .where('p.settle', '=', 'weak')
    .where('p.at', '>=', value('since'))
    .where('t.id', 'is', null)
    .orderBy('p.at')
    .orderBy('p.id')
    .select(['p.id', 'p.merchant_id', 'p.channel', 'p.reference', 'p.scope', 'p.recipient', 'p.payer'])
    .select(['p.amount_paisa', 'p.named', 'p.at', 'p.created_at', 'p.source_id', 'x.at as text_at']),
);

/** All weak money of a merchant that pays nothing yet, oldest first. */
export const allFreeWeakMoney = prepared<{ merchant: string; since: number }>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .where('p.merchant_id', '=', value('merchant'))
    .where('p.settle', '=', 'weak')
    .where('p.at', '>=', value('since'))
    .where('t.id', 'is', null)
    .orderBy('p.at')
    .orderBy('p.id')
    .select(['p.id', 'p.channel', 'p.recipient', 'p.amount_paisa']),
);

/** Weak money on an account between two times that pays nothing, at most `limit` of it. */
export const strayMoney = prepared<{
  merchant: string;
  channel: PayChannel;
  receiver: string;
  since: number;
  until: number;
  limit: number;
}>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .where('p.merchant_id', '=', value('merchant'))
    .where('p.channel', '=', value('channel'))
    .where('p.recipient', '=', value('receiver'))
    .where(sql<boolean>`(p.settle = 'weak' OR p.closed_settle = 'weak')`)
    .where('p.at', '>=', value('since'))
    .where('p.at', '<', value('until'))
    .where('t.id', 'is', null)
    .limit(value('limit'))
    .select('p.id'),
);
