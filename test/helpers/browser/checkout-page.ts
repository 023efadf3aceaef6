/** The checkout page as a customer reads it: by its words, labels and roles, never by its markup. */
import type { Locator, Page } from 'playwright-core';
import type { Language } from '../../../daemon/checkout/page.js';
import { proofTexts, walletIdName } from '../../../daemon/checkout/proof-input.js';
import { BN } from '../../../daemon/checkout/texts/bn.js';
import { EN, type Texts } from '../../../daemon/checkout/texts/en.js';
import { BANK, type PayChannel, QR } from '../../../src/domain/accounts/channels.js';

export const TEXTS: Readonly<Record<Language, Texts>> = { bn: BN, en: EN };

export interface CheckoutReader {
  readonly t: Texts;
  /** Waits until the page says this in a heading. */
  says(text: string): Promise<void>;
  summary(channel: PayChannel): Locator;
  /** Where the transaction id goes, or whatever else the channel is told by. */
  field(channel: PayChannel): Locator;
  /** Shows that field, which is folded where a reference names the payment. */
  unfold(channel: PayChannel): Promise<void>;
  /** Unfolds that field and fills it in. */
  enter(channel: PayChannel, text: string): Promise<void>;
  submit(channel: PayChannel): Locator;
  /** @param what `theNumber`, `theAmount` or another name of the texts. */
  copy(channel: PayChannel, what: string): Locator;
  problem(channel: PayChannel): Locator;
  /** Unfolds the forms of a page that waits for the money of an SMS. */
  correct(): Promise<void>;
  /** Beside a refusal or a long wait. */
  sendToSeller(): Locator;
  /** On the page of a payment link. */
  openPayment(): Locator;
  cancel(): Promise<void>;
}

export function reader(page: Page, language: Language): CheckoutReader {
  const t = TEXTS[language];
  const summary = (channel: PayChannel) => {
    const name = channel === QR ? t.code.name : t.channels[channel];
    return page.locator('summary').filter({ has: page.getByRole('heading', { name, exact: true }) });
  };
  const card = (channel: PayChannel) => page.locator('details.card').filter({ has: summary(channel) });
  const field = (channel: PayChannel) => {
    const label = channel === BANK ? t.referenceLabel : proofTexts(t, channel).label(walletIdName(channel));
    return card(channel).getByLabel(label);
  };
  const unfold = async (channel: PayChannel) => {
    const words = { hasText: channel === QR ? t.code.byHand : t.idByHand(walletIdName(channel)) };
    const fold = card(channel).locator('details:not([open]) > summary', words);
    if ((await fold.count()) > 0) await fold.click();
  };
  return {
    t,
    says: (text) => page.getByRole('heading', { name: text }).waitFor(),
    summary,
    field,
    unfold,
    enter: async (channel, text) => {
      await unfold(channel);
      await field(channel).fill(text);
    },
    submit: (channel) =>
      card(channel).getByRole('button', { name: channel === BANK ? t.submitBank : t.submitClaim }),
    copy: (channel, what) => card(channel).getByRole('button', { name: `${t.copy} ${what}`, exact: true }),
    problem: (channel) => card(channel).getByRole('alert'),
    correct: () => page.locator('summary', { hasText: t.given.id.correct.title }).click(),
    sendToSeller: () => page.getByRole('button', { name: t.ask.send }),
    openPayment: () => page.locator('form button:not([type])'),
    cancel: async () => {
      await page.locator('summary', { hasText: t.cancelAsk }).click();
      await page.getByRole('button', { name: t.cancelDo }).click();
    },
  };
}
