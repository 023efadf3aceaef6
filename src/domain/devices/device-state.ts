/** State of a relay phone, from the time of its last call. */

export type DeviceState = 'ONLINE' | 'LATE' | 'OFFLINE' | 'REVOKED';

const MINUTE = 60_000;
const ONLINE_MS = 3 * MINUTE;
/** Silence in milliseconds after which a phone is taken for lost. */
export const OFFLINE_AFTER_MS = 15 * MINUTE;

/** Largest first, in words, short and in whole minutes; a month is 30 days and a year 365. */
const UNITS = [
  ['year', 'y', 365 * 1_440],
  ['month', 'mo', 30 * 1_440],
  ['week', 'w', 7 * 1_440],
  ['day', 'd', 1_440],
  ['hour', 'h', 60],
  ['minute', 'm', 1],
] as const;

/** @param lastSeenAt milliseconds since the epoch, null if never. */
export function deviceState(revoked: boolean, lastSeenAt: number | null, now: number): DeviceState {
  if (revoked) return 'REVOKED';
  if (lastSeenAt === null) return 'OFFLINE';
  const silent = now - lastSeenAt;
  if (silent < ONLINE_MS) return 'ONLINE';
  return silent < OFFLINE_AFTER_MS ? 'LATE' : 'OFFLINE';
}

/** What an operator is told when a phone's state has changed: its SMS stop, or come again. */
export type DeviceChange = 'offline' | 'online' | 'none';

/**
 * @param before the state that was last noted; empty before the first look, which is no news.
 * @param now a revoked phone is no news either: who revoked it knows.
 */
export function deviceChange(before: string, now: DeviceState): DeviceChange {
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

/** `now` under a minute, else the largest whole unit: `5m` `2h` `3d` `1w` `2mo` `1y`. */
export function lastActive(lastSeenAt: number, now: number): string {
  const minutes = Math.floor((now - lastSeenAt) / MINUTE);
  const unit = UNITS.find(([, , size]) => minutes >= size);
  return unit === undefined ? 'now' : `${Math.floor(minutes / unit[2])}${unit[1]}`;
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
  return state === 'ONLINE' ? '' : durationText(now - (lastSeenAt ?? enrolledAt));
}

/**
 * How long a phone has been silent, in words. The largest unit that fits and, if it is not nothing, the one
 * below it: `3 minutes`, `2 hours 5 minutes`, `1 month`, `1 year 2 months`.
 * @param ms milliseconds; what is less than a minute, and what a clock that was set back makes negative, is
 *   `less than a minute`.
 */
export function durationText(ms: number): string {
  const minutes = Math.floor(ms / MINUTE);
  const at = UNITS.findIndex(([, , size]) => minutes >= size);
  if (at === -1) return 'less than a minute';
  let rest = minutes;
  const words: string[] = [];
  for (const [unit, , size] of UNITS.slice(at, at + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return words.join(' ');
}
