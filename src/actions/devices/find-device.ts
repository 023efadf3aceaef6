/** One relay phone, with the results of its dispatches and its last alerts. */
import type { DispatchState } from '../../domain/dispatches/dispatch.js';
import { countsOfDevice, simsOf } from '../../store/tables/devices.js';
import { type AlertView, readAlerts } from '../alerts/list-alerts.js';
import type { Core } from '../core/core.js';
import { requireDevice } from '../input/require-row.js';
import { type DeviceView, deviceView } from './device-view.js';

const LAST_ALERTS = 5;

export interface DeviceInFull extends DeviceView {
  /** How many SMS sent through it are in each state; states without any are left out. */
  readonly dispatches: Readonly<Partial<Record<DispatchState, number>>>;
  /** The newest first, five at most. */
  readonly alerts: readonly AlertView[];
}

/** @param named identifier or name. @throws KashboxError `not_found` */
export async function findDeviceInFull(core: Core, named: string): Promise<DeviceInFull> {
  return core.store.read(async (db) => {
    const row = await requireDevice(db, named);
    const view = deviceView(row, { sims: await simsOf(db, [row.id]), now: core.clock.now() });
    const counts = await countsOfDevice(db, row.id);
    const dispatches = Object.fromEntries(counts.map(({ state, count }) => [state, Number(count)]));
    const about = { isOpen: false, deviceId: row.id, since: 0, after: null, limit: LAST_ALERTS };
    return { ...view, dispatches, alerts: await readAlerts(db, about) };
  });
}
