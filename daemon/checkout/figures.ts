/**
 * The values on the page of a payment that differ between payments, as texts: money and times as they are
 * shown in Bangladesh, with lakhs and crores, local time, and Bengali digits in Bangla text. Values to copy
 * are written by `formatTaka`.
 */
import type { CheckoutMethod } from '../../src/actions/sessions/load-checkout.js';
import { formatTaka, type Paisa } from '../../src/base/values/money.js';
import { formatSteps, type TenThousandths } from '../../src/base/values/usdt.js';
import type { PayChannel } from '../../src/domain/accounts/channels.js';
import { itemTotal } from '../../src/domain/sessions/order-items.js';
import { type CheckoutPage, isPartPaid } from './page.js';
import type { Texts } from './texts/en.js';

/** Amounts due on one channel, as texts. */
export interface DueFigures {
  /** Total in the currency of the channel. */
  readonly total: string;
  /** Total in the format that other apps accept. */
  readonly copied: string;
  readonly fee: string;
  /** The total in taka. */
  readonly taka: string;
  /** Price of one USDT in taka; empty if the payment is in taka. */
  readonly rate: string;
}

export const NOTHING_DUE: DueFigures = { total: '', copied: '', fee: '', taka: '', rate: '' };

interface PageFigures {
  readonly path: string;
  readonly token: string;
  /** What is to be paid; of a payment that is over its amount. */
  readonly amount: string;
  readonly customer: string;
  readonly paymentNo: string;
  readonly paymentReference: string;
  readonly until: string;
  readonly left: string;
  /** Time until the session expires, in ms. */
  readonly leftMs: string;
  readonly due: Readonly<Partial<Record<PayChannel, DueFigures>>>;
}

/** A page whose figures have been written. */
export interface FilledPage extends CheckoutPage {
  readonly figures: PageFigures;
}

/** `৳ 800.00 on delivery · order ৳ 1,000.00`; null if all is paid now. */
export function formatDelivery(
  texts: Texts,
  { amountPaisa, deliveryPaisa }: { readonly amountPaisa: Paisa; readonly deliveryPaisa: Paisa },
): string | null {
  if (deliveryPaisa === 0) return null;
  // In a line of small text an amount must not break.
  const unbroken = (paisa: Paisa) => formatTakaLocalized(texts, paisa).replace(' ', '\u00a0');
  return texts.advance.onDelivery(unbroken(deliveryPaisa), unbroken(amountPaisa + deliveryPaisa));
}

export function formatFigures(page: CheckoutPage, texts: Texts): PageFigures {
  const { checkout, now } = page;
  const { expiresAt } = checkout;
  let plain: DueFigures | undefined;
  const due: Partial<Record<PayChannel, DueFigures>> = {};
  for (const method of checkout.methods) {
    const isPlain = method.feePaisa === 0 && method.usdt === null;
    if (isPlain) plain ??= dueFigures(texts, method);
    due[method.channel] = (isPlain ? plain : undefined) ?? dueFigures(texts, method);
  }
  return {
    path: page.path,
    token: page.token,
    amount: formatTakaLocalized(texts, isPartPaid(checkout) ? checkout.restPaisa : checkout.amountPaisa),
    customer: checkout.cusName,
    paymentNo: checkout.gatewayReference,
    paymentReference: checkout.paymentReference ?? '',
    until: formatTime(texts, expiresAt, now),
    left: formatTimeLeft(texts, expiresAt, now),
    leftMs: String(expiresAt - now),
    due,
  };
}

function dueFigures(texts: Texts, { totalPaisa, feePaisa, usdt }: CheckoutMethod): DueFigures {
  const taka = formatTakaLocalized(texts, totalPaisa);
  const fee = feePaisa === 0 ? '' : formatTakaLocalized(texts, feePaisa);
  return usdt === null
    ? { total: taka, copied: formatTaka(totalPaisa), fee, taka, rate: '' }
    : {
        total: `${plainUsdt(usdt.amount)} USDT`,
        copied: plainUsdt(usdt.amount),
        fee,
        taka,
        rate: shownRate(texts, usdt.rate),
      };
}

const BENGALI_ZERO = 0x09e6;
const MINUTE_MS = 60_000;
const DAY_MIN = 24 * 60;
const DHAKA_AHEAD_MIN = 6 * 60;

