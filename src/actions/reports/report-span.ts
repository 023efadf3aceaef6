/** Days of a report: complete days in Bangladesh time. */
import { refuse } from '../../base/errors/refuse.js';
import { DAY_MS, DHAKA_OFFSET_MS, dhakaIso } from '../../base/values/clock.js';

export interface ReportDays {
  /** Milliseconds since the epoch. The complete day that contains this time is reported. */
  readonly fromMs: number;
  /** End, ms since the epoch: the last day contains the millisecond before it. Undefined for today. */
  readonly toMs?: number | undefined;
}

/** Complete days in milliseconds since the epoch; `to` is exclusive. */
export interface DaysSpan {
  readonly from: number;
  readonly to: number;
}

export const dayNumber = (ms: number) => Math.floor((ms + DHAKA_OFFSET_MS) / DAY_MS);
export const startOfDay = (day: number) => day * DAY_MS - DHAKA_OFFSET_MS;

/** @param day as `dayNumber` counts them. @returns `2026-08-21` */
export const formatDay = (day: number) => dhakaIso(startOfDay(day)).slice(0, 10);

/** A table of more days is read by nobody, and each is a row in memory. */
const MAX_DAYS = 3_660;

/**
 * @param now milliseconds since the epoch; later days are not reported.
 * @throws KashboxError `invalid_input` for more than ten years
 */
export function toSpan({ fromMs, toMs }: ReportDays, now: number): DaysSpan {
  const first = dayNumber(fromMs);
  const last = Math.min(dayNumber(now), toMs === undefined ? Number.POSITIVE_INFINITY : dayNumber(toMs - 1));
  if (last - first >= MAX_DAYS) {
    refuse('That is more than ten years', 'Give a start: --since 90d, --since 2026-08-21.');
  }
  return { from: startOfDay(first), to: startOfDay(last + 1) };
}

/** Every day of a span, the oldest first. */
export function listDays({ from, to }: DaysSpan): number[] {
  const first = dayNumber(from);
  return Array.from({ length: Math.max(0, dayNumber(to) - first) }, (_, at) => first + at);
}
