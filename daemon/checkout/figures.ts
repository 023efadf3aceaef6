/**
 * What differs from payment to payment on the page of an open payment, as texts. All else on it is the same
 * for every customer of a shop who reads the same language.
 */
import type { CheckoutMethod } from '../../src/actions/sessions/read-checkout.js';
import { formatTaka } from '../../src/base/values/money.js';
import { formatSteps } from '../../src/base/values/usdt.js';
import { PAY_CHANNELS, type PayChannel } from '../../src/domain/accounts/channels.js';
import { shownLeft, shownRate, shownTaka, shownTime, shownUsdt } from './numbers.js';
import type { CheckoutPage } from './page.js';
import type { Texts } from './texts/texts.js';

/** What a customer owes on one channel. */
export interface DueFigures {
  /** In the currency of the channel. */
  readonly total: string;
  /** As another app takes it. */
  readonly copied: string;
  readonly fee: string;
  /** The total in taka. */
  readonly taka: string;
  /** What one USDT is counted for; empty where taka are paid. */
  readonly rate: string;
}

export const NOTHING_DUE: DueFigures = { total: '', copied: '', fee: '', taka: '', rate: '' };

export interface Figures {
  readonly path: string;
  readonly token: string;
  readonly amount: string;
  readonly customer: string;
  readonly paymentNo: string;
  readonly until: string;
  readonly left: string;
  readonly leftMs: string;
  readonly due: Readonly<Partial<Record<PayChannel, DueFigures>>>;
}

/** A page whose figures have been written, or left open. */
export interface FiguredPage extends CheckoutPage {
  readonly figures: Figures;
}

export function figuresOf(page: CheckoutPage, texts: Texts): Figures {
  const { checkout, now } = page;
  const { amountPaisa, expiresAt } = checkout;
  const amount = shownTaka(texts, amountPaisa);
  const withoutFee = {
    total: amount,
    copied: formatTaka(amountPaisa),
    fee: '',
    taka: amount,
    rate: '',
  };
  const due: Partial<Record<PayChannel, DueFigures>> = {};
  for (const method of checkout.methods) {
    const isPlain = method.feePaisa === 0 && method.usdt === null;
    due[method.channel] = isPlain ? withoutFee : dueFigures(texts, method);
  }
  return {
    path: page.path,
    token: page.token,
    amount,
    customer: checkout.cusName,
    paymentNo: checkout.gatewayReference,
    until: shownTime(texts, expiresAt, now),
    left: shownLeft(texts, expiresAt, now),
    leftMs: String(expiresAt - now),
    due,
  };
}

function dueFigures(texts: Texts, { totalPaisa, feePaisa, usdt }: CheckoutMethod): DueFigures {
  const taka = shownTaka(texts, totalPaisa);
  const fee = feePaisa === 0 ? '' : shownTaka(texts, feePaisa);
  return usdt === null
    ? { total: taka, copied: formatTaka(totalPaisa), fee, taka, rate: '' }
    : {
        total: shownUsdt(usdt.amount),
        copied: formatSteps(usdt.amount),
        fee,
        taka,
        rate: shownRate(texts, usdt.rate),
      };
}

/** Private-use characters: no text of ours has them, and no escaping touches them. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
const HOLE = /\ue000([\w.]+)\ue001/;

const hole = (name: string) => `${OPEN}${name}${CLOSE}`;

/** Figures that are nobody's: each stands where the real one belongs. */
export const HOLES: Figures = {
  path: hole('path'),
  token: hole('token'),
  amount: hole('amount'),
  customer: hole('customer'),
  paymentNo: hole('paymentNo'),
  until: hole('until'),
  left: hole('left'),
  leftMs: hole('leftMs'),
  due: Object.fromEntries(
    PAY_CHANNELS.map((channel) => [
      channel,
      {
        total: hole(`${channel}.total`),
        copied: hole(`${channel}.copied`),
        fee: hole(`${channel}.fee`),
        taka: hole(`${channel}.taka`),
        rate: hole(`${channel}.rate`),
      },
    ]),
  ),
};

export const hasHole = (text: string) => text.includes(OPEN);

/** One figure as it stands in HTML. */
export type Reader = (figures: Figures) => string;

export interface Gap {
  readonly name: string;
  readonly read: Reader;
  /** True for a figure whose length hardly differs from payment to payment. */
  readonly isSized: boolean;
}

/** Names and times; all others are sums, or have one length. */
const UNSIZED = ['customer', 'until', 'left', 'leftMs'];

/** @returns the text between the holes, and what goes into each: one fewer than texts. */
export function cutAtHoles(html: string): { readonly texts: string[]; readonly gaps: Gap[] } {
  // The pattern's group stands between the texts.
  const parts = html.split(HOLE);
  return {
    texts: parts.filter((_part, at) => at % 2 === 0),
    gaps: parts
      .filter((_part, at) => at % 2 === 1)
      .map((name) => ({ name, read: readerOf(name), isSized: !UNSIZED.includes(name) })),
  };
}

function readerOf(name: string): Reader {
  const [channel = '', of] = name.split('.');
  if (of === undefined) {
    const key = channel as Exclude<keyof Figures, 'due'>;
    return (figures) => escaped(figures[key]);
  }
  return ({ due }) => escaped(due[channel as PayChannel]?.[of as keyof DueFigures] ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** As the templates escape. */
function escaped(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign) : text;
}
