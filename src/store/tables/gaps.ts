/** Gaps in the chains of balances as rows, and the SMS that make a chain. Knows no rule of the business. */
import { type ExpressionBuilder, type Insertable, sql, type Updateable } from 'kysely';
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { preparedIn } from '../compiled-query.js';
import type { Db, Schema, SmsGapTable } from '../schema/index.js';
import { newestFirst, type Page } from './list-position.js';

/** One wallet of one merchant. */
export interface WalletRef {
  readonly merchant_id: string;
  /** Number of the wallet. */
  readonly recipient: string;
  readonly channel: MfsChannel;
}

/** A place in the list of all SMS in the order in which they were stored. */
interface SmsPosition {
  readonly stored_at: number;
  readonly sms_id: string;
}

export function lookedAt(db: Db): Promise<SmsPosition | undefined> {
  return db.query.selectFrom('gap_looks').select(['stored_at', 'sms_id']).executeTakeFirst();
}

/** Advances the scan position, unless another process is further. */
export async function advanceScanCursor(db: Db, place: SmsPosition): Promise<void> {
  await db.query
    .insertInto('gap_looks')
    .values({ id: 1, ...place })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(place).where('gap_looks.stored_at', '<=', place.stored_at),
    )
    .execute();
}

/** SMS stored after that position, oldest first. */
export function storedBehind(db: Db, place: SmsPosition, until: number, limit: number) {
  return (
    db.query
      .selectFrom('sms')
      .where((where) =>
        where(where.refTuple('stored_at', 'id'), '>', where.tuple(place.stored_at, place.sms_id)),
      )
      .where('stored_at', '<=', until)
      // Simulated money is no wallet's, and its balances are invented.
      .where('source', '!=', 'played')
      .orderBy('stored_at')
      .orderBy('id')
      .limit(limit)
      .select(['id', 'stored_at', 'merchant_id', 'recipient', 'at', 'received_at'])
      // A source has its own balance.
      .select(sql<MfsChannel | null>`CASE WHEN source_name IS NULL THEN channel END`.as('channel'))
      .execute()
  );
}

const isOf =
  ({ merchant_id, recipient, channel }: WalletRef) =>
  ({ and }: ExpressionBuilder<Schema, 'sms' | 'sms_gaps'>) =>
    and({ merchant_id, recipient, channel });

/** The SMS of one wallet with what the chain of its balances is made of. */
function selectWalletSms(db: Db, wallet: WalletRef) {
  return db.query
    .selectFrom('sms')
    .where(isOf(wallet))
    .where('source_name', 'is', null)
    .select(['id', 'body', 'kind', 'amount_paisa', 'fee_paisa', 'balance_paisa', 'trx_id', 'format'])
    .select(['reasons'])
    .select(['at', 'received_at', 'device_id']);
}

export type ChainSms = Awaited<ReturnType<typeof chainSince>>[number];

/** @param at time as in the SMS, ISO 8601. @returns SMS before it, newest first. */
export function chainBefore(db: Db, wallet: WalletRef, at: string, limit: number): Promise<ChainSms[]> {
  return selectWalletSms(db, wallet)
    .where('at', '<', at)
    .orderBy('at', 'desc')
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute();
}

/** SMS from then on, oldest first. */
export function chainSince(db: Db, wallet: WalletRef, at: string, limit: number) {
  return selectWalletSms(db, wallet)
    .where('at', '>=', at)
    .orderBy('at')
    .orderBy('received_at')
    .limit(limit)
    .execute();
}

/** SMS that do not state their time, by the time they were received. */
export function undatedBetween(
  db: Db,
  wallet: WalletRef,
  from: number,
  until: number,
  limit: number,
): Promise<ChainSms[]> {
  return selectWalletSms(db, wallet)
    .where('at', 'is', null)
    .where('received_at', '>=', from)
    .where('received_at', '<=', until)
    .limit(limit)
    .execute();
}

/** @param ids at least one. */
export function smsTimes(db: Db, ids: readonly string[]) {
  return db.query.selectFrom('sms').where('id', 'in', ids).select(['id', 'at', 'received_at']).execute();
}

export function listOpenGaps(db: Db, wallet: WalletRef): Promise<SmsGapTable[]> {
  const open = db.query.selectFrom('sms_gaps').where(isOf(wallet)).where('closed_at', 'is', null);
  return open.selectAll().execute();
}

/** Inserts a gap, or reopens one closed because its SMS arrived; one closed by a person stays closed. */
export async function openGap(db: Db, row: Insertable<SmsGapTable>): Promise<void> {
  const { id: _id, sms_id: _sms, ...again } = row;
  await db.query
    .insertInto('sms_gaps')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('sms_id').doUpdateSet(again).where('sms_gaps.closed_by', '=', 'sms'),
    )
    .execute();
}

