/** Says at the start of the daemon when its clock is not that of the store. Ends nothing. */
import type { Core } from '../../src/actions/core/core.js';
import { checkServerClock } from '../../src/actions/doctor/check-server-clock.js';
import type { Log } from '../../src/base/io/log.js';

/** @throws KashboxError `store_unreachable` */
export async function warnOfClock(core: Core, log: Log): Promise<void> {
  for (const { state, message, remedy } of await checkServerClock(core)) {
    if (state !== 'ok') log.warn({ remedy }, message);
  }
}
