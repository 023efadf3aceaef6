/** Money of SMS that an operator has closed: it pays for nothing until it is opened again. */
import { sql } from 'kysely';
import { hot } from '../compiled-query.js';
import type { Db } from '../schema/index.js';

/**
 * What an SMS proves, with what became of it.
 * @param id of the SMS, or a transaction id that it tells; then those of one SMS only.
 */
export function moneyOfText(db: Db, id: string) {
  return db.query
    .selectFrom('proofs as p')
    .innerJoin('sms as s', 's.id', 'p.source_id')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .leftJoin('sessions as x', 'x.id', 't.session_id')
    .where(({ or, eb }) => or([eb('s.id', '=', id), eb('s.trx_id', '=', id.toUpperCase())]))
    .orderBy('p.id')
    .select(['p.reference', 'p.closed_note', 's.id as sms'])
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
 * Until the unit of work ends nobody else credits the money of this SMS: on PostgreSQL a credit locks its
 * proof by its foreign key.
 */
export async function lockMoney(db: Db, sms: string): Promise<void> {
  if (db.engine === 'sqlite') return;
  await db.query.selectFrom('proofs').where('source_id', '=', sms).forUpdate().select('id').execute();
}

/** No rule credits it any more. */
export async function closeMoney(db: Db, sms: string, note: string): Promise<void> {
  await db.query
    .updateTable('proofs')
    .set({ closed_note: note, closed_settle: sql`settle`, settle: 'review' })
    .where('source_id', '=', sms)
    .execute();
}

/** It counts as before, unless a text has said otherwise of it meanwhile. */
export async function reopenMoney(db: Db, sms: string): Promise<void> {
  await db.query
    .updateTable('proofs')
    .set({
      settle: sql`CASE WHEN disputed_by IS NULL THEN closed_settle ELSE 'review' END`,
      closed_note: null,
      closed_settle: null,
    })
    .where('source_id', '=', sms)
    .where('closed_note', 'is not', null)
    .execute();
}

/** Why a person has closed money; null where nobody has. */
export const noteOfClosed = hot<{ proof: string }>()((db, value) =>
  db.query.selectFrom('proofs').where('id', '=', value('proof')).select('closed_note'),
);
