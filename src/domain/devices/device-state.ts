/** How a relay phone is doing, told from when it was last seen (design.md section 5, "Device"). */
import { durationWords } from './downtime.js';

export type DeviceState = 'ONLINE' | 'LATE' | 'OFFLINE' | 'REVOKED';

const MINUTE = 60_000;
const ONLINE_MS = 3 * MINUTE;
/** Silence in milliseconds after which a phone is taken for lost. */
export const OFFLINE_AFTER_MS = 15 * MINUTE;

/** Largest unit first, in milliseconds; a month is 30 days and a year 365 (spec 2.6). */
const UNITS: readonly (readonly [string, number])[] = [
  ['y', 365 * 1_440 * MINUTE],
  ['mo', 30 * 1_440 * MINUTE],
  ['w', 7 * 1_440 * MINUTE],
  ['d', 1_440 * MINUTE],
  ['h', 60 * MINUTE],
  ['m', MINUTE],
];

/** @param lastSeenAt milliseconds since the epoch, null if never. */
export function deviceState(revoked: boolean, lastSeenAt: number | null, now: number): DeviceState {
  if (revoked) return 'REVOKED';
  if (lastSeenAt === null) return 'OFFLINE';
  const silent = now - lastSeenAt;
  if (silent < ONLINE_MS) return 'ONLINE';
  return silent < OFFLINE_AFTER_MS ? 'LATE' : 'OFFLINE';
}

/** What an operator is told when a phone's state has changed: its SMS stop, or come again. */
export type DeviceNews = 'offline' | 'online' | 'none';

/**
 * @param before the state that was last noted; empty before the first look, which is no news.
 * @param now a revoked phone is no news either: who revoked it knows.
 */
export function deviceNews(before: string, now: DeviceState): DeviceNews {
  switch (now) {
    case 'ONLINE':
    case 'LATE':
      return before === 'OFFLINE' ? 'online' : 'none';
    case 'OFFLINE':
      return before === 'ONLINE' || before === 'LATE' ? 'offline' : 'none';
    case 'REVOKED':
      return 'none';
    default:
      return now satisfies never;
  }
}

/** `now` under a minute, else the largest whole unit: `5m` `2h` `3d` `1w` `2mo` `1y`; empty if never. */
export function lastActive(lastSeenAt: number | null, now: number): string {
  if (lastSeenAt === null) return '';
  const silent = now - lastSeenAt;
  const unit = UNITS.find(([, size]) => silent >= size);
  return unit === undefined ? 'now' : `${Math.floor(silent / unit[1])}${unit[0]}`;
}

/**
 * How long nothing has come from a phone, in words; empty while it is online. Of one that was never seen it
 * counts from when it was enrolled.
 */
export function downtimeOf(
  state: DeviceState,
  { lastSeenAt, enrolledAt }: { readonly lastSeenAt: number | null; readonly enrolledAt: number },
  now: number,
): string {
  return state === 'ONLINE' ? '' : durationWords(now - (lastSeenAt ?? enrolledAt));
}
