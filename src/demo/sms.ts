/**
 * The wallet provider of the demo: writes the two SMS that a real one would send of one payment. It asks the
 * SMS engine nothing, so that the engine has to recognise the text on its own. Pure.
 */
import { dhakaText } from '../base/values/clock.js';
import type { RandomSource } from '../base/values/ids.js';

/** Without X: two of them in a row look like hidden digits, which a person would have to look at. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWYZ';
/** Year, month and day stand as one base-36 digit each; the years are counted from here. */
const FIRST_YEAR = 2013;
const DAY_MS = 86_400_000;

export interface WalletSms {
  readonly sender: string;
  /** What the phone of the shop gets. */
  readonly body: string;
  /** What the phone of the customer gets, with the same id. */
  readonly sentBody: string;
  readonly trxId: string;
}

export interface Receipt {
  /** As the provider writes them: "500.00", "7,350.25". */
  readonly amount: string;
  /** Of the shop's wallet, afterwards. */
  readonly balance: string;
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** @returns what bKash writes when one personal account sends money to another. */
export function moneySent(receipt: Receipt, random: RandomSource): WalletSms {
  const { amount, balance, from, to, at } = receipt;
  const [date = '', time = ''] = dhakaText(at).split(' ');
  const [year = '', month = '', day = ''] = date.split('-');
  const prefix = [Number(year) - FIRST_YEAR, Number(month) + 9, Number(day)]
    .map((digit) => digit.toString(36).toUpperCase())
    .join('');
  const rest = [...random(6)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  const trxId = `${prefix}${Math.floor((at % DAY_MS) / (DAY_MS / 10))}${rest}`;
  const signed = `TrxID ${trxId} at ${day}/${month}/${year} ${time.slice(0, 5)}`;
  return {
    sender: 'bKash',
    body: `You have received Tk ${amount} from ${from}. Fee Tk 0.00. Balance Tk ${balance}. ${signed}`,
    sentBody: `Send Money Tk ${amount} to ${to} successful. Ref 1. Fee Tk 5.00. Balance Tk 1,244.61. ${signed}`,
    trxId,
  };
}
