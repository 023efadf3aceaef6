/** Stores heartbeats of phones, many in one statement. */
import { runWith } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';

/** What is undefined the phone does not say, which leaves what is known; null: it does not know. */
export interface PhoneHealth {
  /** Percent, 0 to 100. */
  readonly battery?: number | null | undefined;
  readonly charging?: number | null | undefined;
  readonly network?: string | null | undefined;
  /** Messages that wait on the phone. */
  readonly queued?: number | null | undefined;
  readonly appVersion?: string | null | undefined;
  /** Its problem, as reported by the phone; null: none. */
  readonly trouble?: string | null | undefined;
  /** JSON list of what its modems say (domain/devices/modem-reading); null: it has none. */
  readonly modems?: string | null | undefined;
  /** How far its clock is ahead of ours in milliseconds, and since when that is so, by our clock. */
  readonly clockOffsetMs?: number | undefined;
  readonly clockSince?: number | undefined;
}

export interface PhoneCall {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  /** Null leaves all that is known as it is. */
  readonly health: PhoneHealth | null;
}

/** All that a phone may say: field, column and its type; the place of each is its bit in `says`. */
const SAID = [
  ['battery', 'battery', 'INTEGER'],
  ['charging', 'charging', 'INTEGER'],
  ['network', 'network', 'TEXT'],
  ['queued', 'queued', 'INTEGER'],
  ['appVersion', 'app_version', 'TEXT'],
  ['trouble', 'trouble', 'TEXT'],
  ['modems', 'modems', 'TEXT'],
  ['clockOffsetMs', 'clock_offset_ms', 'BIGINT'],
  ['clockSince', 'clock_since', 'BIGINT'],
] as const;

/** @param calls at least one, of each phone one. */
export async function noteCalls(db: Db, calls: readonly PhoneCall[]): Promise<void> {
  const names = ['id', 'seen', 'says', ...SAID.map(([, column]) => column)];
  const set = SAID.map(
    ([, column], bit) =>
      `${column} = CASE WHEN (n.says & ${1 << bit}) <> 0 THEN n.${column} ELSE devices.${column} END`,
  );
  await runWith(db, (bind) => {
    const cast = (value: unknown, type: string) => `CAST(${bind(value)} AS ${type})`;
    const tuples = calls.map(({ id, seenAt, health }) => {
      const says = SAID.reduce(
        (bits, [field], bit) => (health?.[field] === undefined ? bits : bits | (1 << bit)),
        0,
      );
      const said = SAID.map(([field, , type]) => cast(health?.[field], type));
      return `(${[cast(id, 'TEXT'), cast(seenAt, 'BIGINT'), cast(says, 'INTEGER'), ...said]})`;
    });
    return `WITH n (${names}) AS (VALUES ${tuples})
      UPDATE devices SET last_seen_at = n.seen, ${set} FROM n WHERE devices.id = n.id`;
  });
}
