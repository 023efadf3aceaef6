/**
 * After the clock was set back: repairs times in the future, so that due work does not wait for them.
 * Sessions and keys keep their times; the notifier repairs notifications.
 */
import { resetCallTimes, resetClaimTimes, resetGapTimes, shortenLeases } from '../../store/tables/times.js';
import type { Core } from '../core/core.js';

/** Longer than any claim is put off until it is asked for again (actions/claims/recheck-claims). */
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Clocks of several machines differ a little. */
const CLOCK_DIFFERENCE_MS = 5_000;
/** SMS that came since the clock was set, until somebody noticed, are looked at once more. */
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
