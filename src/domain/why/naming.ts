/**
 * Search for an id in the text of an SMS from which it was not parsed, and comparison of two ids that may
 * differ by one typing error. Pure.
 */
import { formatTaka, type Paisa, parseTaka } from '../../base/values/money.js';
import { mobileNumber } from '../accounts/channels.js';
import { plainText } from '../matching/reference.js';

/** Shape of an id; ids of wallets always contain a digit. */
const WORD = /^(?=.*[0-9])[0-9A-Z]{6,32}$/;

/** True if the id can be searched for in texts; phone numbers and amounts appear in too many of them. */
export function canBeNamed(reference: string): boolean {
  const id = reference.toUpperCase();
  return WORD.test(id) && mobileNumber(id) === null && !/^[0-9]{1,7}$/.test(id);
}

/**
 * @param id only letters and digits, see `canBeNamed`.
 * @returns true if the text contains it as a separate word, in any case and with any digits. Wallets may omit
 * the space before it, and after it only before the first words of the next line.
 */
export function namesId(text: string, id: string): boolean {
  const behind = '(?=$|[^0-9A-Z]|(?:date|balance|comm)\\s?:)';
  return new RegExp(`(?:(?<![0-9A-Z])|(?<=id))${id}${behind}`, 'i').test(plainText(text));
}

const BENGALI_ZERO = 0x09e6;
const CURRENCY = '(?:tk|bdt|taka|৳|টাকা)';
const NUMBERS = /(?<![\d.,])\d[\d,]*(?:\.\d{1,2})?(?![\d]|\.\d)/g;
const BEFORE = new RegExp(`${CURRENCY}[.:]?\\s?$`, 'i');
const BEHIND = new RegExp(`^(?:\\s?${CURRENCY}|/-)`, 'i');

/** Beginnings of an amount as texts write it, with or without commas, in Latin and in Bengali digits. */
export function amountSpellings(paisa: Paisa): string[] {
  const [taka = ''] = formatTaka(paisa).split('.');
  const western = taka.replace(/\d(?=(?:\d{3})+$)/g, '$&,');
  const indian = taka.replace(/\d(?=(?:\d{2})*\d{3}$)/g, '$&,');
  const bengali = (text: string) =>
    text.replace(/\d/g, (digit) => String.fromCharCode(BENGALI_ZERO + Number(digit)));
  return [...new Set([taka, western, indian].flatMap((text) => [text, bengali(text)]))];
}

/** True if a text contains this amount, next to a currency word or with its paisa. */
export function tellsAmount(body: string, paisa: Paisa): boolean {
  const text = plainText(body);
  return [...text.matchAll(NUMBERS)].some(({ 0: number, index }) => {
    const parsed = parseTaka(number.replace(/,/g, ''));
    if (!parsed.ok || parsed.paisa !== paisa) return false;
    const [before, behind] = [text.slice(0, index), text.slice(index + number.length)];
    return number.includes('.') || BEFORE.test(before) || BEHIND.test(behind);
  });
}

/** Letters and digits that people read as one another. */
const ALIKE = new Map([
  ['O', '0'],
  ['Q', '0'],
  ['I', '1'],
  ['L', '1'],
  ['Z', '2'],
  ['S', '5'],
  ['B', '8'],
]);

const folded = (id: string) => [...id.toUpperCase()].map((char) => ALIKE.get(char) ?? char).join('');

/**
 * @returns true if two different ids look alike (O and 0), or differ by one character: wrong, missing, added
 * or swapped with the next. False under six characters, which would resemble too many.
 */
export function isNearly(one: string, other: string): boolean {
  const [a, b] = [folded(one), folded(other)];
  if (one.toUpperCase() === other.toUpperCase() || Math.min(a.length, b.length) < MIN_LENGTH) return false;
  return a === b || isOneApart(a, b);
}

const MIN_LENGTH = 6;

function isOneApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return isSwapped && short.slice(at + 2) === long.slice(at + 2);
}
