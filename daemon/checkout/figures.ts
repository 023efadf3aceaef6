/** The values on the page of a payment that differ between payments, as texts. */
import type { CheckoutMethod } from '../../src/actions/sessions/read-checkout.js';
import { formatTaka } from '../../src/base/values/money.js';
import type { PayChannel } from '../../src/domain/accounts/channels.js';
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

export interface Figures {
  readonly path: string;
  readonly token: string;
  readonly amount: string;
  readonly customer: string;
  readonly paymentNo: string;
  readonly paymentReference: string;
  readonly until: string;
  readonly left: string;
  /** In milliseconds. */
  readonly leftMs: string;
  readonly due: Readonly<Partial<Record<PayChannel, DueFigures>>>;
}

/** A page whose figures have been written. */
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
