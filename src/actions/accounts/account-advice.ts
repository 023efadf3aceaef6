/** Lists what is still missing before customers can pay to a new account. */
import { CHANNEL, isOnChain } from '../../domain/accounts/channels.js';
import { EVERY_BRAND } from '../../domain/matching/quote.js';
import type { Db } from '../../store/schema/index.js';
import { listedNodes } from '../../store/tables/nodes.js';
import { rateOf } from '../../store/tables/rates.js';
import type { Core } from '../core/core.js';
import type { AccountView } from './account-view.js';

/** @returns sentences for the operator, each with what to do; empty if all is well. */
export async function accountAdvice(core: Core, account: AccountView): Promise<string[]> {
  return core.store.read(async (db) => [
    ...(await missingRate(db, account)),
    ...(await missingNode(db, account)),
    ...(await missingAcquirer(db, account)),
  ]);
}

async function missingRate(db: Db, { channel, brand_id, brand }: AccountView): Promise<string[]> {
  if (CHANNEL[channel].kind !== 'pull') return [];
  const rate = await rateOf.first(db, { brand: brand_id, every: EVERY_BRAND });
  if (rate !== undefined) return [];
  return [
    `Nobody is offered USDT before you say what one costs in taka: kashbox rates set 120.50 --brand "${brand}"`,
  ];
}

async function missingNode(db: Db, { channel, details }: AccountView): Promise<string[]> {
  if (!isOnChain(channel)) return [];
  const { chain_id = '' } = details;
  if ((await listedNodes(db, Number(chain_id))).length > 0) return [];
  return [
    `No payment is seen before a node of chain ${chain_id} is known: kashbox nodes add --public --chain ${chain_id}`,
  ];
}

async function missingAcquirer(db: Db, { channel, brand_id }: AccountView): Promise<string[]> {
  if (CHANNEL[channel].kind !== 'push') return [];
  const acquirer = await db.query
    .selectFrom('acquirers as a')
    .innerJoin('brands as b', 'b.merchant_id', 'a.merchant_id')
    .where('b.id', '=', brand_id)
    .where('a.revoked_at', 'is', null)
    .select('a.id')
    .limit(1)
    .executeTakeFirst();
  if (acquirer !== undefined) return [];
  return [
    'No payment is seen before the bank can tell us of it: kashbox acquirers create --merchant MERCHANT --name BANK',
  ];
}
