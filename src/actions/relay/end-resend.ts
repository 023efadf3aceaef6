/** A phone has sent its SMS again: it is asked no more, and what is still missing then will not come. */
import { AFTER_ANSWER_MS } from '../../domain/balance-gaps/gap-steps.js';
import { endResend, noteAnswered } from '../../store/tables/gaps.js';
import type { DeviceContext } from '../access/authenticate-device.js';
import type { Core } from '../core/core.js';

/**
 * @param since from when on all that the phone has is stored, milliseconds since the epoch; null if it says
 * nothing of it. @returns from when on it is asked to send again now, or null.
 */
export async function endResending(
  core: Core,
  device: DeviceContext,
  since: number | null,
): Promise<number | null> {
  const asked = device.resendSince;
  if (since === null || asked === null || since > asked) return asked;
  const now = core.clock.now();
  await core.store.write(async (db) => {
    await endResend(db, device.deviceId, since);
    await noteAnswered(db, { device: device.deviceId, since, now, lookAt: now + AFTER_ANSWER_MS });
  });
  return null;
}
