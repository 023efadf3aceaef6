/**
 * Taka as whole paisa. Neither this file nor its callers use a float for money: amounts are parsed from
 * decimal text and formatted as decimal text.
 */

/** Amount in paisa, a safe integer. 500.50 BDT is 50050. */
export type Paisa = number;

type AmountRefusal = 'not_a_decimal' | 'too_many_decimals' | 'too_large';

export type ParsedAmount =
  | { readonly ok: true; readonly paisa: Paisa }
  | { readonly ok: false; readonly reason: AmountRefusal };

// ASCII digits only: no sign, exponent, grouping, spaces or other scripts' digits.
const DECIMAL = /^(\d{1,15})(?:\.(\d+))?$/;

/** 1,234,567.89 or, by lakh, 12,34,567.89. Any other place of a comma makes it no number. */
const GROUPED = /^[1-9](?:\d{0,2}(?:,\d{3}){1,3}|\d?(?:,\d{2}){1,4},\d{3})(?:\.\d+)?$/;

/** @returns the number without its commas if each of them separates groups; any other text unchanged. */
export function ungrouped(text: string): string {
  return GROUPED.test(text) ? text.replaceAll(',', '') : text;
}

/** Reads plain decimal text ("500", "500.5", "500.50") as paisa, exactly. Never throws. */
export function parseTaka(text: string): ParsedAmount {
  return parseDecimal(text, (beyond) => (beyond === '' ? 'nothing' : 'real'));
}

/**
 * Parses an amount, also from programs that calculate with floating point. A value less than 10^-9 taka from
 * two decimals counts as those two decimals: `121.00000000000001`, `120.99999999999999`, `900.000`. That is
 * eight times the distance of adjacent doubles at 1,000,000; a price of two decimals times a rate of four is
 * at least 10^-6 away, if it is not exact. Surrounding spaces are ignored. Never throws.
 */
export function parseFloatTaka(text: string): ParsedAmount {
  return parseDecimal(text.trim(), roundingNoiseOf);
}

/**
 * Parses an amount from programs that multiply a price by a rate and do not round: half a paisa and more is
 * rounded up, and so is a value less than 10^-9 taka below a half. Never throws.
 */
export function parseRoundedTaka(text: string): ParsedAmount {
  return parseDecimal(text.trim(), (beyond) => (/^(?:[5-9]|49{6})/.test(beyond) ? 'almost_one' : 'nothing'));
}

/** Meaning of the digits after the second decimal. */
type Beyond = 'nothing' | 'almost_one' | 'real';

/** Ignores differences below 10^-9 taka: seven digits after the paisa. */
function roundingNoiseOf(beyond: string): Beyond {
  if (/^(?:0*|0{7}\d*)$/.test(beyond)) return 'nothing';
  return /^9{7}/.test(beyond) ? 'almost_one' : 'real';
}

function parseDecimal(text: string, judge: (beyond: string) => Beyond): ParsedAmount {
  const match = DECIMAL.exec(text);
  if (match === null) return { ok: false, reason: /^\d{16,}/.test(text) ? 'too_large' : 'not_a_decimal' };
  const [, whole = '', fraction = ''] = match;
  const beyond = judge(fraction.slice(2));
  if (beyond === 'real') return { ok: false, reason: 'too_many_decimals' };
  const plain = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'));
  const paisa = beyond === 'almost_one' ? plain + 1 : plain;
  if (!Number.isSafeInteger(paisa)) return { ok: false, reason: 'too_large' };
  return { ok: true, paisa };
}

/** Formats paisa as decimal text with two decimals: 50050 → "500.50". Throws if it is not a safe integer. */
export function formatTaka(paisa: Paisa): string {
  if (!Number.isSafeInteger(paisa)) throw new TypeError('paisa must be a safe integer');
  const sign = paisa < 0 ? '-' : '';
  const digits = String(Math.abs(paisa)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Paisa as the JSON number of API v2: 50050 → 500.5, exact below 2^53 / 100. The only place where money
 * becomes a JavaScript number of taka; it is for writing an answer and must never be calculated with.
 */
export function takaJsonNumber(paisa: Paisa): number {
  return Number(formatTaka(paisa));
}
