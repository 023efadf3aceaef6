/** Facts about the installation that a store belongs to. Knows none of them. */
import type { Db, InstallationTable } from '../schema/index.js';

type Name = InstallationTable['name'];

/** @returns what is known; undefined where nothing is. */
export async function installationFact(db: Db, name: Name): Promise<string | undefined> {
  const row = await db.query
    .selectFrom('installation')
    .where('name', '=', name)
    .select('value')
    .executeTakeFirst();
  return row?.value;
}

/** Of several processes that write it first, one does. */
export async function keepFirstFact(db: Db, name: Name, value: string): Promise<void> {
  await db.query
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

export async function setFact(db: Db, name: Name, value: string): Promise<void> {
  await db.query
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Changes a row of its own, so that something is written. */
export function noteWriteTried(db: Db, value: string): Promise<void> {
  return setFact(db, 'write_tried', value);
}
