/** Pairs a phone: returns its keys for a one-time code. */
import { KashboxError } from '../../base/errors/errors.js';
import { audit } from '../../store/tables/audit.js';
import { usableCode, useCode } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { codeHash, openKeys } from './device-keys.js';

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
