/** Time as an argument: code that needs the time is given a clock, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Bangladesh has had one offset, UTC+6 without daylight saving, since 2009. */
export const DHAKA_OFFSET_MS = 6 * 3_600_000;

export const DAY_MS = 86_400_000;

/** Formats a time as ISO 8601 in Bangladesh time, whole seconds: "2026-08-21T12:35:00+06:00". */
export function dhakaIso(ms: number): string {
  return `${new Date(ms + DHAKA_OFFSET_MS).toISOString().slice(0, 19)}+06:00`;
}

/** "2026-08-21 12:35:00" in Bangladesh time, for tables that people read. */
export function dhakaText(ms: number): string {
  return dhakaIso(ms).slice(0, 19).replace('T', ' ');
}

/** Shortens such an ISO text to "2026-08-21 12:35"; a dash if null. */
export const minute = (iso: string | null): string =>
  iso === null ? '–' : iso.slice(0, 16).replace('T', ' ');

/** The instant of a Bangladesh wall-clock time. Month is 1 to 12. */
export function dhakaMs(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  return Date.UTC(year, month - 1, day, hour, minute, second) - DHAKA_OFFSET_MS;
}
