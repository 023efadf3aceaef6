/** How much strangers have used of their budget, by name and day. Knows no limit. */
import { sql } from 'kysely';
import { hot } from '../compiled-query.js';
import type { Db } from '../schema/index.js';

export interface StrangerUsed {
  readonly name: string;
  /** `2026-08-21`, of Bangladesh time. */
  readonly day: string;
  /** Of that day. */
  readonly most: number;
}

/**
 * Takes one place of a day in one statement, so that neither requests at the same moment nor several daemons
 * take more than there are. Where clocks disagree, the later day counts.
 * @returns false, and nothing is taken, where there is none left.
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

/** What the brand is called that strangers came to. */
export const strangersBrand = hot<{ id: string }>()((db, value) =>
  db.query.selectFrom('brands').where('id', '=', value('id')).select('name'),
);

/** Deletes what was used before that day. @returns how many rows. */
export async function forgetStrangerUses(db: Db, day: string, limit: number): Promise<number> {
  const old = db.query.selectFrom('stranger_uses').where('day', '<', day).limit(limit).select('name');
  const gone = await db.query.deleteFrom('stranger_uses').where('name', 'in', old).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
