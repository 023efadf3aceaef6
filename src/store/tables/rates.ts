/** BDT for one USDT, by brand. */
import { EVERY_BRAND } from '../../domain/matching/quote.js';
import { prepared } from '../compiled-query.js';
import { upserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';

/** The brand's own rate before the one for every brand; nothing where there is neither. */
export const findRate = prepared<{ brand: string; every: string }>()((db, value) =>
  db.query
    .selectFrom('rates')
    .where('scope', 'in', [value('brand'), value('every')])
    .orderBy((order) => order('scope', '=', value('every')), 'asc')
    .select(['scope', 'rate'])
    .limit(1),
);

export const putRate = upserter('rates', {
  key: ['scope'],
  news: ['rate', 'set_at', 'set_by'],
  returning: 'scope',
}).all;

/** @returns whether there was one. */
export async function deleteRate(db: Db, scope: string): Promise<boolean> {
  const { numDeletedRows } = await db.query.deleteFrom('rates').where('scope', '=', scope).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** All rates with the names of their brands, the one for every brand first. */
export function listedRates(db: Db) {
  return db.query
    .selectFrom('rates as r')
    .leftJoin('brands as b', 'b.id', 'r.scope')
    .selectAll('r')
    .select('b.name as brand')
    .orderBy((order) => order('r.scope', '!=', EVERY_BRAND), 'asc')
    .orderBy('b.name')
    .execute();
}
