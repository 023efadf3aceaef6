/** Money reported by SMS and pushes: unclaimed, closed or disputed. */
import { type Selectable, sql } from 'kysely';
import { firstRowId } from '../../base/values/ids.js';
import { type PayChannel, SOURCE_CHANNELS } from '../../domain/accounts/channels.js';
import { prepared, preparedIn } from '../compiled-query.js';
import type { Db, ProofTable } from '../schema/index.js';
import { isLiveMerchant } from './brands.js';
import { type NewReview, openReview } from './reviews.js';

// Money that has paid nothing. No index says which that is, so it is looked for among the newest: a store of
// a million payments answers as fast as a small one.

/** Days of a busy shop, and so few that they are looked through every three seconds. */
const NEWEST = 5_000;

const COLUMNS = [
  ...(['p.id', 'p.channel', 'p.reference', 'p.amount_paisa', 'p.payer', 'p.recipient'] as const),
  ...([
    'p.merchant_id',
    'p.at',
    'p.created_at',
    'p.settle',
    'd.name as device',
    'a.name as acquirer',
  ] as const),
] as const;

/** Condition for `where`: the proof in the column has no open review. */
export const isNotUnderReview = (column: string) =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM reviews AS r
    WHERE r.proof_id = ${sql.ref(column)} AND r.state = 'OPEN')`;

/**
 * Newest unclaimed money, without money under review. `count` and `paisa` in each row are totals of all rows
 * found.
 */
export const newestUnclaimed = prepared<{ limit: number }>()((db, value) => {
  const live = db.query.selectFrom('proofs').where(isLiveMerchant('merchant_id'));
  const newest = live.orderBy('id', 'desc').limit(NEWEST).selectAll();
  const free = db.query
    .selectFrom(newest.as('p'))
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .where('t.id', 'is', null)
    .where('p.closed_note', 'is', null)
    // All others are asked for when they are claimed, or stand for a person's word.
    .where('p.channel', 'in', SOURCE_CHANNELS)
    .where(isNotUnderReview('p.id'))
    .orderBy('p.id', 'desc')
    .limit(value('limit'))
    .selectAll('p')
    .select([
      sql<number | string>`count(*) over ()`.as('count'),
      sql<number | string | null>`sum(p.amount_paisa) over ()`.as('paisa'),
    ]);
  return db.query
    .selectFrom(free.as('p'))
    .leftJoin('sms as s', 's.id', 'p.source_id')
    .leftJoin('devices as d', 'd.id', 's.device_id')
    .leftJoin('acquirers as a', 'a.id', 'p.scope')
    .orderBy('p.id', 'desc')
    .select(COLUMNS)
    .select(['p.count', 'p.paisa']);
});

/** Number of credits that are compared with unclaimed money. */
const NEWEST_CREDITS = 10_000;

/** Credited money of these payers that came in that time, newest first. @param payers at least one. */
export function creditsOfPayers(
  db: Db,
  { from, to }: { readonly from: number; readonly to: number },
  payers: readonly string[],
) {
  const newest = db.query
    .selectFrom('proofs')
    .where('id', '>=', firstRowId('proof', from))
    .where('id', '<', firstRowId('proof', to))
    .orderBy('id', 'desc')
    .limit(NEWEST_CREDITS)
    .selectAll();
  return db.query
    .selectFrom(newest.as('p'))
    .innerJoin('transactions as t', 't.proof_id', 'p.id')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .where('p.payer', 'in', payers)
    .orderBy('p.id', 'desc')
    .select(['p.merchant_id', 'p.payer', 'p.amount_paisa', 'p.at', 'p.reference'])
    .select(['s.id as session', 's.gateway_reference as payment', 's.status'])
    .execute();
}

/** SMS or push that reports the money, and the payment it was credited to. */
export function tellingText(db: Db, proof: string) {
  return db.query
    .selectFrom('proofs as p')
    .leftJoin('sms as s', 's.id', 'p.source_id')
    .leftJoin('pushes as u', 'u.id', 'p.source_id')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .leftJoin('sessions as x', 'x.id', 't.session_id')
    .leftJoin('devices as d', 'd.id', 's.device_id')
    .leftJoin('acquirers as a', 'a.id', 'p.scope')
    .where('p.id', '=', proof)
    .select(COLUMNS)
    .select(['s.sender', 'x.gateway_reference as payment'])
    .select(({ fn }) => fn.coalesce('s.body', 'u.body').as('body'))
    .executeTakeFirst();
}

// Money of SMS that an operator has closed: it pays for nothing until it is opened again.

/**
 * Proofs of an SMS, with their status.
 * @param id of the SMS, or a transaction id in it; then those of one SMS only.
 */
export function moneyOfText(db: Db, id: string) {
  return db.query
    .selectFrom('proofs as p')
    .innerJoin('sms as s', 's.id', 'p.source_id')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .leftJoin('sessions as x', 'x.id', 't.session_id')
    .where(({ or, eb }) => or([eb('s.id', '=', id), eb('s.trx_id', '=', id.toUpperCase())]))
    .orderBy('p.id')
    .select(['p.id', 'p.reference', 'p.closed_note', 's.id as sms'])
    .select('x.gateway_reference as payment')
    .select(({ selectFrom }) =>
      selectFrom('reviews as r')
        .whereRef('r.proof_id', '=', 'p.id')
        .where('r.state', '=', 'OPEN')
        .select(({ fn }) => fn.min('r.id').as('id'))
        .as('review'),
    )
    .execute();
}

/**
 * Locks proofs, so that no other database transaction credits them: on PostgreSQL a credit locks its proof
 * through its foreign key.
 */
export async function lockMoney(db: Db, proofs: readonly string[]): Promise<void> {
  if (db.engine === 'sqlite') return;
  await db.query
    .selectFrom('proofs')
    .where('id', 'in', proofs)
    .orderBy('id')
    .forUpdate()
    .select('id')
    .execute();
}

/** Kind of closed money. */
export type MoneyKind = NonNullable<Selectable<ProofTable>['closed_as']>;

/** Closes money, so that no rule credits it. @param as kind of the money; null if not known. */
export async function closeMoney(
  db: Db,
  proofs: readonly string[],
  note: string,
  as: MoneyKind | null,
): Promise<void> {
  await db.query
    .updateTable('proofs')
    .set({ closed_note: note, closed_as: as, closed_settle: sql`settle`, settle: 'review' })
    .where('id', 'in', proofs)
    .execute();
}

/** Reopens closed money. It counts as before, unless another text has disputed it in the meantime. */
export async function reopenMoney(db: Db, proofs: readonly string[]): Promise<void> {
  await db.query
    .updateTable('proofs')
    .set({
      settle: sql`CASE WHEN disputed_by IS NULL THEN closed_settle ELSE 'review' END`,
      closed_note: null,
      closed_as: null,
      closed_settle: null,
    })
    .where('id', 'in', proofs)
    .where('closed_note', 'is not', null)
    .execute();
}

/** Reopens money that was closed for its refunds, if they are all cancelled. */
export async function reopenUnrefunded(db: Db, proof: string): Promise<void> {
  const active = db.query
    .selectFrom('refunds')
    .where('proof_id', '=', proof)
    .where('state', '!=', 'CANCELLED');
  if ((await active.select('id').executeTakeFirst()) === undefined) await reopenMoney(db, [proof]);
}

/** Reason why a person closed the money; null if nobody did. */
export const findClosedNote = prepared<{ proof: string }>()((db, value) =>
  db.query.selectFrom('proofs').where('id', '=', value('proof')).select('closed_note'),
);

// Money that a later text or push says otherwise of.

/**
 * Money of a merchant's wallets under these ids, and the session it was credited to. @param ids at least one.
 */
export const moneyNamed = preparedIn<{ merchant: string; channel: PayChannel }>()((db, value, ids) =>
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

/** Stores, as JSON, the first SMS that arrived later for money that was credited on an operator's word. */
export const recordLaterSms = prepared<{ proof: string; evidence: string }>()((db, value) =>
  db.query
    .updateTable('proofs')
    .set({ evidence: value('evidence') })
    .where('id', '=', value('proof'))
    .where('kind', '=', 'seen_by_operator')
    .where('evidence', 'is', null),
);

/** Texts that settle nothing and name one of these ids. @param ids at least one. */
export const nonSettlingSms = preparedIn<{ merchant: string }>()((db, value, ids) =>
  db.query
    .selectFrom('sms')
    .where('merchant_id', '=', value('merchant'))
    .where('settle', '=', 'never')
    .where('trx_id', 'is not', null)
    .where('trx_id', 'in', ids)
    .select(['id', 'channel', 'trx_id', 'kind', 'amount_paisa', 'recipient', 'reasons']),
);

/** Sets the money to manual review. @returns undefined if something already disputed it. */
export const disputeProof = prepared<{ proof: string; by: string }>()((db, value) =>
  db.query
    .updateTable('proofs')
    .set({ settle: 'review', disputed_by: value('by') })
    .where('id', '=', value('proof'))
    .where('disputed_by', 'is', null)
    .returning('id'),
);

/** The payment completed with that money, for the alert and the notification. */
export const disputedPayment = prepared<{ proof: string }>()((db, value) =>
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
    ]),
);

/** Credited money of a session that another text contradicts, and that no operator has confirmed. */
export const disputedPart = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('transactions as t')
    .innerJoin('proofs as p', 'p.id', 't.proof_id')
    .where('t.session_id', '=', value('session'))
    .where('p.disputed_by', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reviews as r')
            .whereRef('r.proof_id', '=', 'p.id')
            .where('r.reason', '=', 'disputed')
            .where('r.state', '=', 'APPROVED')
            .select('r.id'),
        ),
      ),
    )
    .limit(1)
    .select('p.id'),
);

/** Puts a credited payment under review, also one whose claim was decided before: the audit keeps that. */
export const openDispute = prepared<{ [Name in keyof NewReview]: NonNullable<NewReview[Name]> }>()(
  (db, value) => {
    const row = openReview(value, 'disputed');
    const { id: _id, session_id: _session, channel: _channel, reference: _reference, ...again } = row;
    return db.query
      .insertInto('reviews')
      .values(row)
      .onConflict((conflict) => conflict.columns(['session_id', 'channel', 'reference']).doUpdateSet(again))
      .returning('id');
  },
);

/** The money of a push. */
export function proofOfSource(db: Db, source: string) {
  return db.query.selectFrom('proofs').where('source_id', '=', source).select('id').executeTakeFirst();
}
