/** Shuts a phone out for good: lost, sold or broken. Its keys and codes are dead with this call. */
import { writeAudit } from '../../store/tables/audit.js';
import { endCodes, revokeDeviceRow, simsOf } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { requireDevice } from '../input/require-row.js';
import { type DeviceView, deviceView } from './device-view.js';

/**
 * A phone that is revoked already stays so, without an audit row.
 * @param input.device identifier or name.
 * @throws KashboxError `not_found`
 */
export async function revokeDevice(
  core: Core,
  input: { readonly device: string; readonly who: string },
): Promise<DeviceView> {
  const revoked = await core.store.write(async (db) => {
    const row = await requireDevice(db, input.device);
    const sims = await simsOf(db, [row.id]);
    const now = core.clock.now();
    if (row.revoked_at !== null) return deviceView(row, sims, now);
    await revokeDeviceRow(db, row.id, now);
    await endCodes(db, row.id, now);
    await writeAudit(db, core.random, {
      at: now,
      who: input.who,
      action: 'device.revoke',
      subject: row.id,
      before: { revoked_at: null },
      after: { revoked_at: now },
    });
    return deviceView({ ...row, revoked_at: now }, sims, now);
  });
  core.called.tell(revoked.id);
  return revoked;
}
