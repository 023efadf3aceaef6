/** SMS by the wallets and days that they are about, for the books. Knows no rule of the business. */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import type { Db } from '../schema/index.js';
import { type ChainSms, smsOf, type Wallet } from './gaps.js';

/** Engines take only so many values with one statement. */
const IDS_AT_ONCE = 1_000;

/** From then on, until the other; as SMS say it (ISO 8601 of Bangladesh), and in milliseconds. */
export interface DaySpan {
  readonly fromIso: string;
  readonly toIso: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The wallets of a merchant that SMS have come from: each is found by one step through the index, however
 * many SMS it has.
 */
export async function walletsOfMerchant(db: Db, merchantId: string): Promise<Wallet[]> {
  const wallets: Wallet[] = [];
  const next = () => {
    const query = db.query
      .selectFrom('sms')
      .where('merchant_id', '=', merchantId)
      .where('channel', 'is not', null)
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
export async function textsOfDay(db: Db, wallet: Wallet, day: DaySpan): Promise<ChainSms[]> {
  const dated = smsOf(db, wallet).where('at', '>=', day.fromIso).where('at', '<', day.toIso).orderBy('at');
  const undated = smsOf(db, wallet)
    .where('at', 'is', null)
    .where('received_at', '>=', day.fromMs)
    .where('received_at', '<', day.toMs);
  return [...(await dated.orderBy('received_at').execute()), ...(await undated.execute())];
}

/** The money that these SMS are, and the payment that each has completed, if any. */
export async function moneyOfSms(db: Db, ids: readonly string[]) {
  const all = [];
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = ids.slice(from, from + IDS_AT_ONCE);
    const rows = await db.query
      .selectFrom('proofs as p')
      .leftJoin('transactions as t', 't.proof_id', 'p.id')
      .where('p.source_id', 'in', some)
      .select(['p.amount_paisa', 'p.closed_note', 't.session_id'])
      .execute();
    all.push(...rows);
  }
  return all;
}

/** Gaps before these SMS. @param ids at least one. */
export function gapsBefore(db: Db, ids: readonly string[]) {
  return db.query
    .selectFrom('sms_gaps')
    .where('sms_id', 'in', ids)
    .select(['id', 'sms_id', 'closed_at', 'closed_by'])
    .execute();
}
