/** Under which ids payments that were seen outside have been credited. */
import type { CreditedNameTable, Db } from '../schema.js';

/** @param names at least one. @returns whether any of them was credited, to whomever. */
export async function isAnyCredited(
  db: Db,
  {
    channel,
    scope,
    names,
  }: { readonly channel: string; readonly scope: string; readonly names: readonly string[] },
): Promise<boolean> {
  const found = await db.query
    .selectFrom('credited_names')
    .where('channel', '=', channel)
    .where('scope', '=', scope)
    .where('name', 'in', names)
    .limit(1)
    .select('name')
    .executeTakeFirst();
  return found !== undefined;
}

/** @param rows at least one. @returns how many were new. */
export async function insertNames(db: Db, rows: readonly CreditedNameTable[]): Promise<number> {
  const kept = await db.query
    .insertInto('credited_names')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute();
  return kept.length;
}
