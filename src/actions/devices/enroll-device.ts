/** Enrolls a relay phone: name, SIMs, keys and pairing code. */
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId } from '../../base/values/ids.js';
import type { DeviceState } from '../../domain/devices/device-state.js';
import { audit } from '../../store/tables/audit.js';
import { insertCode, insertDevice } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { nameField } from '../input/fields.js';
import { requireMerchant } from '../input/require-row.js';
import { nameTaken } from '../input/row-change.js';
import { type DeviceKeys, issueKeys } from './device-keys.js';
import { simFields } from './sim-fields.js';

export interface EnrollDevice {
  /** Identifier or name. */
  readonly merchant: string;
  readonly name: string;
  /** Slot and wallet number of each SIM: `1=01712345678`. */
  readonly sims: readonly string[];
  readonly who: string;
}

/** Keys and code are shown once and never again. */
export interface EnrolledDevice extends DeviceKeys {
  readonly device: { readonly id: string; readonly name: string; readonly state: DeviceState };
  readonly pairing_code: string;
  readonly pairing_expires_at: string;
}

/** @throws KashboxError `not_found`, `invalid_input`, `already_exists` (names are unique) */
export async function enrollDevice(core: Core, input: EnrollDevice): Promise<EnrolledDevice> {
  const name = nameField('name', input.name);
  const sims = simFields(input.sims);
  const id = newRowId(core.random, core.clock.now(), 'device');
  const issued = issueKeys(core, id);
  await core.store.write(async (db) => {
    const merchant = await requireMerchant(db, input.merchant);
    const row = {
      ...{ id, merchant_id: merchant.id, name, ...issued.columns },
      ...{ watched_state: '', agent: '' as const, created_at: core.clock.now() },
    };
    const simRows = sims.map((sim) => ({ device_id: id, ...sim, since: 0 }));
    if (!(await insertDevice(db, row, simRows))) throw nameTaken('device', name);
    await insertCode(db, issued.code);
    await audit(core, db, input.who, 'device.enroll', id, { after: { merchant: merchant.id, name, sims } });
  });
  return {
    device: { id, name, state: 'OFFLINE' },
    ...issued.keys,
    pairing_code: issued.pairingCode,
    pairing_expires_at: dhakaIso(issued.code.expires_at),
  };
}
