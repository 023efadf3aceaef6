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
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** "2026-08-21", "12:35" in Bangladesh time. */
const written = (at: number) => dhakaText(at).slice(0, 16).split(' ') as [date: string, time: string];

/** @returns an id as bKash gives it then. @param digit of the day. @param rest six of its letters. */
export function bkashId(at: number, digit: number, rest: string): string {
  const [year = 0, month = 0, day = 0] = written(at)[0].split('-').map(Number);
  const signs = [year - FIRST_YEAR, month + 9, day].map((sign) => sign.toString(36).toUpperCase());
  return `${signs.join('')}${digit}${rest}`;
}

/** @returns what bKash writes to whom money was sent. @param ref what the payer wrote, if anything. */
export function bkashReceived({ amount, from, balance, at }: Receipt, trxId: string, ref = ''): string {
  const note = ref === '' ? '' : ` Ref ${ref}.`;
  const text = `You have received Tk ${amount} from ${from}.${note} Fee Tk 0.00. Balance Tk ${balance}.`;
  return `${text} ${signed(trxId, at)}`;
}

function signed(trxId: string, at: number): string {
  const [date, time] = written(at);
  return `TrxID ${trxId} at ${date.split('-').reverse().join('/')} ${time}`;
}

/** @returns what bKash writes when one personal account sends money to another. */
export function moneySent(receipt: Receipt & { readonly to: string }, random: RandomSource): WalletSms {
  const { amount, to, at } = receipt;
  const rest = [...random(6)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  const trxId = bkashId(at, Math.floor((at % DAY_MS) / (DAY_MS / 10)), rest);
  const sent = `Send Money Tk ${amount} to ${to} successful. Ref 1. Fee Tk 5.00. Balance Tk 1,244.61.`;
  return {
    sender: 'bKash',
    body: bkashReceived(receipt, trxId),
    sentBody: `${sent} ${signed(trxId, at)}`,
    trxId,
  };
}
