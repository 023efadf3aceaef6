/** Which days a report is asked for. Pure. */
import { refuse } from '../../base/errors/refuse.js';
import { DAY_MS } from '../../base/values/clock.js';
import { spanMs } from './time.js';

/** Of a report without a word about days. */
const DAYS = 30;

/**
 * @param now milliseconds since the epoch, as is what comes out.
 * @throws KashboxError `invalid_input` that names the flag
 */
export function reportDays(
  {
    since,
    until,
    days,
  }: Readonly<Record<'since' | 'until', string | undefined>> & {
    readonly days: number | undefined;
  },
  now: number,
): { readonly fromMs: number; readonly toMs: number | undefined } {
  if (since !== undefined && days !== undefined) {
    refuse('--since and --days both say where to begin', 'Leave one of them out.');
  }
  const { sinceMs, untilMs: toMs } = spanMs(since, until, now);
  if (sinceMs !== undefined && sinceMs > now) {
    refuse(`since "${since}" has not come yet`, 'Name a day that has begun: today, 2026-08-21.');
  }
  // The last day is one of them.
  const last = toMs === undefined ? now : Math.min(now, toMs - 1);
  return { fromMs: sinceMs ?? last - ((days ?? DAYS) - 1) * DAY_MS, toMs };
}
