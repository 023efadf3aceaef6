/** How long a phone has been silent, in words (spec 2.6). Knows no clock. */

const MINUTE = 60_000;

/** Largest first, in whole minutes; a month is 30 days and a year 365, as in `last_active`. */
const UNITS: readonly (readonly [string, number])[] = [
  ['year', 365 * 1_440],
  ['month', 30 * 1_440],
  ['week', 7 * 1_440],
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
];

/**
 * The largest unit that fits and, if it is not nothing, the one below it: `3 minutes`, `2 hours 5 minutes`,
 * `1 month`, `1 year 2 months`.
 * @param ms milliseconds; what is less than a minute, and what a clock that was set back makes negative, is
 *   `less than a minute`.
 */
export function durationWords(ms: number): string {
  const minutes = Math.floor(ms / MINUTE);
  const at = UNITS.findIndex(([, size]) => minutes >= size);
  if (at === -1) return 'less than a minute';
  let rest = minutes;
  const words: string[] = [];
  for (const [unit, size] of UNITS.slice(at, at + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return words.join(' ');
}
