/** Times of the day in Bangladesh at which a target is left alone, or is told how the day was. Pure. */
import { DAY_MS, DHAKA_OFFSET_MS } from '../../base/values/clock.js';
import { asciiDigits } from '../../base/values/text.js';

const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1_440;

/** Minutes since midnight; where `until` is the smaller one, the night lies between. */
interface QuietHours {
  readonly from: number;
  readonly until: number;
}

/** @param typed such as `23:00` or `৯:৩০`. @returns minutes since midnight, or null for what is no time. */
export function readTimeOfDay(typed: string): number | null {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(asciiDigits(typed.trim())) ?? [];
  return hour === undefined || minute === undefined ? null : Number(hour) * 60 + Number(minute);
}

/** @param typed such as `23:00-07:00`. @returns null for what is no such span, also for an empty one. */
export function readQuietHours(typed: string): QuietHours | null {
  const [from, until, ...more] = typed.split(/[-–—]/).map(readTimeOfDay);
  if (from === undefined || until === undefined || more.length > 0) return null;
  return from === null || until === null || from === until ? null : { from, until };
}

/** @returns such as `07:05`. */
export function timeOfDayText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

const startOfDay = (ms: number) => Math.floor((ms + DHAKA_OFFSET_MS) / DAY_MS) * DAY_MS - DHAKA_OFFSET_MS;

/** @returns when the quiet hours in which that moment lies are over, or null where it lies in none. */
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

/** Before noon a summary tells of the day before, later of the day so far. @returns a moment of that day. */
export function summarisedDay(dueAt: number): { readonly at: number; readonly isWhole: boolean } {
  const isMorning = dueAt - startOfDay(dueAt) < DAY_MS / 2;
  return { at: isMorning ? dueAt - DAY_MS : dueAt, isWhole: isMorning };
}