/** Updates an open gap: a new step, or some of the missing SMS arrived. A closed gap stays unchanged. */
export async function changeGap(db: Db, id: string, change: Updateable<SmsGapTable>): Promise<void> {
  await openGapRow(db, id).set(change).execute();
}

function openGapRow(db: Db, id: string) {
  return db.query.updateTable('sms_gaps').where('id', '=', id).where('closed_at', 'is', null);
}

/** @param by `sms`, or the person who closes it. @returns false if it was already closed. */
export async function closeGapRow(db: Db, id: string, now: number, by: string): Promise<boolean> {
  const closing = openGapRow(db, id).set({ closed_at: now, closed_by: by, look_at: null });
  return (await closing.returning('id').executeTakeFirst()) !== undefined;
}

/** Gaps that are to be looked at, the longest due first. */
export function dueGaps(db: Db, now: number, limit: number): Promise<SmsGapTable[]> {
  return db.query
    .selectFrom('sms_gaps')
    .where('look_at', '<=', now)
    .orderBy('look_at')
    .limit(limit)
    .selectAll()
    .execute();
}

export function findGap(db: Db, id: string): Promise<SmsGapTable | undefined> {
  return db.query.selectFrom('sms_gaps').where('id', '=', id).selectAll().executeTakeFirst();
}

interface GapFilter extends Page {
  readonly merchantId: string | null;
  /** True to list open gaps only. */
  readonly open: boolean;
  /** Lists only gaps found since then, milliseconds since the epoch; null for all. */
  readonly since: number | null;
}

/** Lists gaps, newest first. */
export function listedGaps(db: Db, filter: GapFilter) {
  let query = db.query
    .selectFrom('sms_gaps as g')
    .innerJoin('merchants as m', 'm.id', 'g.merchant_id')
    .leftJoin('devices as d', 'd.id', 'g.device_id')
    .selectAll('g')
    .select(['m.name as merchant', 'd.name as device']);
  if (filter.merchantId !== null) query = query.where('g.merchant_id', '=', filter.merchantId);
  if (filter.open) query = query.where('g.closed_at', 'is', null);
  if (filter.since !== null) query = query.where('g.found_at', '>=', filter.since);
  return query.$call(newestFirst('g.found_at', 'g.id', filter)).execute();
}

