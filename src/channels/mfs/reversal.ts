/**
 * Recognises texts that say of a transaction that it was taken back: reversed, returned, cancelled, failed.
 * No such text is public, so this is a small rule of words and no format. It decides what a text says, never
 * what follows from it.
 */
import type { SmsKind } from '../../domain/wallets/format.js';
import { idsNamedIn, labelledIds } from './ids.js';
import { normalise, unmask } from './normalise.js';
import type { SmsReading } from './types.js';

const TAKEN_BACK =
  /revers|\b(?:returned|refunded|cancell?ed|voided|declined|rejected|failed|unsuccessful|rolled back)\b|\b(?:sent|given|paid|credited|taken|moved) back\b|\bnot (?:been )?(?:successful|completed|credited)\b|রিভার্স|রিফান্ড|ফেরত|ফিরি\u09af\u09bcে|বাতিল|ব্যর্থ|\b(?:ferot|batil)\b/i;

/** @param words of the wallet itself. */
export function saysTakenBack(words: string): boolean {
  return TAKEN_BACK.test(words);
}

const REFERENCE = /(?<![a-z])ref(?:erence)?(?![a-z])/i;

/** A text without what its payer may have typed: all before the reference, and all behind the last id. */
export function walletWording(text: string): string {
  const reference = REFERENCE.exec(text);
  if (reference === null) return text;
  const last = labelledIds(text).at(-1);
  const end = last === undefined ? text.length : text.lastIndexOf(last) + last.length;
  return `${text.slice(0, reference.index)}\n${text.slice(Math.max(end, reference.index))}`;
}

/** What became of the money, as far as the words of such a text tell; in doubt none came in. */
export function kindTakenBack(words: string): SmsKind {
  if (/revers|রিভার্স|received|paid by|পে\u09af\u09bcে|প্রাপ্ত|ফেরত নে|কেটে/i.test(words)) return 'outgoing';
  return /return|refund|\bback\b|ফেরত|ফিরি|রিফান্ড/i.test(words) ? 'refund' : 'failed';
}

/**
 * The transactions of which an SMS says that they were taken back, in upper case, the wallet's own words
 * alone: a payer who types the id of another into the reference takes nothing back.
 * @param body as received. @returns nothing for a reading without the reason `transaction_reversed`.
 */
export function idsTakenBack(reading: SmsReading, body: string): string[] {
  const { channel, reasons } = reading;
  if (channel === null || !reasons.includes('transaction_reversed')) return [];
  const text = unmask(normalise(body).text);
  const named = idsNamedIn(text, channel);
  const reference = REFERENCE.exec(text);
  if (reference === null) return named;
  return [...new Set([...idsNamedIn(text.slice(0, reference.index), channel), ...named.slice(-1)])];
}
