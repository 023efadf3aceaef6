/** Many alerts of one kind within a few minutes: the first are told one by one, the others as one. Pure. */

/** Over this time the alerts of a kind are counted, for each target. */
export const BURST_MS = 10 * 60_000;
/** So many of a kind are told one by one in that time. */
export const MOST_SINGLE = 10;
/** What is urgent is not kept for longer. */
const URGENT_MS = 60_000;

/**
 * @param recent how many of the kind the target was sent in the time before; those above `MOST_SINGLE` need
 *   not be counted.
 * @returns until when the next one is kept, to be told with its like, in milliseconds since the epoch: the
 *   same moment for all of one span. Null where it is told at once.
 */
export function keptUntil(recent: number, isUrgent: boolean, now: number): number | null {
  if (recent < MOST_SINGLE) return null;
  const span = isUrgent ? URGENT_MS : BURST_MS;
  return (Math.floor(now / span) + 1) * span;
}
