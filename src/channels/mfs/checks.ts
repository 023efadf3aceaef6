/**
 * Internal consistency checks of an SMS: the id with its shape and its date, the amount with the balance, the
 * date with the delivery. The id rules were inferred from public samples, not published, so a
 * text that breaks one goes to a person and is never refused. Pure; the rules are data.
 */
import { dhakaMs } from '../../base/values/clock.js';
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { ulidTime, WALLET_ID_SHAPE } from '../../domain/matching/reference.js';
import type { SmsReason, SmsValues } from './types.js';

/** From when to when (Bangladesh time) ids with this beginning are given out. */
interface IdBand {
  readonly prefix: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A counter that was seen at this value at that time. */
interface IdMark {
  readonly ms: number;
  readonly value: number;
}

type IdRule =
  /** Year, month and day of the transaction in base 36, then a digit. */
  | { readonly rule: 'dated'; readonly shape: RegExp; readonly firstYear: number }
  /** A rising counter whose beginnings are known by date. */
  | { readonly rule: 'banded'; readonly shape: RegExp; readonly bands: readonly IdBand[] }
  /** A rising decimal counter, known at a few moments. */
  | { readonly rule: 'counted'; readonly shape: RegExp; readonly marks: readonly IdMark[] }
  /** The time part of a ULID: milliseconds in base 32. */
  | { readonly rule: 'ulid'; readonly shape: RegExp };

const month = (year: number, number: number): number => dhakaMs(year, number, 1, 0, 0, 0);
const day = (year: number, number: number, date: number): number => dhakaMs(year, number, date, 12, 0, 0);

/**
 * Each band is drawn about a quarter wider than where its ids were seen: the counter is not even, and an
 * honest id at a border must not go to review. From `76` on it is a forecast from the slope of 2025 and 2026.
 */
const NAGAD_BANDS: readonly IdBand[] = [
  { prefix: '70', fromMs: month(2019, 3), untilMs: month(2022, 4) },
  { prefix: '71', fromMs: month(2021, 10), untilMs: month(2023, 10) },
  { prefix: '72', fromMs: month(2023, 4), untilMs: month(2024, 10) },
  { prefix: '73', fromMs: month(2024, 5), untilMs: month(2025, 4) },
  { prefix: '74', fromMs: month(2024, 11), untilMs: month(2026, 3) },
  { prefix: '75', fromMs: month(2025, 11), untilMs: month(2027, 3) },
  { prefix: '76', fromMs: month(2026, 10), untilMs: month(2028, 5) },
  { prefix: '77', fromMs: month(2027, 8), untilMs: month(2029, 8) },
  { prefix: '78', fromMs: month(2028, 6), untilMs: month(2031, 1) },
];

const ROCKET_MARKS: readonly IdMark[] = [
  // Reckoned back from the slope of 2020; the others were seen.
  { ms: day(2019, 6, 1), value: 1_250_000_000 },
  { ms: day(2020, 2, 11), value: 1_624_713_764 },
  { ms: day(2020, 4, 28), value: 1_737_554_310 },
  { ms: day(2021, 4, 21), value: 2_263_628_821 },
  { ms: day(2023, 1, 22), value: 3_481_968_613 },
  { ms: day(2023, 6, 5), value: 3_797_113_433 },
  { ms: day(2025, 9, 27), value: 5_808_201_311 },
  { ms: day(2025, 12, 27), value: 6_027_266_433 },
  { ms: day(2026, 5, 31), value: 6_578_000_000 },
  { ms: day(2026, 8, 3), value: 6_806_132_101 },
  { ms: day(2026, 9, 14), value: 6_954_684_481 },
];

export const ID_RULES: Readonly<Record<MfsChannel, IdRule>> = {
  mfs_a: { rule: 'dated', shape: WALLET_ID_SHAPE.mfs_a, firstYear: 2013 },
  mfs_b: { rule: 'banded', shape: WALLET_ID_SHAPE.mfs_b, bands: NAGAD_BANDS },
  mfs_c: { rule: 'counted', shape: WALLET_ID_SHAPE.mfs_c, marks: ROCKET_MARKS },
  mfs_d: { rule: 'ulid', shape: WALLET_ID_SHAPE.mfs_d },
};

const DAY_MS = 86_400_000;
/** How far a counter may be ahead of or behind the line between two marks. */
const COUNTER_SLACK_MS = 45 * DAY_MS;
/** Beyond the last mark the slope may change by these factors before an id is doubted. */
const SLOWEST = 0.6;
const FASTEST = 1.7;
/** The id is made when the transaction begins, the text when it ends. */
const ULID_SLACK_MS = 5 * 60_000;

/** Somebody hid a part of it. A real id holds this once in half a million, and then a person looks. */
const MASKED_ID = /X{4}/;

/** Does the id fit its channel, and the date of its own text? Null if it does. */
export function doubtId(channel: MfsChannel, id: string, atMs: number): SmsReason | null {
  const rule = ID_RULES[channel];
  if (!rule.shape.test(id) || MASKED_ID.test(id)) return 'id_shape';
  switch (rule.rule) {
    case 'dated':
      return datedPrefix(atMs, rule.firstYear) === id.slice(0, 3) ? null : 'id_date';
    case 'banded': {
      const band = rule.bands.find(({ prefix }) => id.startsWith(prefix));
      return band !== undefined && atMs >= band.fromMs && atMs < band.untilMs ? null : 'id_range';
    }
    case 'counted':
      return counterFits(rule.marks, Number(id), atMs) ? null : 'id_range';
    case 'ulid': {
      const early = ulidTime(id) - atMs;
      // The text has whole minutes, so an id of its last second is 59.9 s ahead of it.
      return early > -ULID_SLACK_MS && early < ULID_SLACK_MS + 60_000 ? null : 'id_date';
    }
    default:
      return rule satisfies never;
  }
}

/** "DHL" for 21 August 2026. */
function datedPrefix(atMs: number, firstYear: number): string {
  const local = new Date(atMs + 6 * 3_600_000);
  const year = (local.getUTCFullYear() - firstYear).toString(36);
  return `${year}${(local.getUTCMonth() + 10).toString(36)}${local.getUTCDate().toString(36)}`.toUpperCase();
}

function counterFits(marks: readonly IdMark[], value: number, atMs: number): boolean {
  const low = counterAt(marks, atMs - COUNTER_SLACK_MS, SLOWEST);
  const high = counterAt(marks, atMs + COUNTER_SLACK_MS, FASTEST);
  return value >= low && value <= high;
}

/** Where the counter was then: straight lines between the marks, and on from the last one at that pace. */
function counterAt(marks: readonly IdMark[], ms: number, pace: number): number {
  let from: IdMark = { ms: 0, value: 0 };
  let slope = 0;
  for (const mark of marks) {
    slope = (mark.value - from.value) / (mark.ms - from.ms);
    if (ms <= mark.ms) return from.value + slope * (ms - from.ms);
    from = mark;
  }
  return from.value + slope * pace * (ms - from.ms);
}

/** A phone's clock may be wrong by this much. */
const CLOCK_SKEW_MS = 15 * 60_000;
/** Carriers keep a text for a phone that is off; what is older was more likely brought by somebody. */
const LATE_DELIVERY_MS = DAY_MS;

/** @param receivedAtMs null if nobody knows when the text arrived: then only the text itself is checked. */
export function doubtDate(atMs: number, receivedAtMs: number | null): SmsReason | null {
  if (receivedAtMs === null) return null;
  if (atMs > receivedAtMs + CLOCK_SKEW_MS) return 'date_after_delivery';
  return atMs < receivedAtMs - LATE_DELIVERY_MS ? 'date_long_before_delivery' : null;
}

/** Money received costs its receiver nothing and is in the balance; all else is another kind of text. */
export function doubtMoney(values: SmsValues): SmsReason | null {
  if (values.balancePaisa === null) return 'balance_unreadable';
  if (values.amountPaisa === null || values.amountPaisa > values.balancePaisa) return 'amount_over_balance';
  return values.feePaisa !== null && values.feePaisa !== 0 ? 'fee_charged' : null;
}
