/** One relay phone. */
import { simsOf } from '../store/tables/devices.js';
import type { Core } from './core.js';
import { requireDevice } from './required.js';
import { type DeviceView, deviceView } from './views.js';

/**
 * @param named identifier or name.
 * @throws KashboxError `not_found`
 */
export async function findDeviceInFull(core: Core, named: string): Promise<DeviceView> {
  return core.store.read(async (db) => {
    const row = await requireDevice(db, named);
    return deviceView(row, await simsOf(db, [row.id]), core.clock.now());
  });
}
