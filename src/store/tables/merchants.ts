/**
 * Merchants as rows: found by identifier or name, listed, put in, changed. Those that are made for a brand
 * for tests are nobody's to see. Knows no rule of the business.
 */
import { changer, newInserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';
import { isLiveMerchant } from './test-brands.js';

/** @param named identifier or name. */
export function findMerchant(db: Db, named: string) {
  return db.query
    .selectFrom('merchants')
    .where((either) => either.or([either('id', '=', named), either('name', '=', named)]))
    .where(isLiveMerchant('id'))
    .selectAll()
    .executeTakeFirst();
}

/** Every merchant, the oldest first. */
export function allMerchants(db: Db) {
  const merchants = db.query.selectFrom('merchants').where(isLiveMerchant('id')).selectAll();
  return merchants.orderBy('created_at').orderBy('id').execute();
}

/** @returns false, and nothing is written, where the name is taken. */
export const insertMerchant = newInserter('merchants', 'name');

export const changeMerchant = changer('merchants');
