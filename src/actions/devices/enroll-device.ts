/** Enrolls a relay phone: name, SIMs, keys and pairing code. */
import { refuse } from '../../base/errors/refuse.js';
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId } from '../../base/values/ids.js';
import { asciiDigits } from '../../base/values/text.js';
import type { DeviceState } from '../../domain/devices/device-state.js';
import { audit } from '../../store/tables/audit.js';
import { insertCode, insertDevice } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { mobileField, nameField } from '../input/fields.js';
import { requireMerchant } from '../input/require-row.js';
import { nameTaken } from '../input/row-change.js';
import { type DeviceKeys, issueKeys } from './device-keys.js';
import type { SimView } from './device-view.js';

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

const MAX_SLOT = 8;

/** @throws KashboxError `invalid_input` */
export function simFields(texts: readonly string[]): SimView[] {
  const sims = texts.map((text) => {
    const [, slot = '', number = ''] = /^\s*(\d)\s*=(.*)$/.exec(asciiDigits(text)) ?? [];
    if (slot < '1' || slot > String(MAX_SLOT)) {
      refuse(
        `sim "${text}" does not name slot and number`,
        'Write the slot, an equals sign and the number of the SIM in it: --sim 1=01712345678',
      );
    }
    return { slot: Number(slot), number: mobileField('sim', number) };
  });
  if (sims.length === 0 || new Set(sims.map((sim) => sim.slot)).size < sims.length) {
    refuse(
      sims.length === 0 ? 'sim is missing' : 'sim names one slot twice',
      'Give --sim once for each SIM in the phone: --sim 1=01712345678 --sim 2=01812345678',
    );
  }
  return sims;
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
    const simRows = sims.map((sim) => ({ device_id: id, ...sim }));
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
