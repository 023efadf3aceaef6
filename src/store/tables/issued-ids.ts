/** Ids of wallets under which SMS have been credited: what is known of their counters by experience. */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import type { Db } from '../schema/index.js';
import { smsOf, type Wallet } from './gaps.js';

function creditedIds(db: Db, channel: MfsChannel, limit: number) {
  return db.query
    .selectFrom('transactions as t')
    .innerJoin('proofs as p', 'p.id', 't.proof_id')
    .innerJoin('sms as s', 's.id', 'p.source_id')
    .where('t.channel', '=', channel)
    .where('s.source', '!=', 'played')
    .where('s.format', 'is not', null)
    .where('s.at', 'is not', null)
    .select(['t.reference', 't.credited_by', 't.credited_at'])
    .select(['s.id as sms_id', 's.at', 's.merchant_id', 's.recipient'])
    .limit(limit);
}

export type CreditedId = Awaited<ReturnType<typeof idsBeside>>[number];

/** The credited ids next to this one, before and behind it: ids of one length sort as they count. */
export async function idsBeside(db: Db, channel: MfsChannel, id: string, limit: number) {
  const ids = creditedIds(db, channel, limit);
  const before = ids.where('t.reference', '<', id).orderBy('t.reference', 'desc');
  const behind = ids.where('t.reference', '>', id).orderBy('t.reference');
  return [...(await before.execute()), ...(await behind.execute())];
}

/** The id that was credited last on that channel since then, milliseconds since the epoch. */
export function lastCreditedId(db: Db, channel: MfsChannel, since: number) {
  const ids = creditedIds(db, channel, 1).where('t.credited_at', '>=', since);
  return ids.orderBy('t.credited_at', 'desc').executeTakeFirst();
}

/** What makes the chain of balances up to a text, the newest first, with what each SMS counts as. */
export function chainUpTo(db: Db, wallet: Wallet, at: string, limit: number) {
  return smsOf(db, wallet)
    .where('at', '<=', at)
    .select('settle')
    .orderBy('at', 'desc')
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute();
}
