/** Raises an alert and ends it, inside the unit of work that finds the problem: each incident once. */
import { newRowId } from '../../base/values/ids.js';
import { type AlertEvent, kindFacts } from '../../domain/alerts/alert.js';
import { isChosen } from '../../domain/alerts/alert-choice.js';
import { quietUntil } from '../../domain/alerts/quiet-hours.js';
import type { AlertTargetTable, Db } from '../../store/schema/index.js';
import { insertAlertMessage } from '../../store/tables/alert-messages.js';
import { hearingTargets } from '../../store/tables/alert-targets.js';
import { endAlertRow, insertAlert } from '../../store/tables/alerts.js';
import { testBrandOf } from '../../store/tables/test-brands.js';
import type { Means } from '../core/core.js';

export type NewAlert = AlertEvent & {
  readonly merchantId: string | null;
  /** Absent where it is about no phone. */
  readonly deviceId?: string | null;
  /** Names the incident, as `device.offline:<device>:<last seen>`: only the first to find it raises it. */
  readonly incident: string;
};

/**
 * @param only a target for which it was made, whatever the target has chosen; absent for all who want it.
 * @returns `known` if this incident was raised before, or is one of a brand for tests, of which owners hear
 *   nothing: then nothing is written.
 */
export async function raiseAlert(
  core: Means,
  db: Db,
  alert: NewAlert,
  only?: string,
): Promise<'raised' | 'known'> {
  const { kind, merchantId, deviceId = null, incident, detail } = alert;
  const isOfTests =
    merchantId !== null && (await testBrandOf.first(db, { merchant: merchantId })) !== undefined;
  if (isOfTests) return 'known';
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'alert');
  const isNew = await insertAlert(db, {
    ...{ id, kind, merchant_id: merchantId, device_id: deviceId, incident },
    ...{ detail: JSON.stringify(detail), at: now, ended_at: kindFacts(kind).lasts ? null : now },
  });
  if (!isNew) return 'known';
  for (const target of await hearingTargets.all(db, {})) {
    const isMeant = only === undefined ? isChosen(target.events, kind) : target.id === only;
    if (!isMeant) continue;
    const heldUntil = only === undefined ? holdOf(target, alert, now) : null;
    await insertAlertMessage(db, {
      ...{ id: newRowId(core.random, now, 'message'), alert_id: id, target_id: target.id, tries: 0 },
      ...{ state: heldUntil === null ? 'DUE' : 'HELD', next_at: heldUntil ?? now, error: null },
    });
  }
  return 'raised';
}

type Hours = Pick<AlertTargetTable, 'quiet_from' | 'quiet_until' | 'quiet_all'>;

/** @returns until when it is kept from the target; null for not at all. */
function holdOf(
  { quiet_from: from, quiet_until: until, quiet_all: all }: Hours,
  { kind }: NewAlert,
  now: number,
) {
  if (from === null || until === null || (kindFacts(kind).urgent && all === 0)) return null;
  return quietUntil({ from, until }, now);
}

/** Ends the incident. @returns `not_open` where it was before, or never was. */
export async function endAlert(core: Means, db: Db, incident: string): Promise<'ended' | 'not_open'> {
  const ended = await endAlertRow.first(db, { incident, now: core.clock.now() });
  return ended === undefined ? 'not_open' : 'ended';
}
