/**
 * What may be forgotten after a time, and nothing else: notifications that are over with their attempts,
 * pairing codes, outbound SMS that are over, and alerts and gaps that are. Money rests on all other rows.
 */
import { sql } from 'kysely';
import type { Db, Schema } from '../schema/index.js';

/** A place in the list of all notifications, the oldest first. */
export interface Place {
  readonly created_at: number;
  readonly id: string;
}

/** The next notifications that were made before that time. What may be forgotten of them is not judged. */
export function oldNotifications(db: Db, after: Place, before: number, limit: number): Promise<Place[]> {
  return db.query
    .selectFrom('notifications')
    .where((where) => where(where.refTuple('created_at', 'id'), '>', where.tuple(after.created_at, after.id)))
    .where('created_at', '<', before)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .select(['created_at', 'id'])
    .execute();
}

/**
 * Deletes those that were delivered or given up before that time, with their attempts. The last one of a
 * payment that may yet be completed stays: receivers go by the sequence, and the next one counts on from it.
 * They are locked as they are judged: somebody may be about to send one again.
 * @param ids at least one. @returns how many were deleted.
 */
export async function forgetNotifications(db: Db, ids: readonly string[], before: number): Promise<number> {
  let query = db.query
    .selectFrom('notifications as n')
    .where('n.id', 'in', ids)
    .where('n.state', '!=', 'DUE')
    .where('n.closed_at', '<', before)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('n.session_id', 'is', null),
        exists(
          selectFrom('notifications as later')
            .whereRef('later.session_id', '=', 'n.session_id')
            .whereRef('later.sequence', '>', 'n.sequence')
            .select('later.id'),
        ),
        exists(
          selectFrom('sessions as s')
            .whereRef('s.id', '=', 'n.session_id')
            .where('s.status', '=', 'COMPLETED')
            .select('s.id'),
        ),
      ]),
    )
    .select('n.id');
  if (db.engine === 'postgres') query = query.modifyEnd(sql`for update of n skip locked`);
  const over = (await query.execute()).map(({ id }) => id);
  if (over.length === 0) return 0;
  await db.query.deleteFrom('attempts').where('notification_id', 'in', over).execute();
  await db.query.deleteFrom('notifications').where('id', 'in', over).execute();
  return over.length;
}

/** Deletes pairing codes, used or not, that died before that time. @returns how many. */
export function forgetCodes(db: Db, before: number, limit: number): Promise<number> {
  return forgetOld(db, { table: 'pairing_codes', key: 'code_hash', times: ['expires_at'], before, limit });
}

/** Deletes outbound SMS that came to their end before that time. @returns how many. */
export function forgetDispatches(db: Db, before: number, limit: number): Promise<number> {
  const times = ['created_at', 'ended_at'] as const;
  return forgetOld(db, { table: 'dispatches', key: 'id', times, before, limit });
}

/** Deletes alerts that were over before that time, with what was sent of them. @returns how many alerts. */
export async function forgetAlerts(db: Db, before: number, limit: number): Promise<number> {
  const over = await db.query
    .selectFrom('alerts')
    .where('at', '<', before)
    .where('ended_at', '<', before)
    .orderBy('at')
    .limit(limit)
    .select('id')
    .execute();
  if (over.length === 0) return 0;
  const ids = over.map(({ id }) => id);
  await db.query.deleteFrom('alert_messages').where('alert_id', 'in', ids).execute();
  await db.query.deleteFrom('alerts').where('id', 'in', ids).execute();
  return ids.length;
}

/** Deletes gaps that were closed before that time. @returns how many. */
export function forgetGaps(db: Db, before: number, limit: number): Promise<number> {
  const times = ['found_at', 'closed_at'] as const;
  return forgetOld(db, { table: 'sms_gaps', key: 'id', times, before, limit });
}

interface Old<Table extends keyof Schema> {
  readonly table: Table;
  readonly key: keyof Schema[Table] & string;
  /** All of them must be over; the oldest by the first go first. */
  readonly times: readonly [keyof Schema[Table] & string, ...(keyof Schema[Table] & string)[]];
  readonly before: number;
  readonly limit: number;
}

/** Deletes some of the oldest rows. A time that is null is not over. @returns how many. */
async function forgetOld<Table extends keyof Schema>(db: Db, old: Old<Table>): Promise<number> {
  const { table, times, before, limit } = old;
  const key = sql.ref(old.key);
  const over = sql.join(
    times.map((time) => sql`${sql.ref(time)} < ${before}`),
    sql` and `,
  );
  const gone = await sql`
    delete from ${sql.table(table)} where ${key} in (
      select ${key} from ${sql.table(table)} where ${over} order by ${sql.ref(times[0])} limit ${limit}
    ) returning ${key}`.execute(db.query);
  return gone.rows.length;
}
