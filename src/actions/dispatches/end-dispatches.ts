/** Ends outbound SMS whose time is over: those that no phone took, and those of which it says nothing. */
import type { HotQuery } from '../../store/compiled-query.js';
import { endSilent, expireQueued } from '../../store/tables/dispatches.js';
import type { Core } from '../core/core.js';

/** Few enough that a request which shares the commit does not notice. */
const BATCH = 200;

/** Safe to run in several processes at once. @returns how many were ended. */
export async function endDispatches(core: Core): Promise<number> {
  return (await endAll(core, expireQueued)) + (await endAll(core, endSilent));
}

async function endAll(
  core: Core,
  query: HotQuery<{ now: number; limit: number }, { id: string }>,
): Promise<number> {
  for (let total = 0; ; ) {
    const now = core.clock.now();
    const ended = await core.store.write((db) => query.all(db, { now, limit: BATCH }));
    total += ended.length;
    if (ended.length < BATCH) return total;
  }
}
