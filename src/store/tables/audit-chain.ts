/**
 * Entries of the hash chain over credits and audit entries, and their rows. Pages are limited before the
 * join, so that no statement reads more rows than a page has.
 */
import { sql } from 'kysely';
import { firstRowId, type RowKind } from '../../base/values/ids.js';
import {
  type ChainEntry,
  type ChainedKind,
  type ChainHead,
  NO_ENTRIES,
} from '../../domain/audit-chain/chain.js';
import type { SessionStatus } from '../../domain/sessions/session.js';
import type { AuditChainTable, Db } from '../schema/index.js';
import { isLiveBrand, isLiveMerchant } from './brands.js';

interface ChainedTable {
  readonly table: 'transactions' | 'audit';
  readonly ids: RowKind;
}

export const CHAINED: Readonly<Record<ChainedKind, ChainedTable>> = {
  credit: { table: 'transactions', ids: 'transaction' },
  audit: { table: 'audit', ids: 'audit' },
};

export async function chainHead(db: Db): Promise<ChainHead> {
  const row = await db.query
    .selectFrom('audit_chain')
    .where('number', '>', 0)
    .orderBy('number', 'desc')
    .limit(1)
    .select(['number', 'hash'])
    .executeTakeFirst();
  return row ?? NO_ENTRIES;
}

/** @returns undefined if there is no entry with that number. */
export async function chainHash(db: Db, number: number): Promise<string | undefined> {
  const row = await db.query
    .selectFrom('audit_chain')
    .where('number', '=', number)
    .select('hash')
    .executeTakeFirst();
  return row?.hash;
}

/**
 * The newest row in the chain by the time in its identifier. A clock that was ahead has left later ones,
 * after which nothing would come for years.
 * @param now milliseconds since the epoch; none of a later time is meant.
 */
export async function newestChained(db: Db, kind: ChainedKind, now: number): Promise<string | undefined> {
  const row = await db.query
    .selectFrom('audit_chain')
    .where('kind', '=', kind)
    .where('row_id', '<', firstRowId(CHAINED[kind].ids, now + 1))
    .orderBy('row_id', 'desc')
    .limit(1)
    .select('row_id')
    .executeTakeFirst();
  return row?.row_id;
}

export interface RowPage {
  readonly after: string;
  readonly limit: number;
}

/** Excludes credits of tests: they are not money and get no entry. */
const isChained = (kind: ChainedKind) => (kind === 'credit' ? isLiveBrand('brand_id') : sql<boolean>`1 = 1`);

/** The next rows by their identifiers, and whether each is in the chain. */
export async function chainedOrNot(db: Db, kind: ChainedKind, { after, limit }: RowPage) {
  const { rows } = await sql<{ readonly id: string; readonly number: number | null }>`
    select n.id, c.number
    from (select id from ${sql.table(CHAINED[kind].table)} where id > ${after} and ${isChained(kind)}
      order by id limit ${limit}) as n
    left join audit_chain as c on c.kind = ${sql.lit(kind)} and c.row_id = n.id
    order by n.id`.execute(db.query);
  return rows;
}

/** Lists complete rows, in no particular order. @param ids at least one. */
export function listChainedRows(
  db: Db,
  kind: ChainedKind,
  ids: readonly string[],
): Promise<{ readonly id: string }[]> {
  return db.query.selectFrom(CHAINED[kind].table).where('id', 'in', ids).selectAll().execute();
}

/** @throws KashboxError `already_exists` where another process has put one of them in since. */
export async function insertEntries(db: Db, entries: readonly ChainEntry[]): Promise<void> {
  const rows = entries.map(({ rowId, ...entry }): AuditChainTable => ({ ...entry, row_id: rowId }));
  await db.query.insertInto('audit_chain').values(rows).execute();
}

/** The next entries by their numbers. @param upTo the last one that is wanted. */
export function entriesAfter(db: Db, after: number, upTo: number, limit: number): Promise<ChainEntry[]> {
  return db.query
    .selectFrom('audit_chain')
    .where('number', '>', after)
    .where('number', '<=', upTo)
    .orderBy('number')
    .limit(limit)
    .select(['number', 'kind', 'row_id as rowId', 'mark', 'hash'])
    .execute();
}

type Sum = number | string | null;

/** The next payments by their identifiers, each with its sums, and those of its credits and refunds. */
export async function paymentsWithCredits(db: Db, { after, limit }: RowPage) {
  const { rows } = await sql<{
    readonly id: string;
    readonly status: SessionStatus;
    readonly paid_paisa: number;
    readonly paid_fee_paisa: number;
    readonly refunded_paisa: number;
    /** Number of credits that complete it. */
    readonly completing: Sum;
    readonly credited: Sum;
    readonly credited_fees: Sum;
    readonly refunded: Sum;
  }>`
    select n.id, n.status, n.paid_paisa, n.paid_fee_paisa, n.refunded_paisa,
      sum(case when t.rest_paisa = 0 then 1 else 0 end) as completing,
      sum(t.amount_paisa) as credited, sum(t.fee_paisa) as credited_fees,
      (select sum(r.amount_paisa) from refunds as r where r.session_id = n.id and r.state = 'COMPLETED') as refunded
    from (select id, status, paid_paisa, paid_fee_paisa, refunded_paisa from sessions
      where id > ${after} and ${isLiveBrand('brand_id')} order by id limit ${limit}) as n
    left join transactions as t on t.session_id = n.id
    group by n.id, n.status, n.paid_paisa, n.paid_fee_paisa, n.refunded_paisa
    order by n.id`.execute(db.query);
  return rows;
}

/**
 * The next credits by their identifiers, each with the status of its payment, null where that is gone, and
 * with what was due before it.
 */
