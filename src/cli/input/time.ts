/** Times as people type them: `90s`, `7d`, `yesterday`, or a date, also in Bangla digits. Pure. */
import { refuse } from '../../base/errors/refuse.js';
import { DAY_MS, dhakaIso, dhakaMs } from '../../base/values/clock.js';
import { asciiDigits } from '../../base/values/text.js';
import { instantOfText, parseInstant } from '../../domain/sms/incoming-sms.js';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const DAYS_AGO: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

function lengthOf(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6})\s*([smhdw])$/.exec(asciiDigits(text).trim()) ?? [];
  return digits === undefined || unit === undefined
    ? null
    : Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** @returns milliseconds. @throws KashboxError `invalid_input` that names the flag. */
export function durationMs(flag: string, text: string): number {
  const length = lengthOf(text);
  if (length !== null) return length;
  refuse(`${flag} "${text}" is no length of time`, 'Write a number and a unit: 90s, 15m, 1h, 7d, 2w.');
}

/**
 * @param text time before now (`2h`, `7d`), `today` or `yesterday` in Bangladesh, a date or time in
 * Bangladesh time, or ISO 8601 with offset. A date means its beginning.
 * @param now milliseconds since the epoch.
 * @param years `any` accepts every year; default: this century only.
 * @returns milliseconds since the epoch.
 * @throws KashboxError `invalid_input` that names the flag.
 */
export function momentMs(flag: string, text: string, now: number, years?: 'any'): number {
  const bare = asciiDigits(text).trim();
  const ago = lengthOf(bare);
  if (ago !== null) return now - ago;
  const daysAgo = DAYS_AGO[bare.toLowerCase()];
  if (daysAgo !== undefined) return beginningOfDay(now) - daysAgo * UNIT_MS.d;
  const full = /^\d{4}-\d\d-\d\d$/.test(bare) ? `${bare} 00:00` : bare;
  const moment = years === 'any' ? instantOfText(full) : (parseInstant(full) ?? Number.NaN);
  if (!Number.isNaN(moment) && !rolledOver(bare, moment)) return moment;
  refuse(
    `${flag} "${text}" is no time`,
    'Write how long ago (2h, 7d), today, yesterday, or a date: 2026-08-21 or "2026-08-21 12:35".',
  );
}

const DAYS_AHEAD: Readonly<Record<string, number>> = { today: 0, tomorrow: 1 };

/**
 * @param text time from now (`2h`, `7d`), `today`, `tomorrow`, a date or time in Bangladesh time, or ISO 8601
 * with offset. A date means its end.
 * @param now milliseconds since the epoch.
 * @returns milliseconds since the epoch, later than now.
 * @throws KashboxError `invalid_input` that names the flag.
 */
export function deadlineMs(flag: string, text: string, now: number): number {
  const bare = asciiDigits(text).trim();
  const ahead = DAYS_AHEAD[bare.toLowerCase()];
  const length = lengthOf(bare);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(bare);
  const given =
    ahead === undefined
      ? parseInstant(isDay ? `${bare} 00:00` : bare)
      : beginningOfDay(now) + ahead * UNIT_MS.d;
  if (length === null && (given === null || rolledOver(bare, given))) {
    refuse(
      `${flag} "${text}" is no time`,
      'Write in how long (2h, 7d), today, tomorrow, or a date: 2026-08-21 or "2026-08-21 12:35".',
    );
  }
  const end =
    length === null ? (given ?? now) + (isDay || ahead !== undefined ? UNIT_MS.d : 0) : now + length;
  if (end > now) return end;
  refuse(`${flag} "${text}" is over already`, 'Give a time in the future.');
}

function beginningOfDay(now: number): number {
  const [year = 0, month = 0, day = 0] = dhakaIso(now).slice(0, 10).split('-').map(Number);
  return dhakaMs(year, month, day, 0, 0, 0);
}

/**
 * Parses `--since` and `--until`.
 * @throws KashboxError `invalid_input` that names the flag, also if the range is empty.
 */
export function spanMs(since: string | undefined, until: string | undefined, now: number) {
  const sinceMs = since === undefined ? undefined : momentMs('since', since, now);
  const untilMs = until === undefined ? undefined : momentMs('until', until, now);
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    refuse(
      `since "${since}" is not before until "${until}"`,
      'A day stands for its beginning: all of yesterday is --since yesterday --until today.',
    );
  }
  return { sinceMs, untilMs };
}

/** The 31st of February becomes a day of March; the operator meant neither. */
function rolledOver(text: string, ms: number): boolean {
  const local = !/(Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) && /^\d{4}-/.test(text);
  return local && dhakaIso(ms).slice(0, 10) !== text.slice(0, 10);
}

/** Default range of a report in days. */
const DAYS = 30;

/**
 * @param now milliseconds since the epoch, as is what comes out.
 * @throws KashboxError `invalid_input` that names the flag
 */
export function reportDays(
  {
    since,
    until,
    days,
  }: Readonly<Record<'since' | 'until', string | undefined>> & {
    readonly days: number | undefined;
  },
  now: number,
): { readonly fromMs: number; readonly toMs: number | undefined } {
  if (since !== undefined && days !== undefined) {
    refuse('--since and --days both say where to begin', 'Leave one of them out.');
  }
  const { sinceMs, untilMs: toMs } = spanMs(since, until, now);
  if (sinceMs !== undefined && sinceMs > now) {
    refuse(`since "${since}" has not come yet`, 'Name a day that has begun: today, 2026-08-21.');
  }
  // The last day is one of them.
  const last = toMs === undefined ? now : Math.min(now, toMs - 1);
  return { fromMs: sinceMs ?? last - ((days ?? DAYS) - 1) * DAY_MS, toMs };
}
