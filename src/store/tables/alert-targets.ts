/** Destinations of alerts, and the kinds that each receives. Contains no business rules. */
import type { Updateable } from 'kysely';
import { prepared } from '../compiled-query.js';
import { inserter } from '../compiled-rows.js';
import type { AlertTargetTable, Db } from '../schema/index.js';

/** Targets that are in use, the oldest first. */
export function activeTargets(db: Db) {
  return db.query
    .selectFrom('alert_targets')
    .where('removed_at', 'is', null)
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export const insertTarget = inserter('alert_targets');

/** @returns false where it was removed before. */
export async function removeTargetRow(db: Db, id: string, now: number): Promise<boolean> {
  const living = db.query.updateTable('alert_targets').where('id', '=', id).where('removed_at', 'is', null);
  return (await living.set({ removed_at: now }).returning('id').executeTakeFirst()) !== undefined;
}

/** Columns that select recipients. The always true `tells_payments in (0, 1)` makes the index apply. */
export const targetsForRouting = prepared<Record<never, never>>()((db) =>
  db.query
    .selectFrom('alert_targets')
    .where('removed_at', 'is', null)
    .where('tells_payments', 'in', [0, 1])
    .orderBy('created_at')
    .orderBy('id')
    .select(['id', 'events', 'quiet_from', 'quiet_until', 'quiet_all']),
);

/** @returns false if it was removed in the meantime. */
export async function changeTarget(db: Db, id: string, set: Updateable<AlertTargetTable>): Promise<boolean> {
  const living = db.query.updateTable('alert_targets').where('id', '=', id).where('removed_at', 'is', null);
  return (await living.set(set).returning('id').executeTakeFirst()) !== undefined;
}

/** Leaves a target alone until then: it has said that it takes no more for now. */
export const pauseTarget = prepared<{ id: string; until: number }>()((db, value) =>
  db.query
    .updateTable('alert_targets')
    .set({ paused_until: value('until') })
    .where('id', '=', value('id')),
);

/** Targets to which the summary of a day is due. @param late beyond that a clock has been set back. */
export const dueDaily = prepared<{ now: number; late: number }>()((db, value) =>
  db.query
    .selectFrom('alert_targets')
    .where('removed_at', 'is', null)
    .where(({ or, eb }) => or([eb('daily_due', '<=', value('now')), eb('daily_due', '>', value('late'))]))
    .select(['id', 'daily_at', 'daily_due']),
);

/** @returns nothing where another process was faster. */
export const nextDaily = prepared<{ id: string; due: number; next: number }>()((db, value) =>
  db.query
    .updateTable('alert_targets')
    .set({ daily_due: value('next') })
    .where('id', '=', value('id'))
    .where('daily_due', '=', value('due'))
    .returning('id'),
);
