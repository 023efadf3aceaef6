/** Relay phones and how they are doing. */
import { listedDevices, simsOf } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { requireMerchant } from '../input/require-row.js';
import { type DeviceView, deviceView } from './device-view.js';

/**
 * @param input.merchant identifier or name; absent for all.
 * @returns the oldest first, revoked ones too.
 * @throws KashboxError `not_found`
 */
export async function listDevices(
  core: Core,
  input: { readonly merchant?: string | undefined },
): Promise<DeviceView[]> {
  return core.store.read(async (db) => {
    const merchant = input.merchant === undefined ? null : await requireMerchant(db, input.merchant);
    const rows = await listedDevices(db, merchant?.id ?? null);
    const sims = await simsOf(
      db,
      rows.map((row) => row.id),
    );
    return rows.map((row) => deviceView(row, sims, core.clock.now()));
  });
}
