/**
 * Recognises wording of a wallet's message in places where it should not be: in what the payer typed, and
 * after the message. Payers type complete messages to imitate the wallet; forwarders join two texts.
 */

import { CHANNEL, type MfsChannel } from '../../domain/accounts/channels.js';
import { WALLET_ID_SHAPE } from '../../domain/matching/reference.js';
import type { SmsKind } from '../../domain/wallets/format.js';
import { WALLETS } from '../../domain/wallets/index.js';
import { normalise, unmask } from './normalise.js';
import type { SmsReading } from './types.js';

/** The name of an id, in any of the wallets' spellings: nobody but a wallet needs to write it. */
const ID_LABEL = /(?:t(?:x|xn|rx|rnx)|trans(?:action)?)[ _.-]?id/i;
/** "Fee Tk", "Balance: BDT": a bare word ("exam fee") is honest, with a currency it is a label. */
const MONEY_LABEL = /\b(?:fee|bal|balance|charge|comm|commission)\b[ .:-]{0,3}(?:tk\b|tk[\d.]|bdt|taka|৳)/i;
/** "Fee:" at the beginning of a word: "coffee: 2" is honest. */
const LINE_LABEL =
  /(?<![a-z])(?:amount|amt|sender|customer|uddokta|receiver|balance|bal|fee|comm|ref(?: no)?|reference|a\/c)\s{0,2}:|date:\d/i;
/** Capitalised label within a word, where a forwarder joined two lines. */
const GLUED_LABEL =
  /[A-Za-z](?:Amount|Amt|Sender|Customer|Uddokta|Receiver|Balance|Bal|Fee|Comm|Ref(?: No)?|Reference|A\/C)\s{0,2}:/;
