/** Nagad. */
import { dhakaMs } from '../../base/values/clock.js';
import { NAGAD_FORMATS } from './formats/nagad.js';
import { APP_STORE, CASH_OUT, type IdBand, MERCHANT_PAY, SEND_MONEY, type Wallet } from './wallet.js';

const month = (year: number, number: number): number => dhakaMs(year, number, 1, 0, 0, 0);

/**
 * Each band is drawn about a quarter wider than where its ids were seen: the counter is not even, and an
 * honest id at a border must not go to review. From `76` on it is a forecast from the slope of 2025 and 2026.
 */
const BANDS: readonly IdBand[] = [
  { prefix: '70', fromMs: month(2019, 3), untilMs: month(2022, 4) },
  { prefix: '71', fromMs: month(2021, 10), untilMs: month(2023, 10) },
  { prefix: '72', fromMs: month(2023, 4), untilMs: month(2024, 10) },
  { prefix: '73', fromMs: month(2024, 5), untilMs: month(2025, 4) },
  { prefix: '74', fromMs: month(2024, 11), untilMs: month(2026, 3) },
  { prefix: '75', fromMs: month(2025, 11), untilMs: month(2027, 3) },
  { prefix: '76', fromMs: month(2026, 10), untilMs: month(2028, 5) },
  { prefix: '77', fromMs: month(2027, 8), untilMs: month(2029, 8) },
  { prefix: '78', fromMs: month(2028, 6), untilMs: month(2031, 1) },
];

export const NAGAD: Wallet<'mfs_b'> = {
  channel: 'mfs_b',
  name: { en: 'Nagad', bn: 'নগদ' },
  checkout: {
    mark: 'N',
    colour: '#bf360c',
    shape: 'circle',
    dialCode: '*167#',
    services: { payment: MERCHANT_PAY, personal: SEND_MONEY, agent: CASH_OUT },
    charges: { agent: 150 },
  },
  accountTypes: ['personal', 'agent'],
  senders: { official: 'NAGAD', weak: ['16167'], notices: [] },
  ids: {
    shape: /^7[0-9A-Z]{7}$/,
    rule: { rule: 'banded', bands: BANDS },
    // The slope of 2025 and 2026.
    guessable: { kind: 'counter', base: 36, perSecond: 69 },
    example: '72KXP9QD',
    name: 'TxnID',
  },
  texts: {
    formats: NAGAD_FORMATS,
    // An offer with its link, in front of a text.
    slots: { head: { source: '[^\\n]{1,60}nagad\\.io/[\\w/]{1,24}', role: 'head' } },
    spellings: ['Nagad', 'NAGAD'],
  },
  additions: {
    names: ['nagad'],
    tails: ['for details call 16167'],
    links: ['nagad.io/', 'nagad.com.bd/', `${APP_STORE}com.konasl.nagad`],
  },
  imitation: {
    marks: [/\b(?:money|cash in|cash out|payment|b2b) received\b/i, /txn ?id|amount:/i],
    phishing: /\bnagad\b|নগদ/i,
  },
};
