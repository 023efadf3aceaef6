/** A row of a table many times over, as a store has them after years. */
import type { Core } from '../../../src/actions/core/core.js';

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

/** Numbers from 0, seven digits each, in the words of both engines. */
const NUMBERED = `WITH RECURSIVE n (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at + 1 < COUNT),
  numbered AS (SELECT '.' || substr(CAST(10000000 + at AS TEXT), 2) AS suffix FROM n)`;

/**
 * Copies the first row of a table until there are `count` of it, all of the very same moment: only their ids
 * say in which order they come.
 */
export async function multiply(core: Core, table: ListedTable, count: number): Promise<void> {
  const rows = await core.store.read((db) => db.query.selectFrom(table).selectAll().execute());
  const row: Readonly<Record<string, unknown>> | undefined = rows[0] && { ...rows[0] };
  if (row === undefined) throw new Error(`${table} has no row to copy`);
  const own: readonly string[] = UNIQUE[table];
  const copied = (column: string) => {
    // A notification of no payment is one of its own.
    if (column === 'session_id' && own.includes(column)) return 'NULL';
    return column === 'id' || own.includes(column) ? `'${row.id}' || suffix` : `one.${column}`;
  };
  const columns = Object.keys(row);
  const copies = `INSERT INTO ${table} (${columns.join(', ')})
    ${NUMBERED.replace('COUNT', String(count - rows.length))}
    SELECT ${columns.map(copied).join(', ')} FROM numbered CROSS JOIN ${table} AS one WHERE one.id = '${row.id}'`;
  await core.store.write((db) => db.execute(copies, []));
}
