/** Hands a phone its keys against the one-time code that the operator read out (design.md section 6). */
import { KashboxError } from '../../base/errors/errors.js';
import { writeAudit } from '../../store/tables/audit.js';
import { livingCode, useCode } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { codeHash, openKeys } from './device-keys.js';

export interface PairedDevice {
  readonly device: { readonly id: string; readonly name: string };
  readonly deviceKey: string;
  readonly gatewayKey: string;
}

/**
 * A code works once. That it was wrong, used or too old is one and the same answer, so that guessing learns
 * nothing.
 * @param input.code with or without its dash, in any case.
 * @param input.ip the phone's address, for the audit.
 * @throws KashboxError `pairing_code_invalid`, `secret_unreadable`
 */
export async function pairDevice(
  core: Core,
  input: { readonly code: string; readonly ip: string },
): Promise<PairedDevice> {
  const hash = codeHash(input.code);
  return core.store.write(async (db) => {
    const now = core.clock.now();
    const code = await livingCode(db, hash, now);
    if (code === undefined || code.sealed_keys === null || !(await useCode(db, hash, now))) {
      throw new KashboxError('pairing_code_invalid');
    }
    const keys = openKeys(core, code.id, code.sealed_keys);
    await writeAudit(db, core.random, {
      at: now,
      who: `device:${code.id}`,
      action: 'device.pair',
      subject: code.id,
      after: { ip: input.ip },
    });
    return {
      device: { id: code.id, name: code.name },
      deviceKey: keys.device_key,
      gatewayKey: keys.gateway_key,
    };
  });
}
