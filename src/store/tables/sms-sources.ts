/** Texts of the operator's sources, and which sources are trusted. */
import { sql } from 'kysely';
import type { SourceChannel } from '../../domain/accounts/channels.js';
import type { Db, SmsTrustTable } from '../schema/index.js';

export function listTrust(db: Db): Promise<SmsTrustTable[]> {
  return db.query.selectFrom('sms_trust').selectAll().execute();
}

export async function putTrust(db: Db, row: SmsTrustTable): Promise<void> {
  const { name, ...again } = row;
  await db.query
    .insertInto('sms_trust')
    .values({ name, ...again })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(again))
    .execute();
}

/** @returns true if it was trusted. */
export async function deleteTrust(db: Db, name: string): Promise<boolean> {
  const deleted = await db.query.deleteFrom('sms_trust').where('name', '=', name).returning('name').execute();
  return deleted.length > 0;
}

/** Numbers of the accounts with which the brands of a merchant receive money on that channel. */
export async function numbersOnChannel(db: Db, merchant: string, channel: SourceChannel): Promise<string[]> {
  const rows = await db.query
    .selectFrom('accounts as a')
    .innerJoin('brands as b', 'b.id', 'a.brand_id')
    .where('b.merchant_id', '=', merchant)
    .where('b.test_of', 'is', null)
    .where('a.channel', '=', channel)
    .where('a.active', '=', 1)
    .select('a.number')
    .distinct()
    .orderBy('a.number')
    .execute();
  return rows.map(({ number }) => number);
}

/** Texts of a source whose money an operator has credited to a payment, newest first. */
export function approvedTexts(db: Db, name: string, limit: number) {
  return db.query
    .selectFrom('sms as s')
    .innerJoin('proofs as p', 'p.source_id', 's.id')
    .innerJoin('transactions as t', 't.proof_id', 'p.id')
    .where('s.source_name', '=', name)
    .where('t.credited_by', '!=', 'rule')
    .orderBy('s.stored_at', 'desc')
    .limit(limit)
    .select(['s.sender', 's.body', 's.received_at'])
    .execute();
}

/** Number of texts by source: those that a format reads, and money in an unknown wording. */
export async function countTexts(db: Db) {
  const rows = await db.query
    .selectFrom('sms')
    .where('source_name', 'is not', null)
    .groupBy('source_name')
    .select('source_name')
    .select(sql<number | string>`sum(CASE WHEN format IS NULL THEN 0 ELSE 1 END)`.as('read'))
    .select(sql<number | string>`sum(CASE WHEN ${UNREAD} THEN 1 ELSE 0 END)`.as('unread'))
    .execute();
  return rows.map((row) => ({ name: row.source_name, read: Number(row.read), unread: Number(row.unread) }));
}

const UNREAD = sql<boolean>`format IS NULL AND settle = 'review'`;

/** Money of a merchant's source in unknown words since then, ms since the epoch. */
export async function unreadSince(db: Db, name: string, merchant: string, since: number) {
  const row = await db.query
    .selectFrom('sms')
    .where('source_name', '=', name)
    .where('merchant_id', '=', merchant)
    .where('stored_at', '>=', since)
    .where(UNREAD)
    .select(({ fn }) => [fn.countAll<number | string>().as('count'), fn.min('received_at').as('first')])
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), first: row.first === null ? null : Number(row.first) };
}

/** Texts of a sender as phones have delivered them, newest first. @param merchant null for all. */
export function textsOfSenders(
  db: Db,
  given: { readonly senders: readonly string[]; readonly merchant: string | null; readonly limit: number },
) {
  const { senders, merchant, limit } = given;
  let query = db.query
    .selectFrom('sms')
    .where('source', 'in', ['relay', 'manual'])
    .where((is) => is(is.fn<string>('lower', ['sender']), 'in', senders));
  if (merchant !== null) query = query.where('merchant_id', '=', merchant);
  return query.orderBy('stored_at', 'desc').limit(limit).select(['sender', 'body', 'received_at']).execute();
}

/** Condition for proofs `p`: no payment, no other text and no person has decided about the money. */
const isFree = sql<boolean>`(p.disputed_by IS NULL AND p.closed_note IS NULL
  AND NOT EXISTS (SELECT 1 FROM transactions AS t WHERE t.proof_id = p.id))`;

/** SMS after that one without a proof, and those whose money is weak or needs review and is still free. */
export function reparsedSms(db: Db, after: string, limit: number) {
  return db.query
    .selectFrom('sms as s')
    .where('s.id', '>', after)
    .where(
      sql<boolean>`(NOT EXISTS (SELECT 1 FROM proofs AS p WHERE p.source_id = s.id)
        OR EXISTS (SELECT 1 FROM proofs AS p
          WHERE p.source_id = s.id AND p.settle IN ('weak', 'review') AND ${isFree}))`,
    )
    .orderBy('s.id')
    .limit(limit)
    .selectAll('s')
    .execute();
}

/** Only proof of an SMS, if it is weak or needs review and is still free. */
export async function freeProof(db: Db, sms: string) {
  const rows = await db.query
    .selectFrom('proofs as p')
    .where('p.source_id', '=', sms)
    .select(['p.id', 'p.channel', 'p.reference', 'p.amount_paisa', 'p.recipient', 'p.settle'])
    .select(isFree.as('free'))
    .execute();
  const [proof] = rows;
  return rows.length === 1 && proof !== undefined && proof.free ? proof : undefined;
}

export async function hasProof(db: Db, sms: string): Promise<boolean> {
  const found = db.query.selectFrom('proofs').where('source_id', '=', sms).limit(1).select('id');
  return (await found.executeTakeFirst()) !== undefined;
}

/** Changes how much a proof is worth, and the reasons of its SMS. */
export async function regradeProof(
  db: Db,
  proof: {
    readonly id: string;
    readonly sms: string;
    readonly settle: 'weak' | 'review';
    readonly recipient: string | null;
    readonly reasons: string;
  },
): Promise<void> {
  const { id, sms, settle, recipient, reasons } = proof;
  await db.query.updateTable('proofs').set({ settle, recipient }).where('id', '=', id).execute();
  await db.query.updateTable('sms').set({ reasons }).where('id', '=', sms).execute();
}

/** Free money of a source without trust needs manual review. @returns the number of proofs. */
export async function lowerWeakProofs(db: Db, name: string): Promise<number> {
  const lowered = await db.query
    .updateTable('proofs')
    .set({ settle: 'review' })
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('proofs as p')
        .innerJoin('sms as s', 's.id', 'p.source_id')
        .where('s.source_name', '=', name)
        .where('p.settle', '=', 'weak')
        .where(isFree)
        .select('p.id'),
    )
    .returning('id')
    .execute();
  return lowered.length;
}
