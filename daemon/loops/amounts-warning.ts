/** Says in the log that a payment was not offered USDT on the chain, because its amounts have run out. */
import type { Core } from '../../src/actions/core/core.js';
import { AMOUNTS_REMEDY } from '../../src/actions/doctor/check-amounts.js';
import type { Log } from '../../src/base/io/log.js';

/** Every order of a busy hour would say the same. */
const QUIET_MS = 60_000;

/** @returns a function that ends it. */
export function warnOfSoldOut(core: Core, log: Log): () => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return core.soldOut.listenAll(() => {
    const now = core.clock.now();
    // Either way, because clocks are set back, too.
    if (Math.abs(now - toldAt) < QUIET_MS) return;
    toldAt = now;
    const told = 'a payment was not offered bep20: every amount near its price is held; see kashbox doctor';
    log.warn({ remedy: AMOUNTS_REMEDY }, told);
  });
}
