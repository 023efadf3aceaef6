/** Each alert message as a row: one alert for one target. Knows no rule of the business. */
import { type ExpressionBuilder, sql } from 'kysely';
import { prepared, type QueryParam } from '../compiled-query.js';
import { inserter, newInserter } from '../compiled-rows.js';
import type {
  AlertMessageTable,
  AlertTable,
  ButtonPressTable,
  Db,
  HeldFor,
  Schema,
} from '../schema/index.js';
import { countRows } from './list-position.js';

/** Abandons all pending and held messages of a target. */
export async function giveUpMessages(db: Db, target: string, error: string): Promise<void> {
  await db.query
    .updateTable('alert_messages')
    .set({ state: 'FAILED', next_at: null, error })
    .where('target_id', '=', target)
    .where('state', 'in', ['PENDING', 'HELD'])
    .execute();
}

export const insertAlertMessage = inserter('alert_messages');

/** Targets for which something waits, when the first is due, and until when they want to be left alone. */
export const waitingTargets = prepared<Record<never, never>>()((db) =>
  db.query
    .selectFrom('alert_messages as m')
    .innerJoin('alert_targets as t', 't.id', 'm.target_id')
    .where('m.state', '=', 'PENDING')
    .groupBy(['m.target_id', 't.paused_until'])
    .select(({ fn }) => [
      'm.target_id',
      't.paused_until',
      fn.min<number>('m.next_at').as('first_at'),
      fn.max<number>('m.next_at').as('last_at'),
    ]),
);

/** The messages of a kind that a target was sent since then, or will be; not more than the limit. */
export const recentOfKind = prepared<{
  target: string;
  kind: AlertTable['kind'];
  since: number;
  limit: number;
}>()((db, value) =>
  db.query
    .selectFrom('alerts as a')
    .innerJoin('alert_messages as m', 'm.alert_id', 'a.id')
    .where('a.kind', '=', value('kind'))
    .where('a.at', '>', value('since'))
    .where('m.target_id', '=', value('target'))
    .limit(value('limit'))
    .select('m.id'),
);

/** Values of `isDue`. A time later than `never` was set by a clock that was ahead, so it counts as due. */
type DueAt = { now: number; never: number };

function isDue(value: QueryParam<DueAt>) {
  return ({ or, eb }: ExpressionBuilder<Schema, 'alert_messages'>) =>
    or([eb('next_at', '<=', value('now')), eb('next_at', '>', value('never'))]);
}

/** Next message of a target: urgent ones first, then the one that has waited longest. */
export const firstDue = prepared<DueAt & { target: string }>()((db, value) =>
  db.query
    .selectFrom('alert_messages')
    .where('target_id', '=', value('target'))
    .where('state', '=', 'PENDING')
    .where(isDue(value))
    .orderBy('urgent', 'desc')
    .orderBy('next_at')
    .orderBy('id')
    .limit(1)
    .select('id'),
);

/**
 * Leases a message, if it is still due, by moving its time: a message leased by a killed process becomes due
 * again automatically. @returns undefined if another process was faster.
 */
export const leaseMessage = prepared<DueAt & { id: string; until: number }>()((db, value) =>
  db.query
    .updateTable('alert_messages')
    .set({ next_at: value('until') })
    .where('id', '=', value('id'))
    .where('state', '=', 'PENDING')
    .where(isDue(value))
    .returning(['id', 'tries']),
);

/** A message with its alert and its target. */
export const messageInFull = prepared<{ id: string }>()((db, value) =>
  db.query
    .selectFrom('alert_messages as m')
    .innerJoin('alerts as a', 'a.id', 'm.alert_id')
    .innerJoin('alert_targets as t', 't.id', 'm.target_id')
    .leftJoin('devices as d', 'd.id', 'a.device_id')
    .leftJoin('merchants as mer', 'mer.id', 'a.merchant_id')
    .where('m.id', '=', value('id'))
    .select(['a.id as alert_id', 'a.kind', 'a.detail', 'a.at', 'a.device_id', 'd.name as device'])
    .select(['a.merchant_id', 'mer.name as merchant', 't.id as target_id', 't.secret', 't.hint'])
    .select(['t.buttons', 'm.id as message_id']),
);

/** Records the result of a delivery attempt, if the message still waits. */
export const settleMessage = prepared<{
  id: string;
  state: AlertMessageTable['state'];
  tries: number;
  nextAt: number | null;
  error: string | null;
}>()((db, value) =>
  db.query
    .updateTable('alert_messages')
    .set({ state: value('state'), tries: value('tries'), next_at: value('nextAt'), error: value('error') })
    .where('id', '=', value('id'))
    .where('state', '=', 'PENDING'),
);

/** Counts the messages of each target in the rarer states, each by its own index. */
export async function messageCounts(db: Db) {
  const count = async (state: 'PENDING' | 'HELD' | 'FAILED') => {
    const rows = await db.query
      .selectFrom('alert_messages')
      .where('state', '=', sql.lit(state))
      .groupBy('target_id')
      .select((column) => ['target_id', column.fn.countAll<number | string>().as('count')])
      .execute();
    return rows.map(({ target_id, count }) => ({ target_id, state, count: Number(count) }));
  };
  return [...(await count('PENDING')), ...(await count('HELD')), ...(await count('FAILED'))];
}

