/** Brands as rows, each with the name of whose brand it is. Knows no rule of the business. */
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../compiled-query.js';
import { changer, newInserter, upserter } from '../compiled-rows.js';
import type { Db, MerchantTable, PicturePlace } from '../schema/index.js';

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

// Pictures of brands by their addresses: logos, and marks of channels. What they may be the domain knows.

/** Puts a picture of a brand in the place of the one before. */
export const putPicture = upserter('pictures', {
  key: ['brand_id', 'place'],
  news: ['file', 'content'],
  returning: 'brand_id',
});

export async function deletePicture(db: Db, brand: string, place: PicturePlace): Promise<void> {
  await db.query.deleteFrom('pictures').where('brand_id', '=', brand).where('place', '=', place).execute();
}

/** Two brands may have the same. */
export const pictureByFile = prepared<{ file: string }>()((db, value) =>
  db.query.selectFrom('pictures').where('file', '=', value('file')).limit(1).select('content'),
);

// Brands for tests, and the merchants that are made for them alone. What counts money leaves both out.

/**
 * Condition for `where`: the column contains a live brand. The ids of test brands are read once per
 * statement, from an index of them alone: `test_of > ''` matches it, because `test_of` is never empty.
 */
export const isLiveBrand = (column: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} NOT IN (SELECT id FROM brands WHERE test_of > '')`;

/** Condition for `where`: the column contains a merchant that is not a test merchant. */
export const isLiveMerchant = (column: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} NOT IN (SELECT merchant_id FROM brands WHERE test_of > '')`;

/** Condition: a session of a live brand. Looks up each by its id, for statements with few of them. */
export const isLiveSession = (column: string): RawBuilder<boolean> =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM sessions AS x JOIN brands AS y ON y.id = x.brand_id
    WHERE x.id = ${sql.ref(column)} AND y.test_of IS NOT NULL)`;

/** The brand for tests that a merchant was made for, or nothing. */
export const findTestBrand = prepared<{ merchant: string }>()((db, value) =>
  db.query
    .selectFrom('brands')
    .where('merchant_id', '=', value('merchant'))
    .where('test_of', 'is not', null)
    .select('id'),
);

/** @returns the ids of the merchants that were made for a merchant's brands for tests. */
export async function listTestMerchants(db: Db, merchant: string): Promise<string[]> {
  const brands = db.query.selectFrom('brands').where('test_of', '=', merchant);
  return (await brands.select('merchant_id').execute()).map(({ merchant_id }) => merchant_id);
}

/** Applies a change of a merchant to the merchants that were created for its test brands. */
export async function changeTestSides(
  db: Db,
  merchant: string,
  change: Partial<Pick<MerchantTable, 'status' | 'allow_ips'>>,
): Promise<void> {
  const sides = await listTestMerchants(db, merchant);
  if (sides.length === 0 || Object.keys(change).length === 0) return;
  await db.query.updateTable('merchants').set(change).where('id', 'in', sides).execute();
}
