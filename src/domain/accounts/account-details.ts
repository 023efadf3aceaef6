/**
 * What is known of an account beside its number: whose bank account it is, the text of a QR code, the chain
 * of an address. Kept with the account as one JSON object of texts. Knows nothing of how it is shown.
 */
import type { Read } from '../../base/values/read.js';

/** What an operator says of an account by name. */
export const DETAIL_NAMES = [
  'bank_name',
  'holder',
  'branch',
  'routing',
  'qr',
  'network',
  'chain_id',
  'token',
  'driver',
  'base_url',
] as const;
export type DetailName = (typeof DETAIL_NAMES)[number];

/**
 * In the order in which they are kept. Three are said by nobody: `shown_number` follows from how the number
 * was typed, `decimals` from the token, and `key` is a hint of the key by which an exchange is asked.
 */
const KEPT_NAMES = ['shown_number', ...DETAIL_NAMES, 'decimals', 'key'] as const;
export type AccountDetails = Readonly<Partial<Record<(typeof KEPT_NAMES)[number], string>>>;

/** What can be said of an account on each kind of channel. */
export const BANK_DETAILS: readonly DetailName[] = ['bank_name', 'holder', 'branch', 'routing'];
export const WALLET_DETAILS: readonly DetailName[] = ['qr'];
export const CODE_DETAILS: readonly DetailName[] = ['qr'];
export const CHAIN_DETAILS: readonly DetailName[] = ['chain_id', 'network', 'token'];
export const EXCHANGE_DETAILS: readonly DetailName[] = ['driver', 'base_url'];

/** What must be said of a bank account: nobody can transfer money without it. */
export const NEEDED_BANK_DETAILS: readonly DetailName[] = ['bank_name', 'holder'];

const MAX_TEXT = 100;
/** Longer payloads make codes that old cameras do not read. */
const MAX_QR = 512;

/** All that makes no mark on the screen, but for the joiners that Bangla spelling needs. */
const INVISIBLE = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/u;

type ReadDetail = Read<{ text: string }>;

/** @param typed what an operator wrote; empty stands for "no longer". */
export function readDetail(name: DetailName, typed: string): ReadDetail {
  const text = typed.trim().normalize('NFC');
  if (text === '') return { ok: true, text };
  if (INVISIBLE.test(text)) return { ok: false, fault: 'has a line break or an invisible character' };
  if (name === 'routing') {
    return /^\d{9}$/.test(text) ? { ok: true, text } : { ok: false, fault: 'must be 9 digits' };
  }
  const limit = name === 'qr' ? MAX_QR : MAX_TEXT;
  const length = [...text].length;
  if (length <= limit) return { ok: true, text };
  return { ok: false, fault: `may have at most ${limit} characters, this has ${length}` };
}

/** @param json text of `accounts.details`. */
export function readDetails(json: string): AccountDetails {
  return JSON.parse(json) as AccountDetails;
}

/** One text for one set of details: always in the same order, without the empty ones. */
export function detailsText(details: AccountDetails): string {
  const kept = KEPT_NAMES.flatMap((name) => {
    const text = details[name] ?? '';
    return text === '' ? [] : [[name, text]];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

/** A short name by which an operator tells the bank accounts of a brand apart, and what it is unless told. */
export const BANK_TYPE = /^[a-z0-9-]{2,20}$/;
export const DEFAULT_BANK_TYPE = 'account';

/** @returns the number of a bank account without the spaces that banks print in it, or null if it is none. */
export function bankNumber(typed: string): string | null {
  const number = typed.trim().replace(/(?<=\S) (?=\S)/g, '');
  return /^[A-Za-z0-9-]{5,34}$/.test(number) ? number : null;
}