/** Lists the delivery state of these alerts. */
export function listAlertMessages(db: Db, alerts: readonly string[]) {
  if (alerts.length === 0) return Promise.resolve([]);
  return db.query
    .selectFrom('alert_messages as m')
    .innerJoin('alert_targets as t', 't.id', 'm.target_id')
    .where('m.alert_id', 'in', alerts)
    .orderBy('t.created_at')
    .orderBy('t.id')
    .select(['m.alert_id', 'm.target_id', 'm.state', 'm.tries', 'm.next_at', 'm.error', 't.kind', 't.hint'])
    .execute();
}

/** Lists alert messages abandoned since then, of targets that still exist, newest first. */
export function deadMessages(db: Db, since: number) {
  return db.query
    .selectFrom('alert_messages as m')
    .innerJoin('alerts as a', 'a.id', 'm.alert_id')
    .innerJoin('alert_targets as t', 't.id', 'm.target_id')
    .where('m.state', '=', sql.lit('FAILED'))
    .where('t.removed_at', 'is', null)
    .where('a.at', '>=', since)
    .orderBy('a.at', 'desc')
    .select(['t.id', 't.hint', 'm.error'])
    .execute();
}

/** Number of pending messages that were due before then. */
export function overdueMessages(db: Db, before: number): Promise<number> {
  const due = db.query.selectFrom('alert_messages').where('state', '=', 'PENDING');
  return countRows(due.where('next_at', '<', before));
}

/** Targets for which something was held, for whichever reason, for as long as it is to be. */
export const heldTargets = prepared<DueAt>()((db, value) =>
  db.query
    .selectFrom('alert_messages')
    .where('state', '=', 'HELD')
    .where(isDue(value))
    .groupBy(['target_id', 'held_for'])
    .select(['target_id', 'held_for']),
);

export type HeldAlert = Awaited<ReturnType<typeof heldAlerts>>[number];

/** Lists the alerts held for a target for that reason, newest first. */
export function heldAlerts(db: Db, target: string, reason: HeldFor) {
  return db.query
    .selectFrom('alert_messages as m')
    .innerJoin('alerts as a', 'a.id', 'm.alert_id')
    .leftJoin('devices as d', 'd.id', 'a.device_id')
    .where('m.target_id', '=', target)
    .where('m.state', '=', sql.lit('HELD'))
    .where('m.held_for', '=', reason)
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .select(['a.id', 'a.kind', 'a.detail', 'd.name as device'])
    .execute();
}

/** Ends the holding of all that waits for a target for that reason: as part of a summary, or due. */
export async function releaseHeld(
  db: Db,
  target: string,
  reason: HeldFor,
  to:
    | { readonly state: 'SUMMED'; readonly next_at: null }
    | { readonly state: 'PENDING'; readonly next_at: number },
): Promise<void> {
  const held = db.query.updateTable('alert_messages').where('target_id', '=', target);
  await held.where('state', '=', sql.lit('HELD')).where('held_for', '=', reason).set(to).execute();
}

/** Makes all held messages of a target due immediately. */
export async function releaseHeldAlerts(db: Db, target: string, now: number): Promise<void> {
  const held = db.query.updateTable('alert_messages').where('target_id', '=', target);
  await held.where('state', '=', sql.lit('HELD')).set({ next_at: now }).execute();
}

// Bots whose presses are read, and the buttons that were pressed.

/** Makes the row of a bot that nobody has read yet. */
export const insertPoll = newInserter('bot_polls', 'bot');

/**
 * Takes the bot for a while, where nobody else has it.
 * @param late no lease ends later: one that does was made by a clock that has been set back since.
 */
export const leasePoll = prepared<{
  bot: string;
  holder: string;
  now: number;
  until: number;
  late: number;
}>()((db, value) =>
  db.query
    .updateTable('bot_polls')
    .set({ holder: value('holder'), until: value('until') })
    .where('bot', '=', value('bot'))
    .where(({ or, eb }) =>
      or([
        eb('holder', '=', value('holder')),
        eb('until', '<=', value('now')),
        eb('until', '>', value('late')),
      ]),
    )
    .returning('next_update'),
);

/** Records the position of the poll. @param until end of the lease, after which another process may poll. */
export const recordPoll = prepared<{ bot: string; holder: string; until: number; next: number }>()(
  (db, value) =>
    db.query
      .updateTable('bot_polls')
      .set({ next_update: value('next'), until: value('until') })
      .where('bot', '=', value('bot'))
      .where('holder', '=', value('holder')),
);

/** Releases all polls of a process. */
export async function releasePolls(db: Db, holder: string): Promise<void> {
  await db.query.updateTable('bot_polls').set({ until: 0 }).where('holder', '=', holder).execute();
}

/** @returns false where that button of that message was pressed before, with the same facts. */
export const insertPress = newInserter('button_presses', 'message_id', 'action', 'facts');

export async function deletePress(db: Db, press: Pick<ButtonPressTable, 'message_id' | 'action' | 'facts'>) {
  const same = db.query.deleteFrom('button_presses').where('message_id', '=', press.message_id);
  await same.where('action', '=', press.action).where('facts', '=', press.facts).execute();
}

/** Finds the alert of a message, and its target. */
export function pressedMessage(db: Db, message: string) {
  return db.query
    .selectFrom('alert_messages as m')
    .innerJoin('alerts as a', 'a.id', 'm.alert_id')
    .where('m.id', '=', message)
    .select(['m.target_id', 'a.kind', 'a.detail'])
    .executeTakeFirst();
}
