/** Times as a dashboard shows them: how long ago, counted on between two readings. Pure. */
import { lastActive } from '../domain/devices/device-state.js';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** @returns milliseconds since the epoch of an ISO time of ours, null for none. */
export function msOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

/**
 * The API's `last_active` with the next smaller unit added, so that it changes every second: `now 12s`, `5m
 * 03s`, `2h 05m`, `3d 4h`, `2w`. Empty if it was never seen.
 */
export function seenText(iso: string | null, now: number): string {
  const at = msOf(iso);
  if (at === null) return '';
  const word = lastActive(at, now);
  const rest = restText(Math.max(0, now - at));
  return rest === '' ? word : `${word} ${rest}`;
}

function restText(silent: number): string {
  if (silent < MINUTE) return `${Math.floor(silent / SECOND)}s`;
  if (silent < HOUR) return `${two(Math.floor((silent % MINUTE) / SECOND))}s`;
  if (silent < DAY) return `${two(Math.floor((silent % HOUR) / MINUTE))}m`;
  if (silent < 7 * DAY) return `${Math.floor((silent % DAY) / HOUR)}h`;
  return '';
}

/** How long ago in one unit, seconds too: `12s`, `5m`, `2h`, `3d`. */
export function ageText(iso: string | null, now: number): string {
  const at = msOf(iso);
  if (at === null) return '';
  const age = Math.max(0, now - at);
  return age < MINUTE ? `${Math.floor(age / SECOND)}s` : lastActive(at, now);
}

/** `12:35:04` of an ISO time in Bangladesh time; of another day `21 Aug`. */
export function clockText(iso: string | null, now: number): string {
  const at = msOf(iso);
  if (iso === null || at === null) return '';
  if (now - at < DAY / 2) return iso.slice(11, 19);
  return dayText(iso);
}

/** `21 Aug 12:35` of an ISO time in Bangladesh time. */
export function minuteText(iso: string): string {
  return `${dayText(iso)} ${iso.slice(11, 16)}`;
}

function dayText(iso: string): string {
  return `${iso.slice(8, 10)} ${MONTHS[Number(iso.slice(5, 7)) - 1] ?? ''}`;
}

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (count: number) => String(count).padStart(2, '0');
