/**
 * Comparison of payers, as far as a bank shows them: mobile numbers in full or partly masked, compared on the
 * visible digits. Pure; knows nothing of pushes and sessions.
 */
import { asciiDigits } from '../../base/values/text.js';
import { mobileNumber } from '../accounts/channels.js';
import { pastedText } from './reference.js';

/** `01711000000`, or the last four digits of a number. */
type TypedPayer = string;

const LENGTH = 11;
/** `017` and its like. */
const OPERATOR = 3;
const LAST_FOUR = /^\d{4}$/;
/** Length of `8801711000000`, the longest spelling; a longer number is a card or a bank account. */
const LONGEST = 13;
/**
 * Minimum number of digits to compare, in addition to the `01` of every number. A single digit would match
 * one of ten claims.
 */
const MIN_SHOWN = 3;
const HIDDEN = /[*xX•●·#.…_?]/g;

/** @returns the normalized number, or null if it is neither a mobile number nor four digits. */
export function parseTypedPayer(text: string): TypedPayer | null {
  const plain = pastedText(text).replace(/^[^+\d]*[\s:](?=[+\d])/, '');
  return LAST_FOUR.test(plain) ? plain : mobileNumber(plain);
}

/** True for a reference of a claim that is a payer's number, in 11 digits or the last four. */
export const isTypedPayer = (reference: string) =>
  LAST_FOUR.test(reference) || mobileNumber(reference) === reference;

export const isLastFour = (typed: TypedPayer) => typed.length === 4;

/** @returns the full number that a bank shows, in 11 digits; null if it masks a part or shows none. */
export function fullPayer(shown: string | null): string | null {
  return shown === null ? null : mobileNumber(asciiDigits(shown).replace(/^\s*00(?=88)/, ''));
}

/** A number as far as a bank shows it, read once to be compared with many. */
export interface ShownPayer {
  /**
   * Digits, with `*` for each masked one. If its length differs from that of a number, it is unknown how many
   * digits a run of `*` replaces.
   */
  readonly pattern: string;
  /** All 11 digits, where none is hidden. */
  readonly full: string | null;
}

/** @returns null where nothing that is shown can be a part of a mobile number. */
export function parseShownPayer(shown: string | null): ShownPayer | null {
  if (shown === null) return null;
  const full = fullPayer(shown);
  const pattern = full ?? hiddenPattern(shown);
  return pattern === null ? null : { pattern, full };
}

function hiddenPattern(shown: string): string | null {
  const plain = asciiDigits(shown)
    .replace(/[\s()-]/g, '')
    .replace(HIDDEN, '*')
    .replace(/^(?:\+|00(?=88))/, '');
  if (!/^[\d*]{3,}$/.test(plain) || plain.length > LONGEST) return null;
  const local = plain.replace(/^88(?=[0*])/, '');
  if (local.includes('*')) return local;
  return local.length < LENGTH ? `*${local}` : null;
}

/**
 * True if a number that a customer typed agrees with what the bank shows. Leading digits are compared from
 * the left, trailing digits from the right, and digits in between only if the length shows their position.
 * False if fewer than three digits can be compared.
 */
export function payerAgrees(typed: TypedPayer, { pattern }: ShownPayer): boolean {
  if (isLastFour(typed)) {
    const tail = lastFourOf(pattern);
    return digitsIn(tail) >= MIN_SHOWN && agrees(typed, tail);
  }
  return digitsIn(pattern.replace(/^01/, '')) >= MIN_SHOWN && fitsWhole(typed, pattern);
}

/** Variant of `payerAgrees` for the raw text from the bank. */
export function payerFits(typed: TypedPayer, shown: string | null): boolean {
  const payer = parseShownPayer(shown);
  return payer !== null && payerAgrees(typed, payer);
}

/**
 * Typed digits that are compared with the visible ones, in their order: those that a stranger has to guess.
 * The first three do not count, because they only name one of a few mobile operators. Empty if no other
 * digits are compared.
 */
export function comparedDigits(typed: TypedPayer, { pattern }: ShownPayer): string {
  if (isLastFour(typed)) return shownOnly(typed, lastFourOf(pattern));
  if (pattern.length === LENGTH) return shownOnly(typed.slice(OPERATOR), pattern.slice(OPERATOR));
  const head = pattern.indexOf('*');
  return typed.slice(OPERATOR, Math.max(head, OPERATOR)) + typed.slice(LENGTH - tailOf(pattern).length);
}

function shownOnly(typed: string, pattern: string): string {
  return [...typed].filter((_, at) => pattern[at] !== '*').join('');
}

/** True if a full number can be distinguished from another with the same last four digits. */
export function showsMoreThanLastFour({ pattern }: ShownPayer): boolean {
  return digitsIn(pattern.slice(0, -4).replace(/^01?/, '')) > 0;
}

function lastFourOf(pattern: string): string {
  if (pattern.length === LENGTH) return pattern.slice(-4);
  return tailOf(pattern).slice(-4).padStart(4, '*');
}

/** Digits after the last masked one. */
function tailOf(pattern: string): string {
  return pattern.slice(pattern.lastIndexOf('*') + 1);
}

function agrees(typed: string, pattern: string): boolean {
  return [...pattern].every((mark, at) => mark === '*' || mark === typed[at]);
}

function fitsWhole(typed: string, pattern: string): boolean {
  if (pattern.length === LENGTH) return agrees(typed, pattern);
  return new RegExp(`^${pattern.replace(/\*+/g, '\\d*')}$`).test(typed);
}

function digitsIn(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}
