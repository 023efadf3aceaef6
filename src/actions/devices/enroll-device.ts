/** Enrolls a relay phone: name, SIMs, keys and pairing code. */
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId } from '../../base/values/ids.js';
import type { DeviceState } from '../../domain/devices/device-state.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { changeDevice, insertCode, insertDevice } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { nameField } from '../input/fields.js';
import { requireMerchant } from '../input/require-row.js';
import { nameTaken } from '../input/row-change.js';
import { type DeviceKeys, issueKeys } from './device-keys.js';
import { simFields } from './sim-fields.js';

interface EnrollDevice {
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

/** @throws KashboxError `not_found`, `invalid_input`, `already_exists` (a phone in use has that name) */
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
    if (!(await insertDevice(db, row, simRows))) {
      await freeName(db, merchant.id, name);
      await insertDevice(db, row, simRows);
    }
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

/** Longer names than that leave no room for what is added to them. */
const LONGEST = 180;

/**
 * A revoked phone gives its name to the next one, and is called after the end of its own identifier from then
 * on. @throws KashboxError `already_exists` where the phone of that name is not revoked
 */
async function freeName(db: Db, merchantId: string, name: string): Promise<void> {
  const { id, revoked_at } = await db.query
    .selectFrom('devices')
    .where('merchant_id', '=', merchantId)
    .where('name', '=', name)
    .select(['id', 'revoked_at'])
    .executeTakeFirstOrThrow();
  if (revoked_at === null) throw nameTaken('device', name);
  await changeDevice(db, id, { name: `${[...name].slice(0, LONGEST).join('')} (revoked, ${id.slice(-6)})` });
}
