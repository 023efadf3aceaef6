/** Times as people type them: `90s`, `15m`, `1h`, `7d`, or a date. Pure. */
import { refuse } from '../../base/errors/refuse.js';
import { dhakaIso } from '../../base/values/clock.js';
import { readInstant } from '../../domain/sms/incoming-sms.js';

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
  refuse(`${flag} "${text}" is no length of time`, 'Write a number and a unit: 90s, 15m, 1h, 7d, 2w.');
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
  const moment = readInstant(/^\d{4}-\d\d-\d\d$/.test(bare) ? `${bare} 00:00` : bare);
  if (moment !== null && !rolledOver(bare, moment)) return moment;
  refuse(
    `${flag} "${text}" is no time`,
    'Write how long ago (2h, 7d), or a date: 2026-08-21 or "2026-08-21 12:35".',
  );
}

/** The 31st of February becomes a day of March; the operator meant neither. */
function rolledOver(text: string, ms: number): boolean {
  const local = !/(Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) && /^\d{4}-/.test(text);
  return local && dhakaIso(ms).slice(0, 10) !== text.slice(0, 10);
}
