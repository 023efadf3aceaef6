/** Accepted ids of wallets whose ids are counted: the newest of each day. Knows no rule of the business. */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { prepared } from '../compiled-query.js';
import { upserter } from '../compiled-rows.js';
import type { Db, WalletIdTable } from '../schema/index.js';

/** Merchant of imported ids. */
export const IMPORTED = '';

/** The SMS of a proof, if a format matched it and it states its time. */
export const datedSmsOfProof = prepared<{ proof: string }>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .innerJoin('sms as s', 's.id', 'p.source_id')
    .where('p.id', '=', value('proof'))
    .where('s.source', '!=', 'played')
    .where('s.format', 'is not', null)
    .where('s.at', 'is not', null)
    .select(['s.id', 's.merchant_id', 's.recipient', 's.at', 'p.reference']),
);

export const idOfDay = prepared<Pick<WalletIdTable, 'channel' | 'merchant_id' | 'day'>>()((db, value) =>
  db.query
    .selectFrom('wallet_ids')
    .where('channel', '=', value('channel'))
    .where('merchant_id', '=', value('merchant_id'))
    .where('day', '=', value('day'))
    .select('at'),
);

/** Sets the id of a day. */
export const putWalletId = upserter('wallet_ids', {
  key: ['channel', 'merchant_id', 'day'],
  news: ['id', 'at', 'learnt_from', 'stored_at'],
  returning: 'id',
});

/** Deletes the ids of a merchant's wallet from before that time, milliseconds since the epoch. */
export const forgetWalletIds = prepared<{ channel: MfsChannel; merchant_id: string; before: number }>()(
  (db, value) =>
    db.query
      .deleteFrom('wallet_ids')
      .where('channel', '=', value('channel'))
      .where('merchant_id', '=', value('merchant_id'))
      .where('at', '<', value('before')),
);

/** All ids of all wallets since that time, those of each wallet in the order of their times. */
export function listedWalletIds(db: Db, since: number): Promise<WalletIdTable[]> {
  return db.query
    .selectFrom('wallet_ids')
    .where('at', '>=', since)
    .orderBy('channel')
    .orderBy('at')
    .orderBy('id')
    .selectAll()
    .execute();
}

/**
 * Known ids directly before and after: ids of one length sort in the wallet counter's order.
 * @param merchant ids of other merchants are left out; imported ones are not.
 */
export async function adjacentWalletIds(
  db: Db,
  { channel, merchant, id }: { readonly channel: MfsChannel; readonly merchant: string; readonly id: string },
  limit: number,
) {
  const ids = db.query
    .selectFrom('wallet_ids')
    .where('channel', '=', channel)
    .where('merchant_id', 'in', [merchant, IMPORTED])
    .select(['id', 'at'])
    .limit(limit);
  const before = ids.where('id', '<', id).orderBy('id', 'desc');
  const after = ids.where('id', '>', id).orderBy('id');
  return [...(await before.execute()), ...(await after.execute())];
}
