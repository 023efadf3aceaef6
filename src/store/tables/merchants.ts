/** Merchants as rows: found by identifier or name, listed, put in, changed. Knows no rule of the business. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, MerchantTable } from '../schema/index.js';

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
export async function insertMerchant(db: Db, row: Insertable<MerchantTable>): Promise<boolean> {
  const written = await db.query
    .insertInto('merchants')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return written !== undefined;
}

export async function changeMerchant(db: Db, id: string, change: Updateable<MerchantTable>): Promise<void> {
  await db.query.updateTable('merchants').set(change).where('id', '=', id).execute();
}

/**
 * Makes the units of work of one merchant that could miss each other (a claim that finds no proof, a proof
 * that finds no claim) come one after the other. SQLite has one writer anyway.
 */
export async function lockMerchant(db: Db, merchant: string): Promise<void> {
  if (db.engine === 'sqlite') return;
  await db.query
    .selectFrom('merchants')
    .where('id', '=', merchant)
    .select('id')
    .modifyEnd(sql`for no key update`)
    .execute();
}
