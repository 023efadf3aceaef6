/** What really stands in the tables, for tests that look behind the actions. */
import type { Core } from '../../../src/actions/core/core.js';
import type { Schema } from '../../../src/store/schema/index.js';

const TABLES: readonly (keyof Schema)[] = [
  'merchants',
  'brands',
  'brand_keys',
  'accounts',
  'devices',
  'device_sims',
  'pairing_codes',
  'audit',
];

/** @returns every row that an operator's commands write, as one text: whatever is not in it is not stored. */
export async function everyRow(core: Core): Promise<string> {
  const rows = await core.store.read(async (db) => {
    const all: unknown[] = [];
    for (const table of TABLES) all.push(await db.query.selectFrom(table).selectAll().execute());
    return all;
  });
  return JSON.stringify(rows);
}

/** @returns the audit of one row, the oldest first; of one moment in no particular order. */
export function auditOf(core: Core, subject: string) {
  return core.store.read((db) =>
    db.query
      .selectFrom('audit')
      .selectAll()
      .where('subject', '=', subject)
      .orderBy('at')
      .orderBy('id')
      .execute(),
  );
}
