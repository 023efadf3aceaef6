/** What the page of a test brand says of playing the wallets, in English. */
import type { PagePlay } from '../../../src/domain/accounts/test-accounts.js';

export type PlayedTexts = typeof PLAYED_EN;

export const PLAYED_EN = {
  band: 'Test: no real money',
  title: 'Test.',
  text: (wallet: string) =>
    `Send no money to these numbers. This button plays ${wallet}: it sends the shop the SMS of a payment.`,
  label: 'What comes',
  choices: {
    exact: 'the right amount',
    less: 'less money',
    more: 'more money',
    other_type: 'money sent in another way',
    old: 'money of long ago',
  } satisfies Record<PagePlay, string>,
  button: (wallet: string) => `Pay with ${wallet} (test)`,
};
