/**
 * The values on the page of an open payment that differ between payments, as texts. The rest is the same for
 * all customers of a shop with the same language.
 */
import type { CheckoutMethod } from '../../src/actions/sessions/checkout-methods.js';
import { formatTaka } from '../../src/base/values/money.js';
import { PAY_CHANNELS, type PayChannel } from '../../src/domain/accounts/channels.js';
import { escaped } from './assets.js';
import { plainUsdt, shownLeft, shownRate, shownTaka, shownTime } from './numbers.js';
import type { CheckoutPage } from './page.js';
import type { Texts } from './texts/en.js';

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

/** Names and times, whose lengths differ from payment to payment. */
const UNSIZED = ['customer', 'until', 'left', 'leftMs'] as const;
/** Those that have one length, or that of a sum. */
const SIZED = ['path', 'token', 'amount', 'paymentNo', 'paymentReference'] as const;

export interface Figures extends Readonly<Record<(typeof UNSIZED | typeof SIZED)[number], string>> {
  readonly due: Readonly<Partial<Record<PayChannel, DueFigures>>>;
}

/** A page whose figures have been written, or left open. */
export interface FilledPage extends CheckoutPage {
  readonly figures: Figures;
}

export function figuresOf(page: CheckoutPage, texts: Texts): Figures {
  const { checkout, now } = page;
  const { expiresAt } = checkout;
  let plain: DueFigures | undefined;
  const due: Partial<Record<PayChannel, DueFigures>> = {};
  for (const method of checkout.methods) {
    const isPlain = method.feePaisa === 0 && method.usdt === null;
    if (isPlain) plain ??= dueFigures(texts, { ...method, totalPaisa: checkout.amountPaisa });
    due[method.channel] = (isPlain ? plain : undefined) ?? dueFigures(texts, method);
  }
  return {
    path: page.path,
    token: page.token,
    amount: shownTaka(texts, checkout.amountPaisa),
    customer: checkout.cusName,
    paymentNo: checkout.gatewayReference,
    paymentReference: checkout.paymentReference ?? '',
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
        total: `${plainUsdt(usdt.amount)} USDT`,
        copied: plainUsdt(usdt.amount),
        fee,
        taka,
        rate: shownRate(texts, usdt.rate),
      };
}

/** Private-use characters: our texts do not contain them, and escaping does not change them. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
const HOLE = /\ue000([\w.]+)\ue001/;

const holes = <Name extends string>(names: readonly Name[], before = '') =>
  Object.fromEntries(names.map((name) => [name, `${OPEN}${before}${name}${CLOSE}`])) as Record<Name, string>;

const DUE_NAMES = Object.keys(NOTHING_DUE) as (keyof DueFigures)[];

/** Placeholder figures, in the places of the real ones. */
export const HOLES: Figures = {
  ...holes([...UNSIZED, ...SIZED]),
  due: Object.fromEntries(PAY_CHANNELS.map((channel) => [channel, holes(DUE_NAMES, `${channel}.`)])),
};

export const hasPlaceholder = (text: string) => text.includes(OPEN);

/** One figure as it stands in HTML. */
export type Reader = (figures: Figures) => string;

export interface Gap {
  readonly name: string;
  readonly read: Reader;
  /** True for a figure whose length is nearly constant. */
  readonly isSized: boolean;
}

/** @returns the texts between the placeholders, and the value of each placeholder (one fewer than texts). */
export function splitAtPlaceholders(html: string): { readonly texts: string[]; readonly gaps: Gap[] } {
  // The pattern's group stands between the texts.
  const parts = html.split(HOLE);
  return {
    texts: parts.filter((_part, at) => at % 2 === 0),
    gaps: parts
      .filter((_part, at) => at % 2 === 1)
      .map((name) => ({
        name,
        read: readerOf(name),
        isSized: !(UNSIZED as readonly string[]).includes(name),
      })),
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
