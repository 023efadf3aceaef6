/**
 * Enrolls a relay phone, pairs it, gives it new keys and revokes it. Keys are kept as hashes; while a pairing
 * code is valid, both are stored sealed, so that the phone gets the keys that the operator saw.
 */

import { KashboxError } from '../../base/errors/errors.js';
import { hashKey, keyHint } from '../../base/io/secret.js';
import { dhakaIso } from '../../base/values/clock.js';
import { newDeviceKey, newGatewayKey, newPairingCode, newRowId } from '../../base/values/ids.js';
import { type DeviceState, deviceState } from '../../domain/devices/device-state.js';
import type { Db, PairingCodeTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import {
  changeDevice,
  endCodes,
  insertCode,
  insertDevice,
  listSims,
  usableCode,
  useCode,
} from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import { nameField } from '../input/fields.js';
import { requireDevice, requireMerchant } from '../input/require-row.js';
import { nameTaken } from '../input/row-change.js';
import { type DeviceView, deviceView } from './device-view.js';
import { simFields } from './update-device.js';

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

/** Maximum number of characters kept of a revoked phone's name; leaves room for the suffix. */
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

/**
 * A code works once. A wrong, used or expired code gives the same answer, so that guessing reveals nothing.
 * @param input.code with or without its dash, in any case.
 * @param input.ip the phone's address, for the audit.
 * @throws KashboxError `pairing_code_invalid`, `secret_unreadable`
 */
export async function pairDevice(core: Core, input: { readonly code: string; readonly ip: string }) {
  const hash = codeHash(input.code);
  return core.store.write(async (db) => {
    const now = core.clock.now();
    const code = await usableCode(db, hash, now);
    if (code === undefined || code.sealed_keys === null || !(await useCode(db, hash, now))) {
      throw new KashboxError('pairing_code_invalid');
    }
    const keys = openKeys(core, code.id, code.sealed_keys);
    const { id, name } = code;
    await audit(core, db, `device:${id}`, 'device.pair', id, { after: { ip: input.ip } });
    return { device: { id, name }, deviceKey: keys.device_key, gatewayKey: keys.gateway_key };
  });
}

/**
 * Issues new keys and a new pairing code. The old ones stop working with this call.
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

/**
 * A phone that is gone already stays so, without an audit row.
 * @param input.device identifier or name.
 * @throws KashboxError `not_found`
 */
export async function revokeDevice(
  core: Core,
  input: { readonly device: string; readonly who: string },
): Promise<DeviceView> {
  const gone = await core.store.write(async (db) => {
    const row = await requireDevice(db, input.device);
    const sims = await listSims(db, [row.id]);
    const now = core.clock.now();
    if (row.revoked_at !== null) return deviceView(row, { sims, now });
    await changeDevice(db, row.id, { revoked_at: now });
    await endCodes(db, row.id, now);
    const change = { before: { revoked_at: null }, after: { revoked_at: now } };
    await audit(core, db, input.who, 'device.revoke', row.id, change);
    return deviceView({ ...row, revoked_at: now }, { sims, now });
  });
  core.called.tell(gone.id);
  return gone;
}

/** A code works once, for ten minutes. */
const CODE_LIFE_MS = 10 * 60_000;

interface DeviceKeys {
  readonly device_key: string;
  readonly gateway_key: string;
}

interface IssuedKeys {
  readonly keys: DeviceKeys;
  readonly pairingCode: string;
  readonly columns: {
    readonly key_hash: string;
    readonly key_hint: string;
    readonly gateway_key_hash: string;
    readonly gateway_key_hint: string;
  };
  readonly code: PairingCodeTable;
}

function issueKeys(core: Core, deviceId: string): IssuedKeys {
  const keys = { device_key: newDeviceKey(core.random), gateway_key: newGatewayKey(core.random) };
  const pairingCode = newPairingCode(core.random);
  return {
    keys,
    pairingCode,
    columns: {
      key_hash: hashKey(keys.device_key),
      key_hint: keyHint(keys.device_key),
      gateway_key_hash: hashKey(keys.gateway_key),
      // A Gateway Key has 18 characters only: its last four are all that may be shown.
      gateway_key_hint: `…${keys.gateway_key.slice(-4)}`,
    },
    code: {
      code_hash: codeHash(pairingCode),
      device_id: deviceId,
      sealed_keys: core.secrets.seal(JSON.stringify(keys), sealPurpose('pairing', deviceId)),
      expires_at: core.clock.now() + CODE_LIFE_MS,
      used_at: null,
    },
  };
}

/** @throws KashboxError `secret_unreadable` if the key file is another one than when the code was made. */
function openKeys(core: Core, deviceId: string, sealed: string): DeviceKeys {
  return JSON.parse(core.secrets.open(sealed, sealPurpose('pairing', deviceId))) as DeviceKeys;
}

/** Dashes, spaces and case are ignored. */
function codeHash(code: string): string {
  return hashKey(code.replace(/[\s-]/g, '').toUpperCase());
}
