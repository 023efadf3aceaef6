/** Facts about the installation that a store belongs to. Knows none of them. */
import { newInserter, upserter } from '../compiled-rows.js';
import type { Db, InstallationTable } from '../schema/index.js';

type Name = InstallationTable['name'];

/** @returns undefined if the fact is not stored. */
export async function installationFact(db: Db, name: Name): Promise<string | undefined> {
  const row = await db.query
    .selectFrom('installation')
    .where('name', '=', name)
    .select('value')
    .executeTakeFirst();
  return row?.value;
}

/** Stores a fact only if it is missing. @returns true for one of several processes that store it first. */
export function keepFirstFact(db: Db, name: Name, value: string): Promise<boolean> {
  return insertFact(db, { name, value });
}

const insertFact = newInserter('installation', 'name');

/**
 * Stores a fact if it has not changed since it was read.
 * @param change.before value that was read; undefined if it was missing
 */
export async function keepFact(
  db: Db,
  name: Name,
  { before, value }: { readonly before: string | undefined; readonly value: string },
): Promise<void> {
  if (before === undefined) await keepFirstFact(db, name, value);
  else {
    const changing = db.query.updateTable('installation').set({ value });
    await changing.where('name', '=', name).where('value', '=', before).execute();
  }
}

export async function setFact(db: Db, name: Name, value: string): Promise<void> {
  await putFact.all(db, { name, value });
}

const putFact = upserter('installation', { key: ['name'], news: ['value'], returning: 'name' });

export async function removeFact(db: Db, name: Name): Promise<void> {
  await db.query.deleteFrom('installation').where('name', '=', name).execute();
}
