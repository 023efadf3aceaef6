/** bKash. */
import { BKASH_CREDITS, BKASH_OTHERS } from './formats/bkash.js';
import { APP_STORE, CASH_OUT, PAYMENT, SEND_MONEY, type Wallet } from './wallet.js';

export const BKASH: Wallet<'mfs_a'> = {
  channel: 'mfs_a',
  name: { en: 'bKash', bn: 'বিকাশ' },
  checkout: {
    mark: 'bK',
    colour: '#c2185b',
    shape: 'drop',
    dialCode: '*247#',
    services: { payment: PAYMENT, personal: SEND_MONEY, agent: CASH_OUT },
    charges: { payment: 0, agent: 185 },
  },
  accountTypes: ['personal', 'agent', 'payment'],
  senders: {
    official: 'bKash',
    weak: ['16247', '247', '8247', '16267'],
    notices: ['bKash Offer', 'bKashNotice', 'BKASH-PROMO', 'AD-BKASH'],
  },
  ids: {
    shape: /^[4-9A-Z][A-L][1-9A-V]\d[0-9A-Z]{6}$/,
    rule: { rule: 'dated', firstYear: 2013 },
    // Six characters that no rule predicts, again each day.
    guessable: null,
    example: 'DH15ABC1K7',
    name: 'TrxID',
  },
  texts: {
    formats: [...BKASH_CREDITS, ...BKASH_OTHERS],
    // The senders of its own gifts: DM0000, DM0001.
    slots: { 'name:gift': { source: 'DM\\d{4}', role: 'name' } },
    spellings: ['bKash'],
  },
  additions: {
    names: ['bkash'],
    tails: [
      'download app: https://bka.sh/8app',
      'mobile recharge bkash korun.',
      'priyo cash out at 13.95/thousand',
      'helpline 16247',
      'tca',
    ],
    links: ['bka.sh/', 'bkash.com/', `${APP_STORE}com.bkash.customerapp`],
  },
  imitation: {
    marks: [/you have received|cash (?:in|out) tk/i, /\btk\b|\bbdt\b/i, /\bfrom\b/i],
    isVague: true,
    phishing: /\bbkash\b|বিকাশ/i,
  },
};
