/** What every report takes, and what its flags mean. */
import { DAY_MS } from '../../base/values/clock.js';
import { brandFlag, text } from './flags.js';

export const reportFlags = {
  brand: brandFlag,
  since: text('WHEN', 'From which day on: 7d, 90d, 2026-08-21. Without it 30 days.'),
};

const DAYS = 30;

/** @param now milliseconds since the epoch, as is what comes out */
export async function reportInput(
  { brand, since }: { readonly brand: string | undefined; readonly since: string | undefined },
  now: number,
) {
  const { momentMs } = await import('../input/time.js');
  // Today is one of the days.
  const fromMs = since === undefined ? now - (DAYS - 1) * DAY_MS : momentMs('since', since, now);
  return { brand, fromMs };
}
