/** Upay. The spec leaves its account types open. */
import { UPAY_FORMATS } from './formats/upay.js';
import { APP_STORE, CASH_OUT, MAKE_PAYMENT, SEND_MONEY, type Wallet } from './wallet.js';

export const UPAY: Wallet<'mfs_d'> = {
  channel: 'mfs_d',
  name: { en: 'Upay', bn: 'উপায়' },
  checkout: {
    mark: 'U',
    colour: '#0b4f9e',
    shape: 'shield',
    dialCode: '*268#',
    services: { payment: MAKE_PAYMENT, personal: SEND_MONEY, agent: CASH_OUT },
    charges: { agent: 140 },
  },
  accountTypes: ['personal', 'agent', 'payment'],
  senders: { official: 'upay', weak: ['16268'], notices: [] },
  ids: {
    shape: /^01[0-9A-HJKMNP-TV-Z]{8}$/,
    rule: { rule: 'ulid' },
    guessable: { kind: 'time' },
    example: '01KB7C9D2E',
    name: 'TrxID',
  },
  texts: { formats: UPAY_FORMATS, spellings: ['Upay', 'upay', 'UPAY'] },
  additions: { names: ['upay'], tails: [], links: ['upaybd.com/', `${APP_STORE}bd.com.upay.customer`] },
  imitation: {
    marks: [/has been received from|received (?:cash-out|payment) of/i, /trx ?id:? ?01[0-9A-Z]{8}\b|ref-/i],
    phishing: /\bupay\b|উপা(?:\u09df|\u09af\u09bc)/i,
  },
};
