/** Alerts as rows, each once an incident. Knows no rule of the business and nothing of delivery. */
import { hot } from '../compiled-query.js';
import type { AlertTable, Db } from '../schema/index.js';
import { olderThan, type Page } from './place.js';

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

/** How many alerts of a kind there were about a phone, and how many of them are over. */
export const countAlertsOf = hot<{ device: string; kind: AlertTable['kind'] }>()((db, value) =>
  db.query
    .selectFrom('alerts')
    .where('device_id', '=', value.device)
    .where('kind', '=', value.kind)
    .select(({ fn }) => [
      fn.countAll<number | string>().as('raised'),
      fn.count<number | string>('ended_at').as('ended'),
    ]),
);

export interface AlertFilter extends Page {
  /** Only what still troubles. */
  readonly isOpen: boolean;
  readonly deviceId: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Alerts with the names of what they are about, the newest first. */
export function listedAlerts(db: Db, { isOpen, deviceId, since, after, limit }: AlertFilter) {
  let query = db.query
    .selectFrom('alerts as a')
    .leftJoin('devices as d', 'd.id', 'a.device_id')
    .leftJoin('merchants as m', 'm.id', 'a.merchant_id')
    .where('a.at', '>=', since);
  if (isOpen) query = query.where('a.ended_at', 'is', null);
  if (deviceId !== null) query = query.where('a.device_id', '=', deviceId);
  if (after !== null) query = query.where(olderThan('a.at', 'a.id', after));
  return query
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit)
    .selectAll('a')
    .select(['d.name as device', 'm.name as merchant'])
    .execute();
}
