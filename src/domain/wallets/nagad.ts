/** Nagad. */
import { dhakaMs } from '../../base/values/clock.js';
import { NAGAD_FORMATS } from './formats/nagad.js';
import {
  APP_STORE,
  CASH_OUT,
  type CounterSample,
  type IdBand,
  MERCHANT_PAY,
  SEND_MONEY,
  type Wallet,
} from './wallet.js';

const month = (year: number, number: number): number => dhakaMs(year, number, 1, 0, 0, 0);

/** Speed of the counter in ids per second. Public texts from June to September 2026 show 126 to 148. */
const PER_SECOND = 130;
const DAY_MS = 86_400_000;
/** A prefix of two signs lasts for some 194 days. */
const IDS_OF_PREFIX = 36 ** 6;

/** The newest id that was seen in public, and when. */
const LATEST_SAMPLE: CounterSample = {
  value: Number.parseInt('75XVTP00', 36),
  ms: dhakaMs(2026, 9, 5, 20, 29, 0),
};
/** The counter may slow down or speed up by these factors, and was never even from one month to the next. */
const SLOWEST = 0.65;
const FASTEST = 1.6;
const UNEVEN_MS = 21 * DAY_MS;

/** The further it is ahead, the wider is the time in which a prefix may be given out. */
function forecastOf(prefix: number): IdBand {
  const ahead = prefix * IDS_OF_PREFIX - LATEST_SAMPLE.value;
  const msFor = (ids: number, pace: number) => (ids / (PER_SECOND * pace)) * 1_000;
  return {
    prefix: prefix.toString(36).toUpperCase(),
    fromMs: LATEST_SAMPLE.ms + msFor(ahead, FASTEST) - UNEVEN_MS,
    untilMs: LATEST_SAMPLE.ms + msFor(ahead + IDS_OF_PREFIX, SLOWEST) + UNEVEN_MS,
  };
}

const [FIRST_FORECAST, AFTER_LAST] = [Number.parseInt('76', 36), Number.parseInt('80', 36)];

/** Each band is wider than where its ids were seen: an honest id at a border must not go to review. */
const BANDS: readonly IdBand[] = [
  { prefix: '70', fromMs: month(2019, 3), untilMs: month(2022, 4) },
  { prefix: '71', fromMs: month(2021, 10), untilMs: month(2023, 10) },
  { prefix: '72', fromMs: month(2023, 4), untilMs: month(2024, 10) },
  { prefix: '73', fromMs: month(2024, 5), untilMs: month(2025, 8) },
  { prefix: '74', fromMs: month(2024, 11), untilMs: month(2026, 3) },
  { prefix: '75', fromMs: month(2025, 11), untilMs: month(2027, 3) },
  ...Array.from({ length: AFTER_LAST - FIRST_FORECAST }, (_, index) => forecastOf(FIRST_FORECAST + index)),
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
    guessable: { kind: 'counter', base: 36, perSecond: PER_SECOND, latest: LATEST_SAMPLE },
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
