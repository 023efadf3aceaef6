/** Brand Keys as rows: hashes and hints, never a key. */
import type { Insertable } from 'kysely';
import type { BrandKeyTable, Db } from '../schema/index.js';

export async function insertKey(db: Db, row: Insertable<BrandKeyTable>): Promise<void> {
  await db.query.insertInto('brand_keys').values(row).execute();
}

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
 * Lets the keys of a brand that would live longer die at `diesAt`.
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

export async function endKey(db: Db, id: string, diesAt: number): Promise<void> {
  await db.query.updateTable('brand_keys').set({ dies_at: diesAt }).where('id', '=', id).execute();
}
