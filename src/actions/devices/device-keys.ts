/**
 * The keys of a relay phone and the one-time code that hands them to it. Keys are kept as hashes; while a
 * pairing code is valid, both are stored sealed, so that the phone gets the keys that the operator saw.
 */
import { hashKey, keyHint } from '../../base/io/secret.js';
import { newDeviceKey, newGatewayKey, newPairingCode } from '../../base/values/ids.js';
import type { PairingCodeTable } from '../../store/schema/index.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/seal-purposes.js';

/** A code works once, for ten minutes. */
const CODE_LIFE_MS = 10 * 60_000;

export interface DeviceKeys {
  readonly device_key: string;
  readonly gateway_key: string;
}

interface IssuedKeys {
  readonly keys: DeviceKeys;
  readonly pairingCode: string;
  /** For the device's row. */
  readonly columns: {
    readonly key_hash: string;
    readonly key_hint: string;
    readonly gateway_key_hash: string;
    readonly gateway_key_hint: string;
  };
  readonly code: PairingCodeTable;
}

export function issueKeys(core: Core, deviceId: string): IssuedKeys {
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
export function openKeys(core: Core, deviceId: string, sealed: string): DeviceKeys {
  return JSON.parse(core.secrets.open(sealed, sealPurpose('pairing', deviceId))) as DeviceKeys;
}

/** Dashes, spaces and case are ignored. */
export function codeHash(code: string): string {
  return hashKey(code.replace(/[\s-]/g, '').toUpperCase());
}
