/**
 * Recognises texts that say of a transaction that it was taken back: reversed, returned, cancelled, failed,
 * deducted, held. No such text is public, so this is a small rule of words and no format. It decides what a
 * text says, never what follows from it.
 */
import type { SmsKind } from '../../domain/wallets/format.js';
import { idsNamedIn, labelledIds } from './ids.js';
import { normalise, unmask } from './normalise.js';
import type { SmsReading } from './types.js';

const TAKEN_BACK = new RegExp(
  [
    'revers|deduct|charge ?back|\\bclaw',
    '\\b(?:returned|refunded|cancell?ed|voided|declined|rejected|failed|unsuccessful|rolled back)\\b',
    '\\b(?:debited|seized|confiscated|recall(?:ed)?|revoked|retracted|annulled|nullified|undone|adjusted)\\b',
    '\\b(?:recovered|by mistake|mistakenly|wrongly|erroneously|in error)\\b',
    '\\b(?:hold|held|withheld|freeze|froze|frozen|blocked|suspended|disputed|fraudulent|unauthori[sz]ed)\\b',
    '\\bunder (?:dispute|investigation|review|verification)\\b',
    '\\b(?:sent|given|paid|credited|taken|moved|pulled|asked|requested|claimed) (?:it |the money )?back\\b',
    '\\bnot (?:been )?(?:successful|completed|credited)\\b|\\btak(?:e|en|es|ing) (?:back|out|away)\\b',
    'রিভার্স|রিফান্ড|ফেরত|ফিরি\\u09af\\u09bcে|বাতিল|ব্যর্থ|(?<!টিকেট |টিকিট )(?:কেটে|কাটা)',
    'কর্তন|ডেবিট|প্রত্যাহার|সমন্ব\\u09af\\u09bc|স্থগিত|আটক|জব্দ|হোল্ড|ফ্রিজ|ব্লক|\\b(?:ferot|batil|kete|kata|sthogito|atke)\\b',
  ].join('|'),
  'i',
);

/** @param words of the wallet itself. */
export function saysTakenBack(words: string): boolean {
  return TAKEN_BACK.test(words);
}

const BECAME =
  /\b(?:received|credited)\b(?:[^.!?;\n]|\.(?=\d)){0,120}?\b(?:has|have|had|was|were|is|are|will)\s(?!(?:now |already )?(?:been |be )?(?:successful|successfully|complete|completed|credited|added|received|deposited)\b)[a-z]/i;

/**
 * Does it say what became of money that was received ("Tk 5.00 received from … has been …")? No list holds
 * all that can become of it, so whatever follows counts, unless it says that the money came.
 * @param opening as far as the values.
 */
export function saysWhatBecame(opening: string): boolean {
  return BECAME.test(opening);
}

const REFERENCE = /(?<![a-z])ref(?:erence)?(?![a-z])/i;
/** Other names of the field. A wallet's own advice ("Note: …") has them as well, but not behind an amount. */
const MESSAGE = /\b(?:message|msg|note|remarks?|memo|narration|comments?)\s?[:“”"'‘]|(?:বার্তা|নোট)\s?[:“”"'‘]/i;

/** @returns where the words of the payer begin, with the label of their field; the length where none does. */
export function payerWordsBegin(text: string): number {
  const reference = REFERENCE.exec(text)?.index ?? text.length;
  const message = MESSAGE.exec(text)?.index ?? text.length;
  return /\d/.test(text.slice(0, message)) ? Math.min(reference, message) : reference;
}

/** A text without what its payer may have typed: all before the reference, and all behind the last id. */
export function walletWording(text: string): string {
  const begin = payerWordsBegin(text);
  if (begin === text.length) return text;
  const last = labelledIds(text).at(-1);
  const end = last === undefined ? text.length : text.lastIndexOf(last) + last.length;
  return `${text.slice(0, begin)}\n${text.slice(Math.max(end, begin))}`;
}

const HELD =
  /\b(?:hold|held|withheld|freeze|froze|frozen|blocked|suspended|disputed)\b|\bunder \w|স্থগিত|আটক|জব্দ|হোল্ড|ফ্রিজ|ব্লক|sthogito/i;
const WENT_OUT =
  /revers|deduct|debited|claw|charge ?back|seized|confiscated|recall|adjusted|\btak|রিভার্স|received|paid by|পে\u09af\u09bcে|প্রাপ্ত|ফেরত নে|কেটে|কাটা|কর্তন|ডেবিট|\bkete\b|\bkata\b/i;

/** What became of the money, as far as the words of such a text tell; in doubt none came in. */
export function kindTakenBack(words: string): SmsKind {
  if (HELD.test(words)) return 'pending';
  if (WENT_OUT.test(words)) return 'outgoing';
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
  const begin = payerWordsBegin(text);
  if (begin === text.length) return named;
  return [...new Set([...idsNamedIn(text.slice(0, begin), channel), ...named.slice(-1)])];
}
