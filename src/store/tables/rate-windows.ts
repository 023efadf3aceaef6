/**
 * What callers have used of a limit within a minute, over all daemons on one PostgreSQL. By the server's
 * clock, which is one for all of them. A window may end a little later than a whole length from now: another
 * daemon began it after this statement had read the clock. One that ends two lengths from now or later was
 * made before that clock was set back, and is over.
 */
import type { Db } from '../schema/index.js';

export interface Used {
  /** All that was taken in this window. */
  readonly used: number;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

const NOW = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';
const IS_OPEN = 'w.ends_at > excluded.ends_at - $3 AND w.ends_at < excluded.ends_at + $3';

const TAKE = `INSERT INTO rate_windows AS w (caller, used, ends_at)
  VALUES ($1, $2, ${NOW} + CAST($3 AS BIGINT))
  ON CONFLICT (caller) DO UPDATE SET
    used = excluded.used + CASE WHEN ${IS_OPEN} THEN w.used ELSE 0 END,
    ends_at = CASE WHEN ${IS_OPEN} THEN w.ends_at ELSE excluded.ends_at END
  RETURNING used, ends_at - ${NOW} AS "leftMs"`;

const LOOK = `SELECT used, ends_at - ${NOW} AS "leftMs" FROM rate_windows
  WHERE caller = $1 AND ends_at > ${NOW} AND ends_at < ${NOW} + 2 * CAST($2 AS BIGINT)`;

const FORGET = `DELETE FROM rate_windows WHERE ends_at < ${NOW}`;

export interface Window {
  readonly caller: string;
  /** Milliseconds. */
  readonly length: number;
}

/** Takes so many places of the window, which begins now where none is open. @returns how it is afterwards. */
export async function takePlaces(db: Db, { caller, length }: Window, places: number): Promise<Used> {
  const [taken] = await db.execute<Used>(TAKE, [caller, places, length]);
  if (taken === undefined) throw new Error('PostgreSQL returned no row of an upsert');
  return taken;
}

/** @returns undefined where no window is open. */
export async function usedPlaces(db: Db, { caller, length }: Window): Promise<Used | undefined> {
  return (await db.execute<Used>(LOOK, [caller, length]))[0];
}

/** Deletes the windows that are over. */
export async function forgetWindows(db: Db): Promise<void> {
  await db.execute(FORGET, []);
}
