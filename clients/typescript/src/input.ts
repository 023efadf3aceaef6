/** Reads what the shop gives to the client. Each fault is an InvalidInputError that says what to do. */
import { InvalidInputError } from './errors.js';

export function refuse(message: string): never {
  throw new InvalidInputError(message);
}

/** Text without the blanks and line breaks that copying adds; empty if absent. */
export function trimmed(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') refuse(`Set ${name} to a text.`);
  return value.replace(/^[\s\u200B]+|[\s\u200B]+$/g, '');
}

const HTTPS = /^https:\/\/[^\s/?#@\\]+(?:\/[^\s?#@\\]*)?$/i;
const HTTP_HERE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/[^\s?#@\\]*)?$/i;

export function urlOf(value: unknown): string {
  const plain = trimmed('url', value).replace(/\/+$/, '');
  if ((HTTPS.test(plain) || HTTP_HERE.test(plain)) && URL.canParse(plain)) return plain;
  return refuse('Set url to the address of Kashbox: https://pay.example.com, with its path if it has one.');
}

export function keyOf(value: unknown): string {
  const key = trimmed('key', value);
  if (/^(?:bk|test)_[A-Za-z0-9]+$/.test(key)) return key;
  return refuse('Set key to the whole Brand Key, which begins with bk_ or test_: copy it again.');
}

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** @returns the bytes that sign notifications; undefined if no secret is set. */
export function secretOf(value: unknown): Uint8Array | undefined {
  const secret = trimmed('secret', value);
  if (secret === '') return undefined;
  const [, base64] = SECRET.exec(secret) ?? [];
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  return refuse('Set secret to the whole webhook secret, which begins with whsec_: copy it again.');
}

/** A whole number from 1. */
export function countOf(name: string, value: unknown, example: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
  return refuse(`Set ${name} to ${example}.`);
}

export function orderOf(value: unknown, name = 'order', what = 'your order number'): string {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === 'string' && /^\P{Cc}{1,200}$/u.test(text)) return text;
  return refuse(`Set ${name} to ${what}: 1 to 200 characters on one line.`);
}

/** Text that is needed. */
export function requiredOf(name: string, value: unknown, what: string): string {
  return trimmed(name, value) || refuse(`Set ${name} to ${what}.`);
}

export function idOf(value: unknown): string {
  const id = trimmed('id', value).toLowerCase();
  if (/^[0-9a-f]{32}$/.test(id)) return id;
  return refuse('Set id to the id that create returned: 32 characters of 0-9 and a-f.');
}

/**
 * Taka as text with two decimals: 500 and "500" are "500.00". A value less than 10^-9 taka from two decimals
 * is that amount (121.00000000000001 is "121.00"), as Kashbox itself reads it. Anything between two paisa is
 * refused, because rounding it here would request another sum than the shop books.
 * @throws InvalidInputError
 */
export function amountOf(amount: string | number): string {
  const text = typeof amount === 'number' ? amount.toFixed(10) : trimmed('amount', amount);
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return refuse('Set amount to taka in plain digits, such as "500" or "500.50".');
  const fraction = decimals.padEnd(2, '0');
  const beyond = fraction.slice(2);
  const isAlmostOneMore = /^9{7}/.test(beyond);
  if (!isAlmostOneMore && !/^(?:0*|0{7}\d*)$/.test(beyond)) {
    return refuse('The amount has more than two decimals: round it where you calculate it.');
  }
  const paisa = 100 * Number(whole) + Number(fraction.slice(0, 2)) + (isAlmostOneMore ? 1 : 0);
  return `${Math.floor(paisa / 100)}.${String(paisa % 100).padStart(2, '0')}`;
}
