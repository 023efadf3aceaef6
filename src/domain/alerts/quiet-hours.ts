/**
 * Timing of alerts. A target gets none during quiet hours, in Bangladesh time; at another time of day a daily
 * summary. Of many alerts of a kind within minutes, the first are sent singly, the rest as one. Pure.
 */
import { DAY_MS, DHAKA_OFFSET_MS } from '../../base/values/clock.js';
import { asciiDigits } from '../../base/values/text.js';

const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1_440;

/** Minutes since midnight; if `until` is smaller than `from`, the span includes midnight. */
interface QuietHours {
  readonly from: number;
  readonly until: number;
}

/** @param typed such as `23:00` or `৯:৩০`. @returns minutes since midnight, or null if not valid. */
export function parseTimeOfDay(typed: string): number | null {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(asciiDigits(typed.trim())) ?? [];
  return hour === undefined || minute === undefined ? null : Number(hour) * 60 + Number(minute);
}

/** @param typed for example `23:00-07:00`. @returns null if it is not a valid span, or an empty one. */
export function parseQuietHours(typed: string): QuietHours | null {
  const [from, until, ...more] = typed.split(/[-–—]/).map(parseTimeOfDay);
  if (from === undefined || until === undefined || more.length > 0) return null;
  return from === null || until === null || from === until ? null : { from, until };
}

/** @returns such as `07:05`. */
export function timeOfDayText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

const startOfDay = (ms: number) => Math.floor((ms + DHAKA_OFFSET_MS) / DAY_MS) * DAY_MS - DHAKA_OFFSET_MS;

/** @returns the end of the quiet hours that contain this moment, or null if they do not contain it. */
export function quietUntil({ from, until }: QuietHours, ms: number): number | null {
  const minute = Math.floor((ms - startOfDay(ms)) / MINUTE_MS);
  const length = (until - from + MINUTES_A_DAY) % MINUTES_A_DAY;
  const passed = (minute - from + MINUTES_A_DAY) % MINUTES_A_DAY;
  if (passed >= length) return null;
  return startOfDay(ms) + (minute + length - passed) * MINUTE_MS;
}

/** @returns the next moment after that one at which it is that time of the day. */
export function nextTimeOfDay(minute: number, after: number): number {
  const today = startOfDay(after) + minute * MINUTE_MS;
  return today > after ? today : today + DAY_MS;
}

/** News of a day that is long past helps nobody: a daemon that was away for longer leaves it out. */
const MAX_LATE_MS = DAY_MS / 2;

export const isTooLate = (dueAt: number, now: number): boolean => now - dueAt > MAX_LATE_MS;

/** @returns a moment of the previous day if `dueAt` is before noon, otherwise of the day so far. */
export function summarisedDay(dueAt: number): { readonly at: number; readonly isWhole: boolean } {
  const isMorning = dueAt - startOfDay(dueAt) < DAY_MS / 2;
  return { at: isMorning ? dueAt - DAY_MS : dueAt, isWhole: isMorning };
}

/** Window in which the alerts of a kind are counted for each target, in ms. */
export const BURST_MS = 10 * 60_000;
/** Maximum number of alerts of a kind that are sent one by one in that window. */
export const MOST_SINGLE = 10;
/** Maximum delay of an urgent alert, in ms. */
const URGENT_MS = 60_000;

/**
 * @param recent number of alerts of the kind that the target got in the window; a count above `MOST_SINGLE`
 * is not needed.
 * @returns the time until which the next alert is held back, to be sent together with others of its kind, in
 * milliseconds since the epoch; the same for all alerts of one window. Null if it is sent at once.
 */
export function keptUntil(recent: number, isUrgent: boolean, now: number): number | null {
  if (recent < MOST_SINGLE) return null;
  const span = isUrgent ? URGENT_MS : BURST_MS;
  return (Math.floor(now / span) + 1) * span;
}
