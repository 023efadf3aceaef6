/** Slots of templates: what each matches. Knows no single wallet. */
import type { Slot } from '../../domain/wallets/format.js';
import { OTHER_SPELLINGS, WALLETS } from '../../domain/wallets/index.js';

export const CURRENCY = '(?:T[Kk]|tk|BDT|Taka|TAKA|taka|৳)';
const NUMBER = '(?:\\d{1,3}(?:,\\d{2,3}){1,5}|\\d{1,12})';
const DECIMALS = '(?:\\.\\d{1,2})?';
/** A forwarder that breaks long lines may do so between the currency word and its number. */
const GAP = '[ \\n]?';
const MONEY = `${CURRENCY}(?:\\.?${GAP}${NUMBER}${DECIMALS}|${GAP}\\.\\d{2})`;
/** Zero amount, in every spelling: it is not money, whichever part the dot belongs to. */
const ZERO = `${CURRENCY}(?:${GAP}\\.){0,2}${GAP}0{1,2}(?:\\.0{1,2})?`;
/** Names of our wallets and of wallets that are only paid from. */
const PAYING_WALLETS = [...WALLETS.flatMap(({ texts }) => texts.spellings), ...OTHER_SPELLINGS].join('|');

/** Every bound is wider than any known text and narrow enough to keep matching linear. */
const SLOTS: Readonly<Record<string, Slot>> = {
  // Money with its currency word; without; either; and with exactly two decimals, where a date is glued on.
  amount: { source: MONEY, role: 'amount' },
  'amount:after': { source: `${NUMBER}${DECIMALS}(?= ${CURRENCY})`, role: 'amount' },
  // After a label such as "Deposit Amount:".
  'amount:plain': { source: `${NUMBER}${DECIMALS}`, role: 'amount' },
  fee: { source: `(?:${MONEY}|${ZERO})`, role: 'fee' },
  'fee:maybe': { source: `(?:${MONEY}|${ZERO}|${NUMBER}${DECIMALS})`, role: 'fee' },
  balance: { source: MONEY, role: 'balance' },
  'balance:maybe': { source: `(?:${MONEY}|${NUMBER}${DECIMALS})`, role: 'balance' },
  'amount:cents': { source: `${CURRENCY}\\.?${GAP}${NUMBER}\\.\\d{2}`, role: 'amount' },
  'balance:cents': { source: `(?:${CURRENCY}\\.?${GAP})?${NUMBER}\\.\\d{2}`, role: 'balance' },
  // An agent's commission has up to five decimals and is nobody's payment.
  comm: { source: `${CURRENCY}\\.?${GAP}(?:${NUMBER})?(?:\\.\\d{1,6})?`, role: null },
  // The balance of an account that may be overdrawn: no amount can be compared with it.
  overdraft: { source: `${CURRENCY}\\.?${GAP}-${NUMBER}${DECIMALS}`, role: null },
  payer: { source: '[+\\d*Xx][\\d*Xx -]{2,18}', role: 'from' },
  // Receiver of a transfer to a customer; all others are a {to}.
  payee: { source: '[+\\d*Xx][\\d*Xx -]{2,18}', role: 'to' },
  // The receiver's account at a bank, complete or masked.
  account: { source: '[\\dXx*][\\dXx*-]{2,23}', role: null },
  wallet: { source: `(?:${PAYING_WALLETS})`, role: null },
  // Words behind a number are not a part of a name: they may say what became of the money.
  name: { source: '(?!\\+?[\\dXx*]{5})[^\\n]{1,60}?', role: 'name' },
  to: { source: '[^\\n]{1,60}?', role: 'skipped' },
  counter: { source: '[0-9A-Za-z-]{1,12}', role: null },
  ref: { source: '[^\\n]{0,160}', role: 'ref' },
  id: { source: '[0-9A-Za-z]{8,20}', role: 'id' },
  // An id of no known shape.
  'id:any': { source: '[0-9A-Za-z][0-9A-Za-z/_.-]{2,38}[0-9A-Za-z]', role: 'id' },
  date: { source: '\\d{2}/\\d{2}/\\d{4}[ \\n]\\d{2}:\\d{2}', role: 'date' },
  'date:named': {
    source: `\\d{2}-[A-Z]{3}-\\d{2}[ \\n]\\d{2}:\\d{2}:\\d{2}${GAP}[AaPp](?:[Mm]|\\.[Mm]\\.?)`,
    role: 'date',
  },
  'date:short': {
    source: `\\d{2}[-/]\\d{2}[-/]\\d{2}[ \\n]@?\\d{2}:\\d{2}(?::\\d{2})?${GAP}[AaPp][Mm]`,
    role: 'date',
  },
  'date:iso': { source: '\\d{4}-\\d{2}-\\d{2}[ \\nT]\\d{2}:\\d{2}(?::\\d{2})?', role: 'date' },
  // A day alone: banks are not more exact in some texts.
  day: {
    source: '(?:\\d{2}[-/]\\d{2}[-/](?:\\d{4}|\\d{2})|\\d{2}-[A-Za-z]{3}-(?:\\d{4}|\\d{2}))',
    role: null,
  },
  skip: { source: '[^\\n]{0,120}?', role: 'skipped' },
  tail: { source: '[^]{0,300}', role: 'tail' },
  ...Object.assign({}, ...WALLETS.map(({ texts }) => texts.slots)),
};

/** @returns undefined if no slot has that name. */
export function findSlot(name: string): Slot | undefined {
  return Object.hasOwn(SLOTS, name) ? SLOTS[name] : undefined;
}

/** Longest text of each slot that matches any words. */
const OPEN: Readonly<Record<string, number>> = { name: 60, to: 60, ref: 160, skip: 120, tail: 300, head: 86 };

/** @returns the longest text that an open slot matches; null for a slot that matches one kind of value. */
export function widthOfOpenSlot(name: string): number | null {
  return Object.hasOwn(OPEN, name) ? (OPEN[name] ?? null) : null;
}
