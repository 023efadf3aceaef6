/**
 * Repairs times in the future after the clock was set back, so that due work does not wait for them. Times of
 * sessions and keys stay unchanged; the notifier repairs notifications.
 */
import { resetCallTimes, resetClaimTimes, resetGapTimes, shortenLeases } from '../../store/tables/times.js';
import type { Core } from '../core/core.js';

/** Duration longer than any interval between two rechecks of a claim (actions/claims/recheck-claims), ms. */
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Clocks of several machines differ a little. */
const CLOCK_DIFFERENCE_MS = 5_000;
/** Time before the repair for which SMS are checked again, ms: the error was not noticed at once. */
const NOTICED_MS = 60_000;

/** Safe to call at any time and in several processes at once; changes nothing where no time is ahead. */
export async function repairTimes(core: Core): Promise<void> {
  await core.store.write(async (db) => {
    const now = core.clock.now();
    const ahead = now + CLOCK_DIFFERENCE_MS;
    await resetClaimTimes(db, { now, dueAfter: now + LONGEST_PAUSE_MS });
    await resetCallTimes(db, { now, ahead });
    await shortenLeases(db, ahead + core.settings.dispatchLeaseSeconds * 1_000);
    await resetGapTimes(db, { now, ahead, lookFrom: now - NOTICED_MS });
  });
}
