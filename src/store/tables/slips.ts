/** What customers uploaded to show bank transfers, and the room that each brand has for it a day. */
import { sql } from 'kysely';
import { newInserter } from '../compiled-rows.js';
import type { Db, ReviewTable } from '../schema/index.js';

/** Keeps a slip; a review has one, the first that came. */
export const insertSlip = newInserter('slips', 'review_id');

export function findSlip(db: Db, review: string) {
  return db.query
    .selectFrom('slips')
    .where('review_id', '=', review)
    .select(['media_type', 'sha256', 'content'])
    .executeTakeFirst();
}

export async function markSlip(
  db: Db,
  reviews: readonly string[],
  slip: NonNullable<ReviewTable['slip']>,
): Promise<void> {
  await db.query.updateTable('reviews').set({ slip }).where('id', 'in', reviews).execute();
}

/** The claims of a session that wait for a person, and what became of each slip; null where none came. */
export function openSlips(db: Db, session: string) {
  return db.query
    .selectFrom('reviews')
    .where('session_id', '=', session)
    .where('state', '=', 'OPEN')
    .select(['channel', 'reference', 'slip'])
    .execute();
}

export interface SlipRoom {
  readonly brand: string;
  /** `2026-08-21`, of Bangladesh time. */
  readonly day: string;
  readonly bytes: number;
  /** Of all that day's slips together. */
  readonly mostBytes: number;
}

/**
 * Takes room of a brand's day in one statement, so that neither claims at the same moment nor several daemons
 * take more than there is. Where clocks disagree, the later day counts.
 * @returns false, and nothing is taken, where there is too little.
 */
export async function takeSlipRoom(db: Db, { brand, day, bytes, mostBytes }: SlipRoom): Promise<boolean> {
  if (bytes > mostBytes) return false;
  const isNewDay = sql<boolean>`slip_days.day < excluded.day`;
  const taken = await db.query
    .insertInto('slip_days')
    .values({ brand_id: brand, day, bytes })
    .onConflict((conflict) =>
      conflict
        .column('brand_id')
        .doUpdateSet({
          day: sql`case when ${isNewDay} then excluded.day else slip_days.day end`,
          bytes: sql`excluded.bytes + case when ${isNewDay} then 0 else slip_days.bytes end`,
        })
        .where(sql<boolean>`(${isNewDay} or slip_days.bytes + excluded.bytes <= ${mostBytes})`),
    )
    .returning('brand_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes the slips of claims that were decided before that time; the claims stay. @returns how many. */
export async function forgetSlips(db: Db, before: number, limit: number): Promise<number> {
  const rows = await db.query
    .selectFrom('reviews')
    .where('slip', '=', sql.lit('kept'))
    .where('decided_at', '<', before)
    .orderBy('decided_at')
    .limit(limit)
    .select('id')
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db.query.deleteFrom('slips').where('review_id', 'in', ids).execute();
  await markSlip(db, ids, 'forgotten');
  return ids.length;
}