/** Opening words of a wallet's text about money, which can be the beginning of another message. */
const OPENING =
  /you(?:'ve| have) received|(?:money|payment|cash[ -]?in|cash[ -]?out|b2b) received|(?:has|have) been received|received from a\/c|received payment|cash[ -]?(?:in|out) (?:of |from |to )?(?:a\/c|tk|bdt|taka)|send money (?:tk|bdt|taka|successful)|add money from|পে\u09af\u09bcেছেন/i;

/** Trace of two joined fragments in the reference: the end of a clause before the next label. */
const SEAM_OF_LABEL = /\. (?:Ref|Fee|Balance)\b/;
/** Label in other spellings, which counts only after a payer's number, or with its value. */
const SEAM = /\d\.\s?ref(?![a-z])|\.\s?(?:fee|bal(?:ance)?)\b[ :.-]{0,3}(?:(?:tk|bdt|taka|৳)[. ]{0,2})?\d/i;
const SEAM_OF_PAYER = /(?<!^received )(?:tk|bdt|taka)[. ]{0,2}\d[\d,.]* from \+?\d/i;

/** True if the text contains wording that only a wallet's own message should contain. */
export function resemblesMessage(text: string): boolean {
  // Shorter than the shortest label, and by far the most references.
  if (text.length < 4) return false;
  const plain = unmask(text);
  return RESEMBLANCES.some((resemblance) => resemblance.test(plain));
}

const RESEMBLANCES = [
  ID_LABEL,
  MONEY_LABEL,
  LINE_LABEL,
  GLUED_LABEL,
  OPENING,
  SEAM_OF_LABEL,
  SEAM,
  SEAM_OF_PAYER,
];

/** True if both opening and id label of a message are there: it is another message, not a part of one. */
export function holdsMessage(text: string): boolean {
  const plain = unmask(text);
  return OPENING.test(plain) && ID_LABEL.test(plain);
}

/** True if the text names an id; after a message, it is then another message, whatever else it says. */
export function namesId(text: string): boolean {
  return ID_LABEL.test(unmask(text));
}

/** All words that a message of money received has around its values, whichever wallet writes it. */
const PARTS = new Set(
  (
    'you have has been received receive payment money cash in out cashin cashout b2b b2c successful successfully ' +
    'from through npsb tk bdt taka fee charge comm commission bal balance netbal your ac account trxid txnid ' +
    'trnxid txid trx txn id no at date time am pm ref reference counter amount amt sender customer uddokta ' +
    'আপনি পে\u09af\u09bcেছেন থেকে টাকা ফি ব্যালেন্স সম\u09af\u09bc রেফারেন্স প্রেরক পরিমাণ'
  ).split(' '),
);

const NAMES = new Set(WALLETS.map(({ name }) => name.en.toLowerCase()));

/**
 * Is it a part of a message of money received and nothing more, as a phone leaves it that has lost the rest?
 * Its first and its last word may be torn.
 * @param text without what the payer may have typed.
 */
export function isRestOfMessage(text: string): boolean {
  const words = (text.toLowerCase().replaceAll('a/c', 'ac').match(/\S+/g) ?? [])
    .filter((word) => !/\d|\*/.test(word))
    .map((word) => word.replace(/[^\p{L}\p{M}]/gu, ''));
  return words.every((word, index) => {
    if (word === '' || PARTS.has(word) || NAMES.has(word)) return true;
    const isFirst = index === 0;
    if (!isFirst && index < words.length - 1) return false;
    return [...PARTS].some((part) => (isFirst ? part.endsWith(word) : part.startsWith(word)));
  });
}

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
 * True if the text reports the status of money that was received ("Tk 5.00 received from … has been …").
 * Statuses cannot be listed completely, so any status counts, except that the money arrived.
 * @param opening the text before the values.
 */
export function statesOutcome(opening: string): boolean {
  return BECAME.test(opening);
}

const REFERENCE = /(?<![a-z])ref(?:erence)?(?![a-z])/i;
/** Other labels of the reference; a wallet's own advice ("Note: …") uses them, but not after an amount. */
const MESSAGE = /\b(?:message|msg|note|remarks?|memo|narration|comments?)\s?[:“”"'‘]|(?:বার্তা|নোট)\s?[:“”"'‘]/i;

/** @returns where the words of the payer begin, with the label of their field; the length where none does. */
export function payerWordsBegin(text: string): number {
  const reference = REFERENCE.exec(text)?.index ?? text.length;
  const message = MESSAGE.exec(text)?.index ?? text.length;
  return /\d/.test(text.slice(0, message)) ? Math.min(reference, message) : reference;
}

/** Keeps the text before the reference and after the last id: the payer may have typed the rest. */
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

/** Classifies a text about a reversed transaction by its words. Default: `failed`, no money came in. */
export function kindTakenBack(words: string): SmsKind {
  if (HELD.test(words)) return 'pending';
  if (WENT_OUT.test(words)) return 'outgoing';
  return /return|refund|\bback\b|ফেরত|ফিরি|রিফান্ড/i.test(words) ? 'refund' : 'failed';
}

/**
 * Lists, in upper case, the transactions that `body`, as received, reports as reversed in the wallet's own
 * words: a payer who types another transaction's id into the reference reverses nothing.
 * @returns an empty list for a reading without the reason `transaction_reversed`.
 */
export function idsTakenBack(reading: SmsReading, body: string): string[] {
  const { channel, source, reasons } = reading;
  if (channel === null || !reasons.includes('transaction_reversed')) return [];
  const text = unmask(normalise(body).text);
  const row = CHANNEL[channel];
  if (source !== null || row.kind !== 'sms') {
    return [...new Set(labelledIds(text).map((id) => id.toUpperCase()))];
  }
  const named = extractIds(text, row.channel);
  const begin = payerWordsBegin(text);
  if (begin === text.length) return named;
  return [...new Set([...extractIds(text.slice(0, begin), row.channel), ...named.slice(-1)])];
}

const AFTER_LABEL = '\\.?\\s?[:#=-]?\\s?([0-9A-Z*]{8,20}?)(?=[^0-9A-Za-z*]|$|(?:date|balance|comm)\\s?:)';
const LABEL = 't(?:x|xn|rx|rnx|rans(?:action)?)[ ._-]?(?:id|no|number)';
const LABEL_IN_BANGLA = '(?:ট্রানজ(?:ে|্যা)কশন|লেনদেন)\\s?(?:আইডি|নম্বর)';
// A masked id is one that cannot be read, but it shows that the text is whole.
const LABELLED = new RegExp(`${LABEL}${AFTER_LABEL}`, 'gi');
const LABELLED_IN_BANGLA = new RegExp(`(?:${LABEL}|${LABEL_IN_BANGLA})${AFTER_LABEL}`, 'gi');
/** Ids without a label, as wallets write them; excludes numbers that could be a telephone's or a meter's. */
const BARE = /(?<![0-9A-Za-z])(?=[0-9]*[A-Z]|(?!1[3-9])[1-9][0-9]{9}(?![0-9]))[0-9A-Z]{8,10}(?![0-9A-Za-z])/g;

/** @returns every id with a label, as it is written, in order; masked and misshapen ones too. */
export function labelledIds(text: string): string[] {
  const pattern = /[\u0980-\u09ff]/.test(text) ? LABELLED_IN_BANGLA : LABELLED;
  return [...text.matchAll(pattern)].map(([, id = '']) => id);
}

/**
 * @returns every id of the wallet in a text, in upper case, without duplicates: two if two messages were
 * joined. If none has a label, all words in the shape of the wallet's ids.
 */
export function extractIds(text: string, channel: MfsChannel): string[] {
  const shape = WALLET_ID_SHAPE[channel];
  const labelled = labelledIds(text)
    .map((id) => id.toUpperCase())
    .filter((id) => shape.test(id));
  const found = labelled.length > 0 ? labelled : (text.match(BARE) ?? []).filter((id) => shape.test(id));
  return [...new Set(found)];
}
