/**
 * Internal consistency checks of an SMS: the id against its shape and date, the amount against the balance,
 * the date against the delivery. The id rules were inferred from public samples, not published, so a text
 * that breaks one needs manual review and is never refused. Pure; the rules are data of each wallet
 * (src/domain/wallets).
 */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { ulidTime } from '../../domain/matching/reference.js';
import { judgeDelivery, receivedTime, type SmsDelivery } from '../../domain/sms/phone-clock.js';
import { WALLET } from '../../domain/wallets/index.js';
import type { CounterSample } from '../../domain/wallets/wallet.js';
import type { SmsReason, SmsValues } from './types.js';

const DAY_MS = 86_400_000;
/** Maximum deviation of a counter from the line between two marks. */
const COUNTER_SLACK_MS = 45 * DAY_MS;
/** Beyond the last mark the slope may change by these factors before an id is doubted. */
const SLOWEST = 0.6;
const FASTEST = 1.7;
/** The id is made when the transaction begins, the text when it ends. */
const ULID_SLACK_MS = 5 * 60_000;

/** Pattern of a masked id. A real id contains this once in half a million, and then needs manual review. */
const MASKED_ID = /X{4}/;

/** Checks an id against its channel and the date of its own text. @returns null if it matches. */
export function doubtId(channel: MfsChannel, id: string, atMs: number): SmsReason | null {
  const { shape, rule } = WALLET[channel].ids;
  if (!shape.test(id) || MASKED_ID.test(id)) return 'id_shape';
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
export function datedPrefix(atMs: number, firstYear: number): string {
  const local = new Date(atMs + 6 * 3_600_000);
  const year = (local.getUTCFullYear() - firstYear).toString(36);
  return `${year}${(local.getUTCMonth() + 10).toString(36)}${local.getUTCDate().toString(36)}`.toUpperCase();
}

function counterFits(marks: readonly CounterSample[], value: number, atMs: number): boolean {
  const low = counterAt(marks, atMs - COUNTER_SLACK_MS, SLOWEST);
  const high = counterAt(marks, atMs + COUNTER_SLACK_MS, FASTEST);
  return value >= low && value <= high;
}

/** Estimates the counter: linear between the marks, beyond the last one with its slope times `pace`. */
export function counterAt(marks: readonly CounterSample[], ms: number, pace: number): number {
  let from: CounterSample = { ms: 0, value: 0 };
  let slope = 0;
  for (const mark of marks) {
    slope = (mark.value - from.value) / (mark.ms - from.ms);
    if (ms <= mark.ms) return from.value + slope * (ms - from.ms);
    from = mark;
  }
  return from.value + slope * pace * (ms - from.ms);
}

/** @param sms null if nobody knows when the text arrived: then only the text itself is checked. */
export function doubtDate(atMs: number, sms: SmsDelivery | null): SmsReason | null {
  if (sms === null) return null;
  const verdict = judgeDelivery(atMs, receivedTime(atMs, sms));
  switch (verdict) {
    case 'agrees':
      return null;
    case 'too_early':
      return 'date_after_delivery';
    case 'late':
      return 'date_long_before_delivery';
    default:
      return verdict satisfies never;
  }
}

/**
 * Money received costs its receiver nothing and is in the balance; all else is another kind of text. Money
 * sent may cost something, and may have been nearly all that there was.
 */
export function doubtMoney(values: SmsValues, isReceived: boolean): SmsReason | null {
  if (values.balancePaisa === null) return 'balance_unreadable';
  if (!isReceived) return values.amountPaisa === 0 ? 'amount_zero' : null;
  if (values.amountPaisa === null || values.amountPaisa > values.balancePaisa) return 'amount_over_balance';
  return values.feePaisa !== null && values.feePaisa !== 0 ? 'fee_charged' : null;
}
