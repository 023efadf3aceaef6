/** Brand Keys as rows: hashes and hints, never a key. */
import { changer, inserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';

export const insertKey = inserter('brand_keys');

function keysWithBrand(db: Db) {
  return db.query
    .selectFrom('brand_keys as k')
    .innerJoin('brands as b', 'b.id', 'k.brand_id')
    .select(['k.id', 'k.brand_id', 'b.name as brand', 'k.hint', 'k.created_at', 'k.dies_at']);
}

export function findKey(db: Db, id: string) {
  return keysWithBrand(db).where('k.id', '=', id).executeTakeFirst();
}

/** Keys of one brand or of all, dead ones too, the oldest first. */
export function listedKeys(db: Db, brandId: string | null) {
  let query = keysWithBrand(db);
  if (brandId !== null) query = query.where('k.brand_id', '=', brandId);
  return query.orderBy('k.created_at').orderBy('k.id').execute();
}

/**
 * Ends the keys of a brand at `diesAt`, unless they end earlier.
 * @returns the identifiers of those keys.
 */
export async function endKeys(db: Db, brandId: string, diesAt: number): Promise<string[]> {
  const ended = await db.query
    .updateTable('brand_keys')
    .set({ dies_at: diesAt })
    .where('brand_id', '=', brandId)
    .where((either) => either.or([either('dies_at', 'is', null), either('dies_at', '>', diesAt)]))
    .returning('id')
    .execute();
  return ended.map((row) => row.id);
}

export function endKey(db: Db, id: string, diesAt: number): Promise<void> {
  return changeKey(db, id, { dies_at: diesAt });
}

const changeKey = changer('brand_keys');
