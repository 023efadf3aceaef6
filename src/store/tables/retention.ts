/**
 * What may be forgotten after a time, and nothing else: notifications that are over, their attempts, and
 * pairing codes. Money rests on all other rows.
 */
import { sql } from 'kysely';
import type { Db } from '../schema.js';

/**
 * Deletes notifications that were delivered or given up before that time, the oldest first, with their
 * attempts. They are locked before they are judged: somebody may be about to send one again.
 * @returns how many.
 */
export async function forgetNotifications(db: Db, before: number, limit: number): Promise<number> {
  let query = db.query
    .selectFrom('notifications')
    .where('created_at', '<', before)
    .where('state', '!=', 'DUE')
    .where('closed_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .select('id');
  if (db.engine === 'postgres') query = query.modifyEnd(sql`for update skip locked`);
  const ids = (await query.execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db.query.deleteFrom('attempts').where('notification_id', 'in', ids).execute();
  await db.query.deleteFrom('notifications').where('id', 'in', ids).execute();
  return ids.length;
}

/** Deletes pairing codes, used or not, that died before that time. @returns how many. */
export async function forgetCodes(db: Db, before: number, limit: number): Promise<number> {
  const gone = await db.query
    .deleteFrom('pairing_codes')
    .where('code_hash', 'in', (sub) =>
      sub.selectFrom('pairing_codes').where('expires_at', '<', before).limit(limit).select('code_hash'),
    )
    .returning('code_hash')
    .execute();
  return gone.length;
}
