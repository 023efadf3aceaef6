/** Alerts as rows, each once an incident. Knows no rule of the business and nothing of delivery. */
import { prepared } from '../compiled-query.js';
import { newInserter } from '../compiled-rows.js';
import type { AlertTable, Db } from '../schema/index.js';
import { newestFirst, type Page } from './list-position.js';
import { completes } from './proofs.js';

/** Inserts an alert. @returns false, and writes nothing, if the incident already exists. */
export const insertAlert = newInserter('alerts', 'incident');

/** @returns its id, or nothing where it was over before or never was. */
export const endAlertRow = prepared<{ incident: string; now: number }>()((db, value) =>
  db.query
    .updateTable('alerts')
    .set({ ended_at: value('now') })
    .where('incident', '=', value('incident'))
    .where('ended_at', 'is', null)
    .returning('id'),
);

/** Open alerts of a phone. */
export const openDeviceAlerts = prepared<{ device: string }>()((db, value) =>
  db.query
    .selectFrom('alerts')
    .where('device_id', '=', value('device'))
    .where('ended_at', 'is', null)
    .select(['id', 'kind', 'incident', 'detail', 'at']),
);

/** Open alerts of all phones. */
export function openAlertsOfDevices(db: Db) {
  return db.query
    .selectFrom('alerts')
    .where('ended_at', 'is', null)
    .where('device_id', 'is not', null)
    .select(['device_id', 'kind'])
    .execute();
}

/** Number of alerts of a kind about a phone, and how many of them have ended. */
export const countDeviceAlerts = prepared<{ device: string; kind: AlertTable['kind'] }>()((db, value) =>
  db.query
    .selectFrom('alerts')
    .where('device_id', '=', value('device'))
    .where('kind', '=', value('kind'))
    .select(({ fn }) => [
      fn.countAll<number | string>().as('raised'),
      fn.count<number | string>('ended_at').as('ended'),
    ]),
);

/** Open alerts of one kind. */
export function openAlertsOfKind(db: Db, kind: AlertTable['kind']) {
  return db.query
    .selectFrom('alerts')
    .where('ended_at', 'is', null)
    .where('kind', '=', kind)
    .select(['incident', 'detail'])
    .execute();
}

/** Payment data in the alert of a completed payment. */
export const paymentForAlert = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .innerJoin('transactions as t', completes)
    .where('s.id', '=', value('session'))
    .select(['s.gateway_reference', 's.cus_name', 'b.name as brand', 'b.merchant_id'])
    .select(['t.channel', 't.reference', 's.paid_paisa']),
);

/** Payment data in alerts of payments that are not completed. */
export const unpaidPaymentForAlert = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .where('s.id', '=', value('session'))
    .select(['s.gateway_reference', 's.cus_name', 's.amount_paisa', 's.fees'])
    .select(['s.takes_parts', 's.paid_paisa', 's.paid_fee_paisa'])
    .select(['b.name as brand', 'b.merchant_id']),
);

export interface AlertFilter extends Page {
  /** True to list open incidents only. */
  readonly isOpen: boolean;
  readonly deviceId: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Lists alerts with the names of phone and merchant, newest first. */
export function listedAlerts(db: Db, filter: AlertFilter) {
  let query = db.query
    .selectFrom('alerts as a')
    .leftJoin('devices as d', 'd.id', 'a.device_id')
    .leftJoin('merchants as m', 'm.id', 'a.merchant_id')
    .where('a.at', '>=', filter.since);
  if (filter.isOpen) query = query.where('a.ended_at', 'is', null);
  if (filter.deviceId !== null) query = query.where('a.device_id', '=', filter.deviceId);
  return query
    .$call(newestFirst('a.at', 'a.id', filter))
    .selectAll('a')
    .select(['d.name as device', 'm.name as merchant'])
    .execute();
}
