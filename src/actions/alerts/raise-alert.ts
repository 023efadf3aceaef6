/** Raises an alert and ends it, inside the unit of work that finds the trouble: each incident once. */
import { newRowId } from '../../base/values/ids.js';
import { type AlertNews, lasts } from '../../domain/alerts/alert.js';
import type { Db } from '../../store/schema/index.js';
import { insertAlertMessage, livingTargets } from '../../store/tables/alert-messages.js';
import { endAlertRow, insertAlert } from '../../store/tables/alerts.js';
import type { Core } from '../core/core.js';

export type NewAlert = AlertNews & {
  readonly merchantId: string | null;
  readonly deviceId: string | null;
  /** Names the incident, as `device.offline:<device>:<last seen>`: of several that find it, one tells. */
  readonly incident: string;
};

/** @returns `known` where somebody has told of this incident before: then nothing is written. */
export async function raiseAlert(core: Core, db: Db, alert: NewAlert): Promise<'raised' | 'known'> {
  const { kind, merchantId, deviceId, incident, detail } = alert;
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'alert');
  const written = await insertAlert.first(db, {
    id,
    kind,
    merchantId,
    deviceId,
    incident,
    detail: JSON.stringify(detail),
    at: now,
    endedAt: lasts(kind) ? null : now,
  });
  if (written === undefined) return 'known';
  for (const target of await livingTargets(db)) {
    const message = newRowId(core.random, now, 'message');
    await insertAlertMessage.all(db, { id: message, alert: id, target: target.id, now });
  }
  return 'raised';
}

/** Notes that the trouble is over. @returns `not_open` where it was before, or never was. */
export async function endAlert(core: Core, db: Db, incident: string): Promise<'ended' | 'not_open'> {
  const ended = await endAlertRow.first(db, { incident, now: core.clock.now() });
  return ended === undefined ? 'not_open' : 'ended';
}
