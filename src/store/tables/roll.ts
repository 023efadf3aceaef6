/** Which phones have called and how they are doing, many in one statement. */
import type { Db } from '../schema/index.js';

/** What is undefined the phone does not say, which leaves what is known; null: it does not know. */
export interface PhoneHealth {
  readonly battery?: number | null | undefined;
  readonly charging?: number | null | undefined;
  readonly network?: string | null | undefined;
  readonly queued?: number | null | undefined;
  readonly appVersion?: string | null | undefined;
  readonly trouble?: string | null | undefined;
}

export interface PhoneCall {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  /** Null leaves all that is known as it is. */
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
  trouble: 'TEXT',
} as const;

/** Column and field of all that a phone may say; the place of each is its bit in `says`. */
const SAID = [
  ['battery', 'battery'],
  ['charging', 'charging'],
  ['network', 'network'],
  ['queued', 'queued'],
  ['app_version', 'appVersion'],
  ['trouble', 'trouble'],
] as const;

const texts = new Map<string, string>();

/** @param calls at least one, of each phone one. */
export async function noteCalls(db: Db, calls: readonly PhoneCall[]): Promise<void> {
  const name = `${db.engine} ${calls.length}`;
  const text = texts.get(name) ?? textFor(db, calls.length);
  texts.set(name, text);
  const parameters = calls.flatMap(({ id, seenAt, health }) => [
    id,
    seenAt,
    SAID.reduce((says, [, field], bit) => (health?.[field] === undefined ? says : says | (1 << bit)), 0),
    ...SAID.map(([, field]) => health?.[field] ?? null),
  ]);
  await db.execute(text, parameters);
}

function textFor({ engine }: Db, count: number): string {
  let next = 0;
  const mark = (type: string) => `CAST(${engine === 'postgres' ? `$${++next}` : '?'} AS ${type})`;
  const tuple = () => `(${Object.values(COLUMNS).map(mark).join(', ')})`;
  const tuples = Array.from({ length: count }, tuple).join(', ');
  const set = SAID.map(
    ([column], bit) =>
      `${column} = CASE WHEN (n.says & ${1 << bit}) <> 0 THEN n.${column} ELSE devices.${column} END`,
  );
  return (
    `WITH n (${Object.keys(COLUMNS).join(', ')}) AS (VALUES ${tuples}) ` +
    `UPDATE devices SET last_seen_at = n.seen, ${set.join(', ')} FROM n WHERE devices.id = n.id`
  );
}
