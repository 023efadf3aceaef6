/**
 * Recognises texts that pretend to be a wallet's although somebody else sent them, and texts of the bank
 * that shares Rocket's number. Decides only how such a text is named: none of them is ever money.
 */
import { MFS_CHANNELS, type MfsChannel } from '../../domain/accounts/channels.js';
import { ID_RULES } from './checks.js';
import type { CompiledText } from './compile.js';
import { readMatch } from './match.js';
import { unmask } from './normalise.js';
import { KIND_IS_CREDIT } from './types.js';

type Texts = Readonly<Record<MfsChannel, readonly CompiledText[]>>;

/** "bKash: ", "From: NAGAD", "[upay] " */
const NAME_BEFORE = /^(?:from:?\s)?[([]?(?:bkash|nagad|rocket|upay)[)\]:]{0,2}\s/i;

/** Parts that only a wallet's own texts have together, wherever they stand. */
const MARKS: readonly (readonly [MfsChannel, readonly RegExp[]])[] = [
  ['mfs_b', [/\b(?:money|cash in|cash out|payment|b2b) received\b/i, /txn ?id|amount:/i]],
  ['mfs_c', [/\b(?:received|cash-(?:in|out)) from a\/c|through npsb\. fee: /i, /txnid/i]],
  ['mfs_d', [/has been received from|received (?:cash-out|payment) of/i, /trx ?id:? ?01[0-9A-Z]{8}\b|ref-/i]],
  ['mfs_a', [/you have received|cash (?:in|out) tk/i, /\btk\b|\bbdt\b/i, /\bfrom\b/i]],
];

/** Talk of an account, in the name of a wallet. Words of a chat about a payment are not enough. */
const PHISH_NAMES: readonly (readonly [MfsChannel, RegExp])[] = [
  ['mfs_a', /\bbkash\b|বিকাশ/i],
  ['mfs_b', /\bnagad\b|নগদ/i],
  ['mfs_c', /\brocket\b|রকেট/i],
  ['mfs_d', /\bupay\b|উপা(?:\u09df|\u09af\u09bc)/i],
];
const PHISH_TALK =
  /গ্রাহক|একাউন্ট|অ্যাকাউন্ট|হেল্পলাইন|স্থগিত|পিন|customer|account|helpline|verif|suspend|blocked|\bpin\b|\botp\b|prize|lottery/i;

/**
 * The wallet whose text this is, or pretends to be; null if it is nothing like one.
 * @param suspicious also recognise what merely looks like one: right for strangers, wrong for other wallets.
 */
export function imitatedChannel(texts: Texts, text: string, suspicious: boolean): MfsChannel | null {
  for (const channel of MFS_CHANNELS) {
    const match = readMatch(texts[channel], text, null);
    if (match !== null && KIND_IS_CREDIT[match.format.kind]) return channel;
  }
  if (!suspicious) return null;
  const plain = unmask(text);
  for (const [channel, marks] of MARKS) if (marks.every((mark) => mark.test(plain))) return channel;
  if (!PHISH_TALK.test(text)) return null;
  return PHISH_NAMES.find(([, name]) => name.test(text))?.[0] ?? null;
}

/**
 * The other wallet whose text the wallet of `own` is made to say; null if it may be its own words. Wallets
 * borrow each other's words, so an id of its own shape speaks for it; another's name before them does not.
 */
export function imitatedByOwn(texts: Texts, text: string, own: MfsChannel): MfsChannel | null {
  const bare = text.replace(NAME_BEFORE, '');
  for (const channel of MFS_CHANNELS) {
    const match = channel === own ? null : readMatch(texts[channel], bare, null);
    if (match === null || !KIND_IS_CREDIT[match.format.kind]) continue;
    const id = match.values.trxId;
    if (id === null || !ID_RULES[own].shape.test(id) || ID_RULES[channel].shape.test(id)) return channel;
  }
  return null;
}

/** Is this of the bank's accounts and cards rather than of Rocket? */
export function isBankText(text: string): boolean {
  if (/^dear [a-z/]{3,10}, your a\/c \*/i.test(text)) return true;
  // The bank's texts carry no id; Rocket's may advertise the bank's app.
  if (/rocket|txn ?id/i.test(text)) return false;
  return /^dear (?:sir|customer)|^balance of your a\/c|(?:debit|credit) card|NexusPay|your a\/c \*/i.test(
    text,
  );
}
