/** Ends expired dispatches: those not leased in time, and those without a result. */
import { endSilent, expireQueued } from '../../store/tables/dispatches.js';
import type { Core } from '../core/core.js';

/** Few enough that a request which shares the commit does not notice. */
const BATCH = 200;

/** Safe to run in several processes at once. @returns how many were ended. */
export async function endDispatches(core: Core): Promise<number> {
  return (await endAll(core, expireQueued)) + (await endAll(core, endSilent));
}

async function endAll(core: Core, query: typeof expireQueued): Promise<number> {
  for (let total = 0; ; ) {
    const now = core.clock.now();
    const ended = await core.store.write((db) => query.all(db, { now, limit: BATCH }));
    total += ended.length;
    if (ended.length < BATCH) return total;
  }
}
