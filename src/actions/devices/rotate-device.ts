/** Gives a phone new keys and a new pairing code: when its code ran out, when it was reset or replaced. */
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { deviceState } from '../../domain/devices/device-state.js';
import { audit } from '../../store/tables/audit.js';
import { changeDevice, endCodes, insertCode } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { requireDevice } from '../input/require-row.js';
import { issueKeys } from './device-keys.js';
import type { EnrolledDevice } from './enroll-device.js';

/**
 * The old keys and codes are dead with this call.
 * @param input.device identifier or name.
 * @throws KashboxError `not_found`, `state_refused` (a revoked phone stays revoked)
 */
export async function rotateDevice(
  core: Core,
  input: { readonly device: string; readonly who: string },
): Promise<EnrolledDevice> {
  const rotated = await core.store.write(async (db) => {
    const row = await requireDevice(db, input.device);
    if (row.revoked_at !== null) {
      throw new KashboxError('state_refused', {
        message: `The device "${row.name}" is revoked`,
        hint: 'Enroll the phone again with `kashbox devices enroll`; it may have the same name.',
      });
    }
    const now = core.clock.now();
    const issued = issueKeys(core, row.id);
    await endCodes(db, row.id, now);
    await changeDevice(db, row.id, issued.columns);
    await insertCode(db, issued.code);
    await audit(core, db, input.who, 'device.rotate', row.id, {
      before: { device_key: row.key_hint, gateway_key: row.gateway_key_hint },
      after: { device_key: issued.columns.key_hint, gateway_key: issued.columns.gateway_key_hint },
    });
    return {
      device: { id: row.id, name: row.name, state: deviceState(false, row.last_seen_at, now) },
      ...issued.keys,
      pairing_code: issued.pairingCode,
      pairing_expires_at: dhakaIso(issued.code.expires_at),
    };
  });
  core.called.tell(rotated.device.id);
  return rotated;
}
