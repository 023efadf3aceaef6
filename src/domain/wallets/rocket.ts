/** Rocket, whose bank sends its own texts from the same number. */
import { dhakaMs } from '../../base/values/clock.js';
import { ROCKET_FORMATS } from './formats/rocket.js';
import { APP_STORE, CASH_OUT, type CounterSample, MERCHANT_PAY, SEND_MONEY, type Wallet } from './wallet.js';

const day = (year: number, number: number, date: number): number => dhakaMs(year, number, date, 12, 0, 0);

const LATEST_SAMPLE: CounterSample = { ms: day(2026, 9, 14), value: 6_954_684_481 };
const MARKS: readonly CounterSample[] = [
  // Reckoned back from the slope of 2020; the others were seen.
  { ms: day(2019, 6, 1), value: 1_250_000_000 },
  { ms: day(2020, 2, 11), value: 1_624_713_764 },
  { ms: day(2020, 4, 28), value: 1_737_554_310 },
  { ms: day(2021, 4, 21), value: 2_263_628_821 },
  { ms: day(2023, 1, 22), value: 3_481_968_613 },
  { ms: day(2023, 6, 5), value: 3_797_113_433 },
  { ms: day(2025, 9, 27), value: 5_808_201_311 },
  { ms: day(2025, 12, 27), value: 6_027_266_433 },
  { ms: day(2026, 5, 31), value: 6_578_000_000 },
  { ms: day(2026, 8, 3), value: 6_806_132_101 },
  LATEST_SAMPLE,
];

/** Is this of the bank's accounts and cards rather than of Rocket? */
function isBankText(text: string): boolean {
  if (/^dear [a-z/]{3,10}, your a\/c \*/i.test(text)) return true;
  // The bank's texts carry no id; Rocket's may advertise the bank's app.
  if (/rocket|txn ?id/i.test(text)) return false;
  return /^dear (?:sir|customer)|^balance of your a\/c|(?:debit|credit) card|NexusPay|your a\/c \*/i.test(
    text,
  );
}

export const ROCKET: Wallet<'mfs_c'> = {
  channel: 'mfs_c',
  name: { en: 'Rocket', bn: 'রকেট' },
  checkout: {
    mark: 'R',
    colour: '#7b2a8b',
    shape: 'arch',
    dialCode: '*322#',
    services: { payment: MERCHANT_PAY, personal: SEND_MONEY, agent: CASH_OUT },
    charges: {},
  },
  accountTypes: ['personal'],
  hasCheckDigit: true,
  senders: {
    official: '16216',
    weak: ['rocket', 'dbbl', 'dutchb', '16215', '16214'],
    notices: [],
    isOtherBusiness: isBankText,
  },
  ids: {
    shape: /^[1-9]\d{9}$/,
    rule: { rule: 'counted', marks: MARKS },
    // The slope of 2025 and 2026.
    guessable: { kind: 'counter', base: 10, perSecond: 41, latest: LATEST_SAMPLE },
    example: '4123456789',
    name: 'TxnId',
  },
  texts: {
    formats: ROCKET_FORMATS,
    spellings: ['Rocket'],
    writesPaisaAlone: true,
    maskedPayer: /^\*{1,9}\d{3}$/,
  },
  additions: {
    names: ['rocket', 'nexuspay', 'nexus', 'dbbl', 'dutch-bangla'],
    tails: [
      'download https://bit.ly/nexuspay',
      'please download https://bit.ly/nexuspay',
      "don't share your pin with anybody",
    ],
    links: [
      'bit.ly/nexuspay',
      'dutchbanglabank.com/',
      `${APP_STORE}com.dbbl.mbs.apps.main`,
      `${APP_STORE}com.dbbl.nexus.pay`,
    ],
  },
  imitation: {
    marks: [/\b(?:received|cash-(?:in|out)) from a\/c|through npsb\. fee: /i, /txnid/i],
    phishing: /\brocket\b|রকেট/i,
  },
};
