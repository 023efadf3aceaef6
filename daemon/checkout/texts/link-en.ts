/** Payment links in English: their page, and the payments that they have opened. */

import type { PageScenario } from '../../../src/domain/accounts/test-accounts.js';
import type { AmountFault, LinkState } from '../../../src/domain/links/link.js';
import type { QuantityFault } from '../../../src/domain/links/quantity.js';
import type { Statement } from './texts.js';

type ClosedLinkState = Exclude<LinkState, 'ACTIVE'>;

const CONTACT = 'Please do not send any money for it. Contact the seller if you still want to pay.';

export const LINK_EN = {
  amount: 'Amount in taka',
  amountHint: (least: string, most: string) => `From ${least} to ${most}.`,
  optional: (label: string) => `${label} (optional)`,
  /** @param amount null where the customer chooses it. */
  go: (amount: string | null) => (amount === null ? 'Continue to payment' : `Pay ${amount}`),
  problem: 'Please correct what is marked below',
  amountFaults: {
    empty: () => 'Enter the amount that you want to pay.',
    unreadable: () => 'Enter the amount in digits only, such as 500 or 500.50.',
    too_many_decimals: () => 'Enter at most two digits after the point.',
    too_low: (least: string) => `The amount must be at least ${least}.`,
    too_high: (_least: string, most: string) => `The amount may be at most ${most}.`,
  } satisfies Record<AmountFault, (least: string, most: string) => string>,
  /** @param amounts separated by commas. */
  suggested: (amounts: string) => `For example ${amounts}.`,
  quantity: 'Quantity',
  quantityHint: (most: string, each: string) => `1 to ${most}, ${each} each.`,
  less: 'One less',
  more: 'One more',
  total: 'Total',
  each: 'Price of one',
  quantityFaults: {
    unreadable: () => 'Enter the quantity in digits only, such as 2.',
    out_of_range: (most: string) => `Enter a quantity from 1 to ${most}.`,
  } satisfies Record<QuantityFault, (most: string) => string>,
  valueFaults: {
    empty: 'Please fill this in.',
    too_long: 'This is too long: at most 200 letters and digits.',
    control: 'There is an invisible character in this text. Please type it again on one line.',
  },
  closed: {
    DISABLED: { title: 'This link is closed', text: `The seller has closed this link. ${CONTACT}` },
    ENDED: { title: 'This link has expired', text: `It takes no more payments. ${CONTACT}` },
    PAID: { title: 'This link has been paid', text: `It takes no more payments. ${CONTACT}` },
    SUSPENDED: {
      title: 'This shop cannot take payments right now',
      text: 'Please do not send any money. Contact the seller.',
    },
  } satisfies Record<ClosedLinkState, Statement>,
  thanks: (brand: string) => ({
    title: 'Thank you! Your money has arrived',
    text: `The payment is complete. Keep the payment number, so that ${brand} can find your payment.`,
  }),
  cancelled: {
    title: 'This payment was cancelled',
    text: 'Please do not send money. To pay, open the link again.',
  },
  expired: {
    title: 'This payment has expired',
    text: 'Please do not send money. To pay, open the link again.',
  },
  again: 'Open the link again',
};

export type PlayedTexts = typeof PLAYED_EN;

export const PLAYED_EN = {
  band: 'Test: no real money',
  title: 'Test.',
  text: (wallet: string) =>
    `Do not send money to these numbers. This button acts as ${wallet}: it sends the shop the SMS of a payment.`,
  label: 'Outcome',
  choices: {
    exact: 'the right amount',
    less: 'less money',
    more: 'more money',
    other_type: 'money sent in another way',
    old: 'an old payment',
  } satisfies Record<PageScenario, string>,
  button: (wallet: string) => `Pay with ${wallet} (test)`,
};
