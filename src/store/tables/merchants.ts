/** Merchants as rows: found by identifier or name, listed, put in, changed. Knows no rule of the business. */
import { changer, locker, newInserter } from '../compiled-query.js';
import type { Db } from '../schema/index.js';

/** @param named identifier or name. */
export function findMerchant(db: Db, named: string) {
  return db.query
    .selectFrom('merchants')
    .where((either) => either.or([either('id', '=', named), either('name', '=', named)]))
    .selectAll()
    .executeTakeFirst();
}

/** Every merchant, the oldest first. */
export function allMerchants(db: Db) {
  return db.query.selectFrom('merchants').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** @returns false, and nothing is written, where the name is taken. */
export const insertMerchant = newInserter('merchants', 'name');

export const changeMerchant = changer('merchants');

/** For units of work that could miss each other: a claim that finds no proof, a proof that finds no claim. */
export const lockMerchant = locker('merchants');
