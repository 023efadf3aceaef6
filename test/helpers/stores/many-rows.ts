/** A row of a table many times over, as a store has them after years. */
import type { Core } from '../../../src/actions/core/core.js';
import { insertMany } from '../../../src/store/compiled-rows.js';

const BATCH = 500;

/** The tables of lists that never end, with the columns of which no two rows may have the same. */
const UNIQUE = {
  sessions: ['gateway_reference'],
  sms: ['dedupe_key'],
  reviews: ['reference'],
  notifications: ['session_id'],
  pushes: ['reference', 'dedupe_key'],
  dispatches: [],
  alerts: ['incident'],
  sms_gaps: ['sms_id'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ListedTable = keyof typeof UNIQUE;

/**
 * Copies the first row of a table until there are `count` of it, all of the very same moment: only their ids
 * say in which order they come.
 */
export async function multiply(core: Core, table: ListedTable, count: number): Promise<void> {
  const rows = await core.store.read((db) => db.query.selectFrom(table).selectAll().execute());
  const row: Readonly<Record<string, unknown>> | undefined = rows[0] && { ...rows[0] };
  if (row === undefined) throw new Error(`${table} has no row to copy`);
  const copies = Array.from({ length: count - rows.length }, (_, at) => copyOf(table, row, at));
  for (let from = 0; from < copies.length; from += BATCH) {
    const some = copies.slice(from, from + BATCH);
    // Which table it is, only the caller knows.
    await core.store.write((db) => insertMany(db, table as 'sms', some, 'id'));
  }
}

function copyOf(table: ListedTable, row: Readonly<Record<string, unknown>>, at: number) {
  const id = `${row.id}.${String(at).padStart(7, '0')}`;
  // A notification of no payment is one of its own.
  const own = UNIQUE[table].map((column) => [column, column === 'session_id' ? null : id]);
  return { ...row, ...Object.fromEntries(own), id } as { id: string };
}
