/** Accounts with which a brand receives money. */
import type { PayChannel } from '../../domain/accounts/channels.js';
import { prepared } from '../compiled-query.js';
import { changer, inserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';
import { changeBrand } from './brands.js';

/**
 * All accounts that a brand has or had, in a fixed order; requests get them from actions/core/account-cache.
 */
export const accountsOfBrand = prepared<{ brand: string }>()((db, value) =>
  db.query
    .selectFrom('accounts')
    .where('brand_id', '=', value('brand'))
    .select(['id', 'channel', 'type', 'number', 'details', 'active', 'created_at', 'disabled_at'])
    .select(['day_limit_paisa', 'month_limit_paisa'])
    .orderBy('channel')
    .orderBy('type')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);

function accountsWithBrand(db: Db) {
  return db.query
    .selectFrom('accounts as a')
    .innerJoin('brands as b', 'b.id', 'a.brand_id')
    .selectAll('a')
    .select(['b.name as brand', 'b.merchant_id', 'b.test_of']);
}

export function findAccount(db: Db, id: string) {
  return accountsWithBrand(db).where('a.id', '=', id).executeTakeFirst();
}

export type ListedAccount = Awaited<ReturnType<typeof listedAccounts>>[number];

/** Lists the accounts of one brand or of all, in a fixed order; disabled ones only on request. */
export function listedAccounts(db: Db, brandId: string | null, disabledToo: boolean) {
  let query = accountsWithBrand(db);
  if (brandId !== null) query = query.where('a.brand_id', '=', brandId);
  if (!disabledToo) query = query.where('a.active', '=', 1);
  return query
    .orderBy('b.name')
    .orderBy('a.channel')
    .orderBy('a.type')
    .orderBy('a.created_at')
    .orderBy('a.id')
    .execute();
}

/** Lists the accounts in which brands of a merchant currently receive money at that number. */
export function accountsOfNumber(db: Db, merchantId: string, number: string) {
  return accountsWithBrand(db)
    .where('b.merchant_id', '=', merchantId)
    .where('a.number', '=', number)
    .where('a.active', '=', 1)
    .orderBy('b.name')
    .orderBy('a.channel')
    .orderBy('a.type')
    .execute();
}

export const insertAccount = inserter('accounts');

/** The active accounts of a brand on one channel and type: of wallets there may be several. */
export function activeAccounts(db: Db, brandId: string, channel: PayChannel, type: string) {
  return db.query
    .selectFrom('accounts')
    .where('brand_id', '=', brandId)
    .where('channel', '=', channel)
    .where('type', '=', type)
    .where('active', '=', 1)
    .selectAll()
    .execute();
}

/** Details are JSON text (domain/accounts/account-details), credentials sealed. */
export const changeAccount = changer('accounts');

/**
 * Marks the accounts of a brand as changed, in the database transaction that changes them.
 * @param version a text that no earlier change had, not even one that was rolled back.
 */
export function renewAccountsVersion(db: Db, brandId: string, version: string): Promise<void> {
  return changeBrand(db, brandId, { accounts_stamp: version });
}

/** Takes an account out of use; its row stays, because old payments name it. */
export function disableAccountRow(db: Db, id: string, now: number): Promise<void> {
  return changeAccount(db, id, { active: 0, disabled_at: now });
}