export async function creditsWithStatus(db: Db, { after, limit }: RowPage) {
  const { rows } = await sql<{
    readonly id: string;
    readonly status: SessionStatus | null;
    readonly rest: number;
    readonly amount_paisa: number;
    readonly fee_paisa: number;
    readonly due_before: Sum;
  }>`
    select n.id, s.status, n.rest_paisa as rest, n.amount_paisa, n.fee_paisa,
      coalesce((select min(o.rest_paisa) from transactions as o
        where o.session_id = n.session_id and o.rest_paisa > n.rest_paisa), s.amount_paisa) as due_before
    from (select id, session_id, rest_paisa, amount_paisa, fee_paisa from transactions
      where id > ${after} and ${isLiveBrand('brand_id')} order by id limit ${limit}) as n
    left join sessions as s on s.id = n.session_id
    order by n.id`.execute(db.query);
  return rows;
}

/** Lists the next credits by id, each with its evidence, and whether the audit contains them. */
export function creditsInFull(db: Db, { after, limit }: RowPage) {
  return db.query
    .selectFrom('transactions as t')
    .leftJoin('proofs as p', 'p.id', 't.proof_id')
    .leftJoin('sms as m', 'm.id', 'p.source_id')
    .leftJoin('pushes as u', 'u.id', 'p.source_id')
    .where('t.id', '>', after)
    .where(isLiveBrand('t.brand_id'))
    .orderBy('t.id')
    .limit(limit)
    .select(['t.id', 't.channel', 't.reference', 't.amount_paisa', 't.credited_by', 'p.units'])
    .select(['m.sender', 'm.body', 'm.received_at'])
    .select(['u.reference as pushed_reference', 'u.amount_paisa as pushed_paisa'])
    .select((credit) =>
      credit
        .selectFrom('audit as a')
        .whereRef('a.subject', '=', 't.session_id')
        .where('a.action', 'in', ['payment.credit', 'payment.part', 'payment.approve'])
        .limit(1)
        .select('a.id')
        .as('audited'),
    )
    .execute();
}

export type CreditInFull = Awaited<ReturnType<typeof creditsInFull>>[number];

/** The audit's actions that complete a refund. */
export const REFUND_COMPLETED: readonly string[] = ['refund.complete', 'refund.close'];

/** Lists refunds, in no particular order. @param ids at least one. */
export function refundsById(db: Db, ids: readonly string[]) {
  return db.query.selectFrom('refunds').where('id', 'in', ids).selectAll().execute();
}

/**
 * Lists the next completed refunds by id, each with its transfer, and whether the audit contains its
 * completion. Without those of test brands.
 */
export function completedRefunds(db: Db, { after, limit }: RowPage) {
  return db.query
    .selectFrom('refunds as r')
    .leftJoin('sent_money as n', 'n.id', 'r.sent_id')
    .leftJoin('sms as m', 'm.id', 'n.source_id')
    .where('r.id', '>', after)
    .where('r.state', '=', 'COMPLETED')
    .where(isLiveMerchant('r.merchant_id'))
    .orderBy('r.id')
    .limit(limit)
    .select(['r.id', 'r.channel', 'r.closed_by', 'r.amount_paisa', 'r.reference'])
    .select(['n.id as sent', 'n.units as sent_units', 'n.amount_paisa as sent_paisa'])
    .select(['m.sender', 'm.body', 'm.received_at'])
    .select((refund) =>
      refund
        .selectFrom('audit as a')
        .whereRef('a.subject', '=', 'r.id')
        .where('a.action', 'in', REFUND_COMPLETED)
        .limit(1)
        .select('a.id')
        .as('audited'),
    )
    .execute();
}

export type CompletedRefund = Awaited<ReturnType<typeof completedRefunds>>[number];

/** What a finding says of the row that it is about. */
export interface NamedRow {
  /** The gateway reference; null where the row is of none. */
  readonly payment: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Only of an audit entry. */
  readonly action?: string;
}

/** Queries of rows with their payment and time, by kind. An audit entry may be of no payment. */
const NAMED = {
  credit: (db: Db, ids: readonly string[]) =>
    db.query
      .selectFrom('transactions as t')
      .leftJoin('sessions as s', 's.id', 't.session_id')
      .where('t.id', 'in', ids)
      .select(['t.id', 't.credited_at as at', 's.gateway_reference as payment'])
      .execute(),
  audit: (db: Db, ids: readonly string[]) =>
    db.query
      .selectFrom('audit as a')
      .leftJoin('sessions as s', 's.id', 'a.subject')
      .where('a.id', 'in', ids)
      .select(['a.id', 'a.at', 'a.action', 's.gateway_reference as payment'])
      .execute(),
  refund: (db: Db, ids: readonly string[]) =>
    db.query
      .selectFrom('refunds as r')
      .leftJoin('sessions as s', 's.id', 'r.session_id')
      .where('r.id', 'in', ids)
      .select(['r.id', 'r.created_at as at', 's.gateway_reference as payment'])
      .execute(),
  payment: (db: Db, ids: readonly string[]) =>
    db.query
      .selectFrom('sessions')
      .where('id', 'in', ids)
      .select(['id', 'gateway_reference as payment'])
      .select(({ fn }) => fn.coalesce('closed_at', 'created_at').as('at'))
      .execute(),
};

/** @returns rows of that kind by their ids; missing ones are left out. @param ids may be empty. */
export async function namedRows(
  db: Db,
  kind: keyof typeof NAMED,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedRow>> {
  const rows: readonly (NamedRow & { readonly id: string })[] =
    ids.length === 0 ? [] : await NAMED[kind](db, ids);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
