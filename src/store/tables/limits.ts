/** Use of limits: by callers within a minute, and by strangers within a day. Knows no limit itself. */
import { sql } from 'kysely';
import { prepared } from '../compiled-query.js';
import type { Db } from '../schema/index.js';

// What callers have used of a limit within a minute, over all daemons on one PostgreSQL. By the server's
// clock, which is one for all of them. A window may end a little later than a whole length from now:
// another daemon began it after this statement had read the clock. One that ends two lengths from now or
// later was made before that clock was set back, and is over.

export interface WindowUsage {
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

/** Takes N places of the window, which starts now if none is open. @returns the usage afterwards. */
export async function takePlaces(db: Db, { caller, length }: Window, places: number): Promise<WindowUsage> {
  const [taken] = await db.execute<WindowUsage>(TAKE, [caller, places, length]);
  if (taken === undefined) throw new Error('PostgreSQL returned no row of an upsert');
  return taken;
}

/** @returns undefined where no window is open. */
export async function usedPlaces(db: Db, { caller, length }: Window): Promise<WindowUsage | undefined> {
  return (await db.execute<WindowUsage>(LOOK, [caller, length]))[0];
}

/** Deletes the windows that are over. */
export async function forgetWindows(db: Db): Promise<void> {
  await db.execute(FORGET, []);
}

// How much strangers have used of their budget, by name and day.

interface StrangerUsed {
  readonly name: string;
  /** `2026-08-21`, of Bangladesh time. */
  readonly day: string;
  /** Limit of that day. */
  readonly most: number;
}

/**
 * Takes one place of a day in one statement, so that neither concurrent requests nor several daemons exceed
 * the limit. If clocks disagree, the later day counts.
 * @returns false, and takes nothing, if none is left.
 */
export async function takeStrangerPlace(db: Db, { name, day, most }: StrangerUsed): Promise<boolean> {
  const isNewDay = sql<boolean>`stranger_uses.day < excluded.day`;
  const taken = await db.query
    .insertInto('stranger_uses')
    .values({ name, day, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          day: sql`case when ${isNewDay} then excluded.day else stranger_uses.day end`,
          used: sql`1 + case when ${isNewDay} then 0 else stranger_uses.used end`,
        })
        .where(sql<boolean>`(${isNewDay} or stranger_uses.used < ${most})`),
    )
    .returning('name')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Name of the brand that strangers used. */
export const strangersBrand = prepared<{ id: string }>()((db, value) =>
  db.query.selectFrom('brands').where('id', '=', value('id')).select('name'),
);

/** Deletes the usage of earlier days. @returns number of deleted rows. */
export async function forgetStrangerUses(db: Db, day: string, limit: number): Promise<number> {
  const old = db.query.selectFrom('stranger_uses').where('day', '<', day).limit(limit).select('name');
  const gone = await db.query.deleteFrom('stranger_uses').where('name', 'in', old).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
