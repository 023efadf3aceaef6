/** Session data for the checkout page and v1 verify. */
import { sql } from 'kysely';
import { PAY_CHANNELS, PULLED_CHANNELS } from '../../domain/accounts/channels.js';
import { prepared } from '../compiled-query.js';
import { inserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';
import { completes } from './proofs.js';

/**
 * Finds a session of a brand by its id (in lower case), its gateway reference or the channel's reference of
 * its credit. Separate indexed look-ups, because one OR would scan. References that customers type come last:
 * the reference of a bank transfer must not hide another payment that has it as its id.
 */
export const sessionByReference = prepared<{ brand: string; id: string; reference: string; exact: string }>()(
  (db, value) => {
    const named = db.query
      .selectFrom('sessions')
      .where('id', '=', value('id'))
      .where('brand_id', '=', value('brand'))
      .select(['id', sql.lit(0).as('rank')])
      .unionAll(
        db.query
          .selectFrom('sessions')
          .where('gateway_reference', '=', value('reference'))
          .where('brand_id', '=', value('brand'))
          .select(['id', sql.lit(1).as('rank')]),
      )
      .unionAll(
        db.query
          .selectFrom('transactions')
          .where('channel', 'in', PAY_CHANNELS)
          .where('reference', 'in', [value('reference'), value('exact'), value('id')])
          .where('brand_id', '=', value('brand'))
          .select(['session_id as id', sql<number>`case when channel = 'bank' then 3 else 2 end`.as('rank')]),
      )
      .unionAll(
        db.query
          .selectFrom('credited_names')
          .where('channel', 'in', PULLED_CHANNELS)
          .where('name', 'in', [value('reference'), value('id')])
          .where('brand_id', '=', value('brand'))
          .select(['session_id as id', sql.lit(2).as('rank')]),
      );
    return db.query
      .selectFrom(named.as('n'))
      .innerJoin('sessions as s', 's.id', 'n.id')
      .leftJoin('transactions as t', completes)
      .leftJoin('proofs as p', 'p.id', 't.proof_id')
      .orderBy('n.rank')
      .orderBy('s.created_at', 'desc')
      .limit(1)
      .select(['s.id', 's.gateway_reference', 's.status', 's.reason', 's.cus_name', 's.cus_email'])
      .select(['s.amount_paisa', 's.meta_data', 's.expires_at', 's.takes_parts'])
      .select(['t.channel as paid_channel', 't.reference as paid_reference'])
      .select(['s.paid_paisa', 's.paid_fee_paisa', 's.refunded_paisa', 's.delivery_paisa'])
      .select(['p.units as paid_units', 'p.recipient as paid_recipient']);
  },
);

/** Credited claim of a completed session, else the customer's last one that has not paid a part. */
export const lastClaim = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('claims as c')
    .leftJoin('proofs as p', (join) =>
      join
        .onRef('p.merchant_id', '=', 'c.merchant_id')
        .onRef('p.channel', '=', 'c.channel')
        .onRef('p.reference', '=', 'c.reference'),
    )
    .innerJoin('sessions as s', 's.id', 'c.session_id')
    .where('c.session_id', '=', value('session'))
    .where((either) => either.or([either('s.status', '=', 'COMPLETED'), either('c.state', '!=', 'CREDITED')]))
    .orderBy(sql`(c.state = 'CREDITED')`, 'desc')
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(1)
    .select(['c.channel', 'c.reference', 'c.state', 'c.reason', 'c.created_at', 'p.named'])
    .select('p.amount_paisa as came_paisa'),
);

export const findOpenReview = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('reviews')
    .where('session_id', '=', value('session'))
    .where('state', '=', 'OPEN')
    .limit(1)
    .select('id'),
);

/** Finds an open review of a session for which the customer sent a claim to the seller. */
export const findRequestedReview = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('reviews')
    .where('session_id', '=', value('session'))
    .where('reason', '=', 'customer_asked')
    .where('state', '=', 'OPEN')
    .limit(1)
    .select('id'),
);

export type HostedSession = NonNullable<Awaited<ReturnType<typeof hostedSession.first>>>;

/** Hosted session with the data of its page, its brand and its credit. */
export const hostedSession = prepared<{ id: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
    .leftJoin('transactions as t', completes)
    .leftJoin('proofs as p', 'p.id', 't.proof_id')
    .where('s.id', '=', value('id'))
    .where('s.flow', '=', 'hosted')
    .select(['s.id', 's.brand_id', 's.gateway_reference', 's.status', 's.reason', 's.cus_name'])
    .select(['s.amount_paisa', 's.misses', 's.created_at', 's.expires_at', 's.success_url', 's.cancel_url'])
    .select(['s.return_type', 's.fees', 's.payment_reference', 's.items', 's.description'])
    .select(['b.merchant_id', 'b.accounts_stamp', 'b.name as brand_name', 'b.mobile as brand_mobile'])
    .select(['b.whatsapp as brand_whatsapp', 'b.email as brand_email', 'b.plugin', 'b.test_of'])
    .select(['b.website', 'b.colour', 'b.logo', 'b.marks', 'b.questions', 'b.video'])
    .select(['m.status as merchant_status'])
    .select(['t.channel as paid_channel', 't.reference as paid_reference', 't.credited_at as paid_at'])
    .select(['s.takes_parts', 's.paid_paisa', 's.paid_fee_paisa', 's.refunded_paisa', 's.delivery_paisa'])
    .select(['p.named as paid_named', 'p.recipient as paid_to']),
);

/**
 * @returns sessions that no longer wait for their customer (`isMoved`), and those of which a part is paid.
 * @param ids at least one.
 */
export async function movedSessions(db: Db, ids: readonly string[]) {
  const rows = await db.query
    .selectFrom('sessions')
    .where('id', 'in', ids)
    .where((either) =>
      either.or([
        either('status', '!=', 'PENDING'),
        either('reason', '=', 'review'),
        either('paid_paisa', '>', 0),
      ]),
    )
    .select(['id', 'status', 'reason', 'paid_paisa'])
    .execute();
  return rows.map(({ id, status, reason, paid_paisa: paidPaisa }) => ({
    id,
    isMoved: status !== 'PENDING' || reason === 'review',
    paidPaisa,
  }));
}

/** @returns those whose last claim does not wait for its money. @param ids sessions, at least one. */
export async function answeredSessions(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query
    .selectFrom('sessions as s')
    .where('s.id', 'in', ids)
    .where(
      (of) =>
        of
          .selectFrom('claims as c')
          .whereRef('c.session_id', '=', 's.id')
          .orderBy('c.created_at', 'desc')
          .orderBy('c.id', 'desc')
          .limit(1)
          .select('c.state'),
      '!=',
      'WAITING',
    )
    .select('s.id')
    .execute();
  return rows.map(({ id }) => id);
}

// QR codes of sessions, under names that nobody can guess.

export const insertCode = inserter('codes');

export const codeByToken = prepared<{ token: string }>()((db, value) =>
  db.query.selectFrom('codes').where('token', '=', value('token')).select('payload'),
);

export const codesOfSession = prepared<{ session: string }>()((db, value) =>
  db.query.selectFrom('codes').where('session_id', '=', value('session')).select(['channel', 'payload']),
);