/** Replaces the ASCII digits of a text by those of the page's language. */
export function digits(texts: Texts, text: string): string {
  if (texts.language === 'en') return text;
  return text.replace(/\d/g, (digit) => String.fromCharCode(BENGALI_ZERO + Number(digit)));
}

/** Formats an amount as `৳ 1,00,000.00`: the last three digits of the taka, then groups of two. */
export function formatTakaLocalized(texts: Texts, paisa: Paisa): string {
  const [whole = '', fraction = ''] = formatTaka(paisa).split('.');
  const grouped = whole.replace(/\d(?=(?:\d\d)+\d$)/g, '$&,');
  return `৳ ${digits(texts, `${grouped}.${fraction}`)}`;
}

/** Longest list of order lines that is not folded. */
const SHORT_LIST = 3;

/** @returns the order lines and the description as texts; null if the shop sent neither. */
export function formatOrder(texts: Texts, { items, description }: CheckoutPage['checkout']) {
  if (items.length === 0 && description === '') return null;
  const signed = (paisa: Paisa) => `${paisa < 0 ? '−' : ''}${formatTakaLocalized(texts, Math.abs(paisa))}`;
  return {
    description,
    label: texts.order(digits(texts, String(items.length))),
    isFolded: items.length > SHORT_LIST,
    lines: items.map((item) => ({
      name: item.name,
      each:
        item.quantity === 1 ? null : `${digits(texts, String(item.quantity))} × ${signed(item.pricePaisa)}`,
      total: signed(itemTotal(item)),
    })),
  };
}

/** `1.85%`, `1.5%`. @param basisPoints hundredths of a percent. */
export function formatPercent(texts: Texts, basisPoints: number): string {
  return digits(texts, `${formatTaka(basisPoints).replace(/\.?0+$/, '')}%`);
}

/** Formats USDT with four decimals, to compare digit by digit; ASCII, as other apps know no other digits. */
function plainUsdt(steps: TenThousandths): string {
  const [whole = '', fraction = ''] = formatSteps(steps).split('.');
  return `${whole}.${fraction.padEnd(4, '0')}`;
}

/** Formats the price of one USDT like money, but with all its decimals. */
function shownRate(texts: Texts, rate: TenThousandths): string {
  const [whole = '', fraction = ''] = formatSteps(rate).split('.');
  return `৳ ${digits(texts, `${whole}.${fraction.padEnd(2, '0')}`)}`;
}

/** Days since the epoch and minutes of the day in Bangladesh, which has no daylight saving. */
function dhakaClock(at: number): { readonly day: number; readonly minute: number } {
  const minutes = Math.floor(at / MINUTE_MS) + DHAKA_AHEAD_MIN;
  const day = Math.floor(minutes / DAY_MIN);
  return { day, minute: minutes - day * DAY_MIN };
}

/** The clock time of an instant in Bangladesh, with the date where that is not today's. */
export function formatTime(texts: Texts, at: number, now: number): string {
  const { day, minute } = dhakaClock(at);
  const hour = Math.floor(minute / 60);
  const twelve = `${hour % 12 || 12}:${String(minute % 60).padStart(2, '0')}`;
  const time = digits(texts, texts.timeOfDay(hour, twelve));
  if (dhakaClock(now).day === day) return time;
  const date = new Date(day * DAY_MIN * MINUTE_MS);
  return `${digits(texts, String(date.getUTCDate()))} ${texts.months[date.getUTCMonth()] ?? ''}, ${time}`;
}

/** Day, month, year and clock time of an instant in Bangladesh. */
export function formatDateTime(texts: Texts, at: number): string {
  const date = new Date(at + DHAKA_AHEAD_MIN * MINUTE_MS);
  const day = `${date.getUTCDate()} ${texts.months[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
  return `${digits(texts, day)}, ${formatTime(texts, at, at)}`;
}

/** Formats the time until an instant in hours and minutes, rounded down, at least one minute. */
export function formatTimeLeft(texts: Texts, until: number, now: number): string {
  const minutes = Math.max(1, Math.floor((until - now) / MINUTE_MS));
  const hours = Math.floor(minutes / 60);
  const parts = [
    hours > 0 ? texts.hours(digits(texts, String(hours))) : '',
    minutes % 60 > 0 ? texts.minutes(digits(texts, String(minutes % 60))) : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
