/**
 * The clock was set back: what a clock that was ahead has written must not wait until its time comes.
 * Sessions and keys live as long as whoever has them was told; notifications are the notifier's business.
 */
import {
  bringCallsBack,
  bringClaimsForward,
  bringGapsBack,
  shortenLeases,
} from '../../store/tables/times.js';
import type { Core } from '../core/core.js';

/**
 * Longer than any claim is put off until it is asked for again (domain/matching/recheck and what sources ask
 * for).
 */
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Clocks of several machines differ a little. */
const CLOCK_DIFFERENCE_MS = 5_000;
/** SMS that came since the clock was set, until somebody noticed, are looked at once more. */
const NOTICED_MS = 60_000;

/** Safe to call at any time and in several processes at once; changes nothing where no time is ahead. */
export async function mendTimes(core: Core): Promise<void> {
  await core.store.write(async (db) => {
    const now = core.clock.now();
    const ahead = now + CLOCK_DIFFERENCE_MS;
    await bringClaimsForward(db, { now, dueAfter: now + LONGEST_PAUSE_MS });
    await bringCallsBack(db, { now, ahead });
    await shortenLeases(db, ahead + core.settings.dispatchLeaseSeconds * 1_000);
    await bringGapsBack(db, { now, ahead, lookFrom: now - NOTICED_MS });
  });
}
