/** Raises an alert and ends it, inside the unit of work that finds the problem: each incident once. */
import { newRowId } from '../../base/values/ids.js';
import { type AlertEvent, lasts } from '../../domain/alerts/alert.js';
import type { Db } from '../../store/schema/index.js';
import { activeTargets, insertAlertMessage } from '../../store/tables/alert-messages.js';
import { endAlertRow, insertAlert } from '../../store/tables/alerts.js';
import type { Means } from '../core/core.js';

export type NewAlert = AlertEvent & {
  readonly merchantId: string | null;
  /** Absent where it is about no phone. */
  readonly deviceId?: string | null;
  /** Names the incident, as `device.offline:<device>:<last seen>`: only the first to find it raises it. */
  readonly incident: string;
};

/** @returns `known` if this incident was raised before: then nothing is written. */
export async function raiseAlert(core: Means, db: Db, alert: NewAlert): Promise<'raised' | 'known'> {
  const { kind, merchantId, deviceId = null, incident, detail } = alert;
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'alert');
  const isNew = await insertAlert(db, {
    ...{ id, kind, merchant_id: merchantId, device_id: deviceId, incident },
    ...{ detail: JSON.stringify(detail), at: now, ended_at: lasts(kind) ? null : now },
  });
  if (!isNew) return 'known';
  for (const target of await activeTargets(db)) {
    await insertAlertMessage(db, {
      ...{ id: newRowId(core.random, now, 'message'), alert_id: id, target_id: target.id },
      ...{ state: 'DUE', tries: 0, next_at: now, error: null },
    });
  }
  return 'raised';
}

/** Ends the incident. @returns `not_open` where it was before, or never was. */
export async function endAlert(core: Means, db: Db, incident: string): Promise<'ended' | 'not_open'> {
  const ended = await endAlertRow.first(db, { incident, now: core.clock.now() });
  return ended === undefined ? 'not_open' : 'ended';
}
