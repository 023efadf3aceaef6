/**
 * Brands for tests, and the merchants that are made for them alone. What counts money leaves both out. Knows
 * no rule of the business.
 */
import { type RawBuilder, sql } from 'kysely';
import { hot } from '../compiled-query.js';
import type { Db, MerchantTable } from '../schema/index.js';

/**
 * For `where`: that a column names a brand which is not for tests. Their ids are read once a statement, from
 * an index that holds them alone: it is searched, because `test_of` is never empty.
 */
export const isLiveBrand = (column: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} NOT IN (SELECT id FROM brands WHERE test_of > '')`;

/** The same of a merchant. */
export const isLiveMerchant = (column: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} NOT IN (SELECT merchant_id FROM brands WHERE test_of > '')`;

/** The same of a session, each by its id: for statements that name few of them. */
export const isLiveSession = (column: string): RawBuilder<boolean> =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM sessions AS x JOIN brands AS y ON y.id = x.brand_id
    WHERE x.id = ${sql.ref(column)} AND y.test_of IS NOT NULL)`;

/** The brand for tests that a merchant was made for, or nothing. */
export const testBrandOf = hot<{ merchant: string }>()((db, value) =>
  db.query
    .selectFrom('brands')
    .where('merchant_id', '=', value('merchant'))
    .where('test_of', 'is not', null)
    .select('id'),
);

/** @returns the ids of the merchants that were made for a merchant's brands for tests. */
export async function testSidesOf(db: Db, merchant: string): Promise<string[]> {
  const brands = db.query.selectFrom('brands').where('test_of', '=', merchant);
  return (await brands.select('merchant_id').execute()).map(({ merchant_id }) => merchant_id);
}

/** What holds for a merchant holds for those that were made for its brands for tests. */
export async function changeTestSides(
  db: Db,
  merchant: string,
  change: Partial<Pick<MerchantTable, 'status' | 'allow_ips'>>,
): Promise<void> {
  const sides = await testSidesOf(db, merchant);
  if (sides.length === 0 || Object.keys(change).length === 0) return;
  await db.query.updateTable('merchants').set(change).where('id', 'in', sides).execute();
}
