/** Logs what needs an operator's attention: a wrong clock, amounts that ran out. Never stops the daemon. */
import type { Core } from '../../src/actions/core/core.js';
import { AMOUNTS_REMEDY } from '../../src/actions/doctor/check-sources.js';
import { checkServerClock } from '../../src/actions/doctor/check-store.js';
import type { Log } from '../../src/base/io/log.js';
import { translate } from '../../src/base/values/msg.js';

/** Logs a warning if our clock differs from that of the store. @throws KashboxError `store_unreachable` */
export async function warnOfClock(core: Core, log: Log): Promise<void> {
  for (const { state, message, remedy } of await checkServerClock(core)) {
    if (state !== 'ok') log.warn({ remedy: remedy === null ? null : translate(remedy) }, translate(message));
  }
}

/** Limited, because every order of a busy hour would log it. */
const QUIET_MS = 60_000;

/** Says when a payment was not offered USDT on the chain. @returns a function that ends it. */
export function warnOfSoldOut(core: Core, log: Log): () => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return core.soldOut.listenAll(() => {
    const now = core.clock.now();
    // Either way, because clocks are set back, too.
    if (Math.abs(now - toldAt) < QUIET_MS) return;
    toldAt = now;
    const told = 'a payment was not offered bep20: every amount near its price is held; see kashbox doctor';
    log.warn({ remedy: translate(AMOUNTS_REMEDY) }, told);
  });
}
