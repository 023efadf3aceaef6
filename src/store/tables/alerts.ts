/** Alerts as rows, each once an incident. Knows no rule of the business and nothing of how they are told. */
import { sql } from 'kysely';
import { hot } from '../hot.js';
import type { AlertTable, Db } from '../schema.js';

/** Writes an alert unless its incident is known. @returns its id, or nothing. */
export const insertAlert = hot<{
  id: string;
  kind: AlertTable['kind'];
  merchantId: string | null;
  deviceId: string | null;
  incident: string;
  detail: string;
  at: number;
  endedAt: number | null;
}>()((db, value) =>
  db.query
    .insertInto('alerts')
    .values({
      id: value.id,
      kind: value.kind,
      merchant_id: value.merchantId,
      device_id: value.deviceId,
      incident: value.incident,
      detail: value.detail,
      at: value.at,
      ended_at: value.endedAt,
    })
    .onConflict((conflict) => conflict.column('incident').doNothing())
    .returning('id'),
);

/** @returns its id, or nothing where it was over before or never was. */
export const endAlertRow = hot<{ incident: string; now: number }>()((db, value) =>
  db.query
    .updateTable('alerts')
    .set({ ended_at: value.now })
    .where('incident', '=', value.incident)
    .where('ended_at', 'is', null)
    .returning('id'),
);

/** What troubles a phone now. */
export const openAlertsOf = hot<{ device: string }>()((db, value) =>
  db.query
    .selectFrom('alerts')
    .where('device_id', '=', value.device)
    .where('ended_at', 'is', null)
    .select(['id', 'kind', 'incident', 'detail', 'at']),
);

/** What troubles phones now, of all of them. */
export function openAlertsOfDevices(db: Db) {
  return db.query
    .selectFrom('alerts')
    .where('ended_at', 'is', null)
    .where('device_id', 'is not', null)
    .select(['device_id', 'kind'])
    .execute();
}

/** The last alert of a kind about a phone. */
export const lastAlertOf = hot<{ device: string; kind: AlertTable['kind'] }>()((db, value) =>
  db.query
    .selectFrom('alerts')
    .where('device_id', '=', value.device)
    .where('kind', '=', value.kind)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .select(['id', 'ended_at']),
);

/** Where alerts are told now. */
export function livingTargets(db: Db) {
  return db.query
    .selectFrom('alert_targets')
    .where('removed_at', 'is', null)
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** An alert that is to be told. */
export const insertAlertMessage = hot<{ id: string; alert: string; target: string; now: number }>()(
  (db, value) =>
    db.query.insertInto('alert_messages').values({
      id: value.id,
      alert_id: value.alert,
      target_id: value.target,
      state: sql.lit('DUE'),
      tries: sql.lit(0),
      next_at: value.now,
      error: null,
    }),
);