/** A phone has sent again all that it has since then. @param lookAt when its gaps are to be looked at. */
export async function recordResendCompleted(
  db: Db,
  answer: { readonly device: string; readonly since: number; readonly now: number; readonly lookAt: number },
): Promise<void> {
  await db.query
    .updateTable('sms_gaps')
    .set({ answered_at: answer.now, look_at: answer.lookAt })
    .where('device_id', '=', answer.device)
    .where('asked_at', 'is not', null)
    .where('answered_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('since', '>=', answer.since)
    .execute();
}

/** Time of a phone's last resend request after that time, for any gap, and their earliest start time. */
export async function lastResendRequest(
  db: Db,
  device: string,
  after: number,
): Promise<{ readonly at: number; readonly since: number } | null> {
  const row = await db.query
    .selectFrom('sms_gaps')
    .where('device_id', '=', device)
    .where('asked_at', '>', after)
    .select(({ fn }) => [fn.max('asked_at').as('at'), fn.min('since').as('since')])
    .executeTakeFirst();
  return row === undefined || row.at === null ? null : { at: Number(row.at), since: Number(row.since) };
}

/** The living phones that hold a wallet's SIM. */
export function listWalletPhones(db: Db, wallet: WalletRef) {
  return db.query
    .selectFrom('devices as d')
    .innerJoin('device_sims as s', 's.device_id', 'd.id')
    .where('d.merchant_id', '=', wallet.merchant_id)
    .where('s.number', '=', wallet.recipient)
    .where('d.revoked_at', 'is', null)
    .select(['d.id', 'd.agent', 'd.resend_since'])
    .distinct()
    .execute();
}

/** Sets the time from which the phone must send its SMS again; an earlier time already set stays. */
export async function requestResend(db: Db, device: string, since: number): Promise<void> {
  await db.query
    .updateTable('devices')
    .set({ resend_since: since })
    .where('id', '=', device)
    .where((or) => or.or([or('resend_since', 'is', null), or('resend_since', '>', since)]))
    .execute();
}

/** Ends the resend request if the phone has gone back as far as requested. */
export async function endResend(db: Db, device: string, since: number): Promise<void> {
  await db.query
    .updateTable('devices')
    .set({ resend_since: sql`null` })
    .where('id', '=', device)
    .where('resend_since', '>=', since)
    .execute();
}

/** SMS in the chain of balances up to a time, newest first, each with its `settle`. */
export function chainUpTo(db: Db, wallet: WalletRef, at: string, limit: number) {
  return selectWalletSms(db, wallet)
    .where('at', '<=', at)
    .select('settle')
    .orderBy('at', 'desc')
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute();
}

/** Those of these SMS whose money an operator has approved. */
export const approvedSms = preparedIn<Record<never, never>>()((db, _value, ids) =>
  db.query
    .selectFrom('proofs as p')
    .innerJoin('transactions as t', 't.proof_id', 'p.id')
    .where('p.source_id', 'in', ids)
    .where('t.credited_by', '!=', 'rule')
    .select('p.source_id as id'),
);

// SMS by the wallets and days that they are about, for the books.

/** Engines limit the number of values in one statement. */
const IDS_AT_ONCE = 1_000;

/** Start (included) and end (excluded): as in SMS (ISO 8601, Bangladesh time), and in milliseconds. */
interface DaySpan {
  readonly fromIso: string;
  readonly toIso: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The wallets of a merchant that SMS have come from: each is found by one step through the index, however
 * many SMS it has.
 */
export async function walletsOfMerchant(db: Db, merchantId: string): Promise<WalletRef[]> {
  const wallets: WalletRef[] = [];
  const next = () => {
    const query = db.query
      .selectFrom('sms')
      .where('merchant_id', '=', merchantId)
      .where('channel', 'is not', null)
      .where('source_name', 'is', null)
      .orderBy('recipient')
      .orderBy('channel')
      .limit(1)
      .select(['merchant_id', 'recipient', 'channel']);
    const last = wallets.at(-1);
    if (last === undefined) return query.where('recipient', '>', '').executeTakeFirst();
    return query
      .where((is) => is(is.refTuple('recipient', 'channel'), '>', is.tuple(last.recipient, last.channel)))
      .executeTakeFirst();
  };
  for (let row = await next(); row !== undefined; row = await next()) {
    const { merchant_id, recipient, channel } = row;
    wallets.push({ merchant_id, recipient: recipient ?? '', channel: channel as MfsChannel });
  }
  return wallets;
}

/** The texts of a wallet on one day, those without a time of their own by when they were received. */
export async function textsOfDay(db: Db, wallet: WalletRef, day: DaySpan): Promise<ChainSms[]> {
  const dated = selectWalletSms(db, wallet)
    .where('at', '>=', day.fromIso)
    .where('at', '<', day.toIso)
    .orderBy('at');
  const undated = selectWalletSms(db, wallet)
    .where('at', 'is', null)
    .where('received_at', '>=', day.fromMs)
    .where('received_at', '<', day.toMs);
  return [...(await dated.orderBy('received_at').execute()), ...(await undated.execute())];
}

async function inPages<Row>(ids: readonly string[], read: (some: readonly string[]) => Promise<Row[]>) {
  const all: Row[] = [];
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    all.push(...(await read(ids.slice(from, from + IDS_AT_ONCE))));
  }
  return all;
}

/** The money that these SMS are, and the payment that each has paid, if any. */
export function moneyOfSms(db: Db, ids: readonly string[]) {
  return inPages(ids, (some) =>
    db.query
      .selectFrom('proofs as p')
      .leftJoin('transactions as t', 't.proof_id', 'p.id')
      .where('p.source_id', 'in', some)
      .select(['p.amount_paisa', 'p.closed_note', 'p.closed_as', 't.session_id', 't.rest_paisa'])
      .execute(),
  );
}

/** The transfers that these SMS report, and the refund that each has completed, if any. */
export function transfersOfSms(db: Db, ids: readonly string[]) {
  return inPages(ids, (some) =>
    db.query
      .selectFrom('sent_money as m')
      .leftJoin('refunds as r', 'r.sent_id', 'm.id')
      .where('m.source_id', 'in', some)
      .orderBy('m.at')
      .select(['m.reference', 'm.amount_paisa', 'm.payee', 'm.closed_as', 'r.id as refund'])
      .execute(),
  );
}

/** Gaps before these SMS. @param ids at least one. */
export function gapsBefore(db: Db, ids: readonly string[]) {
  return db.query
    .selectFrom('sms_gaps')
    .where('sms_id', 'in', ids)
    .select(['id', 'sms_id', 'closed_at', 'closed_by'])
    .execute();
}
