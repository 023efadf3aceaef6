/** Brands as rows, each with the name of whose brand it is. Knows no rule of the business. */
import { changer, newInserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';

function brandsWithMerchant(db: Db) {
  return db.query
    .selectFrom('brands as b')
    .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
    .innerJoin('merchants as o', (join) =>
      join.on(({ eb, fn }) => eb('o.id', '=', fn.coalesce('b.test_of', 'b.merchant_id'))),
    )
    .selectAll('b')
    .select(['o.name as merchant', 'm.status as merchant_status']);
}

/** @param named identifier or name. */
export function findBrand(db: Db, named: string) {
  return brandsWithMerchant(db)
    .where((either) => either.or([either('b.id', '=', named), either('b.name', '=', named)]))
    .executeTakeFirst();
}

/** Brands of one merchant or of all, the oldest first. */
export function listedBrands(db: Db, merchantId: string | null) {
  let query = brandsWithMerchant(db);
  if (merchantId !== null) query = query.where('o.id', '=', merchantId);
  return query.orderBy('b.created_at').orderBy('b.id').execute();
}

/** @returns false, and nothing is written, where the name is taken. */
export const insertBrand = newInserter('brands', 'name');

export const changeBrand = changer('brands');
