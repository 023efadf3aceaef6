/**
 * Details of an account in addition to its number: its holder, content of a QR code, chain of an address.
 * Stored with the account as one JSON object of strings. Does not know how they are displayed.
 */
import type { ParseResult } from '../../base/values/parse-result.js';
import { hasInvisible } from '../../base/values/text.js';

/** Details that an operator can set. */
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
 * Stored details, in the order written. Operators cannot set three: `shown_number` is derived from the number
 * as typed, `decimals` from the token, and `key` is a hint of an exchange's API key.
 */
const KEPT_NAMES = ['shown_number', ...DETAIL_NAMES, 'decimals', 'key'] as const;
export type AccountDetails = Readonly<Partial<Record<(typeof KEPT_NAMES)[number], string>>>;

/** Details that can be set for each kind of channel. */
export const BANK_DETAILS: readonly DetailName[] = ['bank_name', 'holder', 'branch', 'routing'];
export const WALLET_DETAILS: readonly DetailName[] = ['holder', 'qr'];
export const CODE_DETAILS: readonly DetailName[] = ['qr'];
export const CHAIN_DETAILS: readonly DetailName[] = ['chain_id', 'network', 'token'];
export const EXCHANGE_DETAILS: readonly DetailName[] = ['driver', 'base_url'];

/** Required details of a bank account: without them customers cannot make a transfer. */
export const NEEDED_BANK_DETAILS: readonly DetailName[] = ['bank_name', 'holder'];

const MAX_TEXT = 100;
/** Maximum length of the holder of a wallet, a name that the wallet's app shows on one line. */
export const MAX_WALLET_HOLDER = 60;
/** Maximum length of a QR payload; old cameras cannot read codes of longer ones. */
const MAX_QR = 512;

type ReadDetail = ParseResult<{ text: string }>;

/**
 * @param typed text from the operator; empty removes the detail.
 * @param maxText maximum length of a name.
 */
export function parseDetail(name: DetailName, typed: string, maxText = MAX_TEXT): ReadDetail {
  // The checksum of a code is over its very bytes.
  const text = name === 'qr' ? typed.trim() : typed.trim().normalize('NFC');
  if (text === '') return { ok: true, text };
  if (hasInvisible(text)) return { ok: false, fault: 'has a line break or an invisible character' };
  if (name === 'routing') {
    return /^\d{9}$/.test(text) ? { ok: true, text } : { ok: false, fault: 'must be 9 digits' };
  }
  const limit = name === 'qr' ? MAX_QR : maxText;
  const length = [...text].length;
  if (length <= limit) return { ok: true, text };
  return { ok: false, fault: `may have at most ${limit} characters, this has ${length}` };
}

/** @param json text of `accounts.details`. */
export function parseAccountDetails(json: string): AccountDetails {
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

/** Short name that distinguishes the bank accounts of a brand. Default: `DEFAULT_BANK_TYPE`. */
export const BANK_TYPE = /^[a-z0-9-]{2,20}$/;
export const DEFAULT_BANK_TYPE = 'account';

/** @returns the bank account number without the spaces that banks print in it, or null if it is not valid. */
export function bankNumber(typed: string): string | null {
  const number = typed.trim().replace(/(?<=\S) (?=\S)/g, '');
  return /^[A-Za-z0-9-]{5,34}$/.test(number) ? number : null;
}
