/**
 * Deletes data after its retention period, and nothing else: closed notifications with their attempts,
 * pairing codes, finished outbound SMS, idempotency keys, ended alerts and gaps, and untouched payments of
 * links. All other rows are evidence of money.
 */
import { sql } from 'kysely';
import type { Db, Schema } from '../schema/index.js';

/** A place in the list of all notifications, the oldest first. */
export interface DeletionCursor {
  readonly created_at: number;
  readonly id: string;
}

/** The next notifications that were made before that time. What may be forgotten of them is not judged. */
export function oldNotifications(
  db: Db,
  after: DeletionCursor,
  before: number,
  limit: number,
): Promise<DeletionCursor[]> {
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
 * Deletes notifications delivered or failed before that time, with their attempts; rows are locked when
 * checked. The last one of a payment that can still be completed stays. A completed payment keeps its number:
 * a later one, such as that of a refund, takes the next.
 * @param ids at least one. @returns number deleted.
 */
export async function forgetNotifications(db: Db, ids: readonly string[], before: number): Promise<number> {
  let query = db.query
    .selectFrom('notifications as n')
    .where('n.id', 'in', ids)
    .where('n.state', '!=', 'PENDING')
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
  const last = db.query
    .selectFrom('notifications')
    .where('id', 'in', over)
    .where('session_id', 'is not', null)
    .groupBy('session_id')
    .select(({ fn }) => ['session_id', fn.max<number>('sequence').as('sequence')])
    .as('last');
  await db.query
    .updateTable('sessions')
    .from(last)
    .whereRef('sessions.id', '=', 'last.session_id')
    .whereRef('sessions.deleted_sequence', '<', 'last.sequence')
    .set((column) => ({ deleted_sequence: column.ref('last.sequence') }))
    .execute();
  await db.query.deleteFrom('attempts').where('notification_id', 'in', over).execute();
  await db.query.deleteFrom('notifications').where('id', 'in', over).execute();
  return over.length;
}

/** A place in the list of payments that links have opened, the first to expire first. */
export interface ExpiredLinkPayment {
  readonly expires_at: number;
  readonly session_id: string;
}

/** The next payments of links that expired before that time. What may be forgotten of them is not judged. */
export async function expiredLinkPayments(
  db: Db,
  after: ExpiredLinkPayment,
  before: number,
  limit: number,
): Promise<ExpiredLinkPayment[]> {
  const rows = await db.query
    .selectFrom('link_payments')
    .where((where) =>
      where(where.refTuple('expires_at', 'session_id'), '>', where.tuple(after.expires_at, after.session_id)),
    )
    .where('expires_at', '<', before)
    .orderBy('expires_at')
    .orderBy('session_id')
    .limit(limit)
    .select(['expires_at', 'session_id'])
    .execute();
  return rows.map(({ expires_at, session_id }) => ({ expires_at: expires_at ?? 0, session_id }));
}

/**
 * Deletes untouched payments: closed without money, claim or review, and with all notifications closed before
 * `toldBefore`. The audit rows stay.
 * @param ids at least one. @returns number of deleted payments.
 */
export async function forgetLinkPayments(
  db: Db,
  ids: readonly string[],
  toldBefore: number,
): Promise<number> {
  let query = db.query
    .selectFrom('sessions as s')
    .where('s.id', 'in', ids)
    .where('s.status', '=', 'FAILED')
    .where('s.reason', 'in', ['expired', 'cancelled'])
    .where('s.misses', '=', 0)
    .where(({ not, exists, selectFrom }) => {
      const of = (table: 'claims' | 'transactions' | 'reviews') =>
        not(
          exists(
            selectFrom(table).whereRef(`${table}.session_id`, '=', 's.id').select(`${table}.session_id`),
          ),
        );
      return of('claims').and(of('transactions')).and(of('reviews'));
    })
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as n')
            .whereRef('n.session_id', '=', 's.id')
            .where(({ or, eb }) =>
              or([
                eb('n.state', '=', 'PENDING'),
                eb('n.closed_at', 'is', null),
                eb('n.closed_at', '>=', toldBefore),
              ]),
            )
            .select('n.id'),
        ),
      ),
    )
    .select('s.id');
  if (db.engine === 'postgres') query = query.modifyEnd(sql`for update of s skip locked`);
  const over = (await query.execute()).map(({ id }) => id);
  if (over.length === 0) return 0;
  const told = db.query.selectFrom('notifications').where('session_id', 'in', over).select('id');
  await db.query.deleteFrom('attempts').where('notification_id', 'in', told).execute();
  for (const table of ['notifications', 'quotes', 'codes', 'session_accounts', 'link_payments'] as const) {
    await db.query.deleteFrom(table).where('session_id', 'in', over).execute();
  }
  await db.query.deleteFrom('sessions').where('id', 'in', over).execute();
  return over.length;
}

/** Deletes pairing codes, used or not, that expired before that time. @returns how many. */
export const forgetCodes = forgetter('pairing_codes', 'code_hash', ['expires_at']);

/** Deletes outbound SMS that came to their end before that time. @returns how many. */
export const forgetDispatches = forgetter('dispatches', 'id', ['created_at', 'ended_at']);

/** Deletes gaps that were closed before that time. @returns how many. */
export const forgetGaps = forgetter('sms_gaps', 'id', ['found_at', 'closed_at']);

/** Deletes idempotency keys that were used before that time. @returns how many. */
export const forgetIdempotencyKeys = forgetter('idempotency_keys', 'key_hash', ['created_at']);

/** Deletes alerts that ended before that time, with their messages. @returns number of alerts. */
export async function forgetAlerts(db: Db, before: number, limit: number): Promise<number> {
  const old = db.query.selectFrom('alerts').where('at', '<', before).where('ended_at', '<', before);
  return forget(db, await old.orderBy('at').limit(limit).select('id').execute());
}

/** Deletes completed payments' alerts, one each, with their messages. @returns number of alerts. */
export async function forgetPaymentAlerts(db: Db, before: number, limit: number): Promise<number> {
  const told = db.query.selectFrom('alerts').where('kind', '=', sql.lit('payment.completed'));
  return forget(db, await told.where('at', '<', before).orderBy('at').limit(limit).select('id').execute());
}

async function forget(db: Db, over: readonly { readonly id: string }[]): Promise<number> {
  if (over.length === 0) return 0;
  const ids = over.map(({ id }) => id);
  const messages = db.query.selectFrom('alert_messages').where('alert_id', 'in', ids).select('id');
  await db.query.deleteFrom('button_presses').where('message_id', 'in', messages).execute();
  await db.query.deleteFrom('alert_messages').where('alert_id', 'in', ids).execute();
  await db.query.deleteFrom('alerts').where('id', 'in', ids).execute();
  return ids.length;
}

/**
 * @param times all of them must be over, and one that is null is not; the oldest by the first go first.
 * @returns a function that deletes some of the oldest rows and says how many.
 */
function forgetter<Table extends keyof Schema>(
  table: Table,
  key: keyof Schema[Table] & string,
  times: readonly [keyof Schema[Table] & string, ...(keyof Schema[Table] & string)[]],
) {
  return async (db: Db, before: number, limit: number): Promise<number> => {
    const over = sql.join(
      times.map((time) => sql`${sql.ref(time)} < ${before}`),
      sql` and `,
    );
    const old = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${over}`;
    const gone = await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} in (
        ${old} order by ${sql.ref(times[0])} limit ${limit}
      ) returning ${sql.ref(key)}`.execute(db.query);
    return gone.rows.length;
  };
}
