/** Times as people type them: `90s`, `15m`, `1h`, `7d`, or a date. Pure. */
import { dhakaMs } from '../base/clock.js';
import { KashboxError } from '../base/errors.js';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

function lengthOf(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6})\s*([smhdw])$/.exec(text.trim()) ?? [];
  return digits === undefined || unit === undefined ? null : Number(digits) * (UNIT_MS[unit] ?? 0);
}

/** @returns milliseconds. @throws KashboxError `invalid_input` that names the flag. */
export function durationMs(flag: string, text: string): number {
  const length = lengthOf(text);
  if (length !== null) return length;
  throw new KashboxError('invalid_input', {
    message: `${flag} "${text}" is no length of time`,
    hint: 'Write a number and a unit: 90s, 15m, 1h, 7d, 2w.',
  });
}

/** `2026-08-21`, `2026-08-21 12:35`, with seconds or with T: a wall clock in Bangladesh. */
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/;

function localMs(text: string): number | null {
  const match = LOCAL.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const ms = dhakaMs(year, month, day, hour, minute, second);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60
    ? ms
    : null;
}

/**
 * @param text how long ago (`2h`, `7d`), a Bangladesh date or time, or ISO 8601 with its offset.
 * @param now milliseconds since the epoch.
 * @returns milliseconds since the epoch.
 * @throws KashboxError `invalid_input` that names the flag.
 */
export function momentMs(flag: string, text: string, now: number): number {
  const bare = text.trim();
  const ago = lengthOf(bare);
  if (ago !== null) return now - ago;
  const local = localMs(bare);
  if (local !== null) return local;
  const zoned = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(bare) ? Date.parse(bare) : Number.NaN;
  if (!Number.isNaN(zoned)) return zoned;
  throw new KashboxError('invalid_input', {
    message: `${flag} "${text}" is no time`,
    hint: 'Write how long ago (2h, 7d), or a date: 2026-08-21 or "2026-08-21 12:35".',
  });
}
