/**
 * Parses the single values of a text: money, payers and dates as the wallets write them. Parses one value at
 * a time; the formats define where in a text a value is.
 */
import { dhakaMs } from '../../base/values/clock.js';
import { formatTaka, type Paisa, parseTaka, ungrouped } from '../../base/values/money.js';
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { WALLET } from '../../domain/wallets/index.js';
import type { SmsValues } from './types.js';

type MoneyText =
  | { readonly outcome: 'read'; readonly paisa: Paisa }
  /** `Tk.50`: fifty taka or half a taka, depending on which part the dot belongs to. */
  | { readonly outcome: 'ambiguous' }
  | { readonly outcome: 'unreadable' };

const AMBIGUOUS: MoneyText = { outcome: 'ambiguous' };
const UNREADABLE: MoneyText = { outcome: 'unreadable' };

const PLAIN = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,2})?$/;
/** Some texts write no zero before the dot; then it must be two digits to be sure that it is paisa. */
const PAISA_ONLY = /^\.\d{2}$/;

function parseNumber(text: string): MoneyText {
  const digits = ungrouped(text);
  if (!PLAIN.test(digits)) return UNREADABLE;
  const amount = parseTaka(digits);
  return amount.ok ? { outcome: 'read', paisa: amount.paisa } : UNREADABLE;
}

/**
 * @param text currency word and number as captured: "Tk 1,250.50", "Tk.1.00", "৳50", or a bare number.
 * @param wallet Some write `Tk.50` for half a taka: digits before a second dot mean that the first belongs
 * to Tk, otherwise it is the decimal point (seen in their texts); elsewhere that form stays ambiguous.
 */
export function parseMoney(text: string, wallet: MfsChannel | null): MoneyText {
  const writesPaisaAlone = wallet !== null && WALLET[wallet].texts.writesPaisaAlone === true;
  const rest = text.replace(/^[A-Za-z৳টাক]+/, '').replace('\n', ' ');
  if (!rest.startsWith('.')) {
    const number = rest.startsWith(' ') ? rest.slice(1) : rest;
    if (!number.startsWith('.')) return parseNumber(number);
    return writesPaisaAlone && PAISA_ONLY.test(number) ? parseNumber(`0${number}`) : AMBIGUOUS;
  }
  const number = rest.slice(1);
  if (number.startsWith(' ')) return parseNumber(number.slice(1));
  if (number.includes('.')) return parseNumber(number);
  if (writesPaisaAlone && PAISA_ONLY.test(rest)) return parseNumber(`0${rest}`);
  return AMBIGUOUS;
}

/** A fee of nothing is nothing, also where its spelling could be read in two ways: `Tk.0`, `Tk.00`. */
export function parseFee(text: string, wallet: MfsChannel | null): MoneyText {
  return /[1-9]/.test(text) ? parseMoney(text, wallet) : { outcome: 'read', paisa: 0 };
}

interface PayerText {
  /** Payer as passed on: a full number as 11 digits, anything else as written. */
  readonly from: string;
  /** False: nothing that a customer's payment can come from. */
  readonly usual: boolean;
}

/** Written in one, or with a space or hyphen after the country's or the operator's part. */
const MOBILE = /^(?:\+?88[ -]?)?(01[3-9]\d{2})[ -]?(\d{6})$/;
const MOBILE_FROM_ABROAD = /^\+?880[ -](1[3-9]\d{2})[ -]?(\d{6})$/;
const MASKED = /^01[3-9]\d{0,3}(?:X{2,6}|x{2,6}|\*{2,6})\d{2,4}$/;
/** The mobile number and a check digit. */
const CHECKED_ACCOUNT = /^(01[3-9]\d{8})-?(\d)$/;

/** @param text the captured payer. @param wallet null for a text of no wallet. */
export function parsePayer(text: string, wallet: MfsChannel | null): PayerText {
  const from = text.trim();
  const mobile = MOBILE.exec(from);
  if (mobile !== null) return { from: `${mobile[1]}${mobile[2]}`, usual: true };
  const abroad = MOBILE_FROM_ABROAD.exec(from);
  if (abroad !== null) return { from: `0${abroad[1]}${abroad[2]}`, usual: true };
  if (from.length === 11 && MASKED.test(from)) return { from, usual: true };
  if (wallet === null) return { from, usual: false };
  const { hasCheckDigit, texts } = WALLET[wallet];
  const account = hasCheckDigit === true ? CHECKED_ACCOUNT.exec(from) : null;
  if (account !== null) return { from: `${account[1]}${account[2]}`, usual: true };
  return { from, usual: texts.maskedPayer?.test(from) === true };
}

export interface DateText {
  /** ISO 8601 with +06:00. */
  readonly at: string;
  /** Milliseconds since the epoch. */
  readonly ms: number;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** "21/08/2026 12:35" */
const DAY_FIRST = /^(\d{2})\/(\d{2})\/(\d{4})\s(\d{2}):(\d{2})$/;
/** "31-JUL-26 04:50:30 pm", "… PM", "… p.m." */
const MONTH_NAMED = /^(\d{2})-([A-Z]{3})-(\d{2})\s(\d{2}):(\d{2}):(\d{2})\s?([AaPp])\.?[Mm]\.?$/;

/** "06-05-23 @10:15 AM", "06/05/23 10:15:20 PM" */
const SHORT = /^(\d{2})[-/](\d{2})[-/](\d{2})\s@?(\d{2}):(\d{2})(?::(\d{2}))?\s?([AaPp])[Mm]$/;
/** "2026-09-01 10:38", "2026-09-01T10:38:57" */
const YEAR_FIRST = /^(\d{4})-(\d{2})-(\d{2})[\sT](\d{2}):(\d{2})(?::(\d{2}))?$/;

/** Parses a date as wallets and banks write it; null if it does not exist. */
export function parseDate(text: string): DateText | null {
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) {
    const [, day, month, year, hour, minute] = dayFirst;
    return moment(Number(year), Number(month), Number(day), Number(hour), Number(minute), 0);
  }
  const yearFirst = YEAR_FIRST.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (yearFirst !== undefined) {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = yearFirst;
    return moment(year, month, day, hour, minute, second);
  }
  const [, day, name = '', year, hour, minute, second, half] =
    MONTH_NAMED.exec(text) ?? SHORT.exec(text) ?? [];
  const twelve = Number(hour);
  // NaN for any other text.
  if (!(twelve >= 1 && twelve <= 12)) return null;
  const hours = (twelve % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  const month = /\d/.test(name) ? Number(name) : MONTHS.indexOf(name) + 1;
  return moment(2000 + Number(year), month, Number(day), hours, Number(minute), Number(second ?? 0));
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Null for what the calendar or the clock does not have: 31 February, month 13, 24:00. */
export function moment(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): DateText | null {
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const at = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}+06:00`;
  return { at, ms: dhakaMs(year, month, day, hour, minute, second) };
}

/** Formats values for `sms parse` and for examples: amounts are texts with two decimals. */
export function valueTexts(values: SmsValues) {
  const taka = (paisa: Paisa | null) => (paisa === null ? null : formatTaka(paisa));
  return {
    amount: taka(values.amountPaisa),
    from: values.from,
    // Only of money that was sent, so that other readings do not change.
    ...(values.payee === null ? {} : { to: values.payee }),
    fee: taka(values.feePaisa),
    balance: taka(values.balancePaisa),
    trx_id: values.trxId,
    at: values.at,
  };
}
