/** Acquirers as rows: hashes, hints and sealed secrets. Knows no rule of the business. */
import { hot } from '../compiled-query.js';
import { changer, inserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';

function acquirersWithMerchant(db: Db) {
  return db.query
    .selectFrom('acquirers as a')
    .innerJoin('merchants as m', 'm.id', 'a.merchant_id')
    .selectAll('a')
    .select('m.name as merchant');
}

/** @param named identifier, or name: acquirers of several merchants may have the same. */
export function findAcquirers(db: Db, named: string) {
  return acquirersWithMerchant(db)
    .where((either) => either.or([either('a.id', '=', named), either('a.name', '=', named)]))
    .execute();
}

/** The one of that name, revoked or not. */
export function acquirerOfMerchant(db: Db, merchantId: string, name: string) {
  return db.query
    .selectFrom('acquirers')
    .where('merchant_id', '=', merchantId)
    .where('name', '=', name)
    .selectAll()
    .executeTakeFirst();
}

/** Acquirers of one merchant or of all, the oldest first, revoked ones too. */
export function listedAcquirers(db: Db, merchantId: string | null) {
  let query = acquirersWithMerchant(db);
  if (merchantId !== null) query = query.where('a.merchant_id', '=', merchantId);
  return query.orderBy('a.created_at').orderBy('a.id').execute();
}

export const insertAcquirer = inserter('acquirers');

export const changeAcquirer = changer('acquirers');

/** The acquirer of a key that is not revoked. */
export const acquirerByKey = hot<{ hash: string }>()((db, value) =>
  db.query
    .selectFrom('acquirers as a')
    .innerJoin('merchants as m', 'm.id', 'a.merchant_id')
    .where('a.key_hash', '=', value('hash'))
    .where('a.revoked_at', 'is', null)
    .select(['a.id', 'a.merchant_id', 'a.name', 'a.auth', 'a.secret', 'a.rules'])
    .select(['m.status as merchant_status']),
);
