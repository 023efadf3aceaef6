/** Revokes a phone for good. Its keys and codes end with this call. */
import { audit } from '../../store/tables/audit.js';
import { changeDevice, endCodes, simsOf } from '../../store/tables/devices.js';
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
    if (row.revoked_at !== null) return deviceView(row, { sims, now });
    await changeDevice(db, row.id, { revoked_at: now });
    await endCodes(db, row.id, now);
    const change = { before: { revoked_at: null }, after: { revoked_at: now } };
    await audit(core, db, input.who, 'device.revoke', row.id, change);
    return deviceView({ ...row, revoked_at: now }, { sims, now });
  });
  core.called.tell(revoked.id);
  return revoked;
}
