/** Which phones have called and how they are doing, many in one statement. */
import type { Db } from '../schema.js';

export interface PhoneHealth {
  readonly battery: number | null;
  readonly charging: number | null;
  readonly network: string | null;
  readonly queued: number | null;
  readonly appVersion: string | null;
}

export interface PhoneCall {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  /** Null leaves what is known as it is; within it null means that the phone does not know. */
  readonly health: PhoneHealth | null;
}

/** Also their order in a row of values. */
const COLUMNS = {
  id: 'TEXT',
  seen: 'BIGINT',
  says: 'INTEGER',
  battery: 'INTEGER',
  charging: 'INTEGER',
  network: 'TEXT',
  queued: 'INTEGER',
  app_version: 'TEXT',
} as const;

const SAID = ['battery', 'charging', 'network', 'queued', 'app_version'] as const;

const texts = new Map<string, string>();

/** @param calls at least one, of each phone one. */
export async function noteCalls(db: Db, calls: readonly PhoneCall[]): Promise<void> {
  const name = `${db.engine} ${calls.length}`;
  const text = texts.get(name) ?? textFor(db, calls.length);
  texts.set(name, text);
  const parameters = calls.flatMap(({ id, seenAt, health }) => [
    id,
    seenAt,
    health === null ? 0 : 1,
    health?.battery ?? null,
    health?.charging ?? null,
    health?.network ?? null,
    health?.queued ?? null,
    health?.appVersion ?? null,
  ]);
  await db.execute(text, parameters);
}

function textFor({ engine }: Db, count: number): string {
  let next = 0;
  const mark = (type: string) => `CAST(${engine === 'postgres' ? `$${++next}` : '?'} AS ${type})`;
  const tuple = () => `(${Object.values(COLUMNS).map(mark).join(', ')})`;
  const tuples = Array.from({ length: count }, tuple).join(', ');
  const set = SAID.map(
    (column) => `${column} = CASE WHEN n.says = 1 THEN n.${column} ELSE devices.${column} END`,
  );
  return (
    `WITH n (${Object.keys(COLUMNS).join(', ')}) AS (VALUES ${tuples}) ` +
    `UPDATE devices SET last_seen_at = n.seen, ${set.join(', ')} FROM n WHERE devices.id = n.id`
  );
}
