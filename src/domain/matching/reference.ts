/**
 * Transaction ids as customers type them: which texts can be one, and the one form in which it is kept; and
 * the payment reference that a payer wrote into a wallet. Pure.
 */
import { PAYMENT_REFERENCE } from '../../base/values/ids.js';
import { type Paisa, parseTaka } from '../../base/values/money.js';
import { asciiDigits } from '../../base/values/text.js';
import { CHANNEL, MFS_CHANNELS, type MfsChannel, type PayChannel } from '../accounts/channels.js';
import { ofEachWallet } from '../wallets/index.js';

/**
 * Normalizes an id, so that it cannot be credited again in another spelling. Ids of an exchange become upper
 * case here only; claims keep them as typed, as some are case-sensitive. Others have one spelling.
 */
export function creditedName(channel: PayChannel, reference: string): string {
  return CHANNEL[channel].hasManyIds ? reference.toUpperCase() : reference;
}

/**
 * Scope in which a reference can be spent only once. For a wallet it is the receiving number, because the
 * phones of two merchants may report one id; for a chain, an exchange or a bank it is the scope of the proof.
 */
export function spendingScope(proof: {
  readonly channel: PayChannel;
  readonly scope: string;
  /** The wallet number that received it; null where nobody knows. */
  readonly recipient?: string | null;
}): string {
  return CHANNEL[proof.channel].kind === 'sms' ? (proof.recipient ?? '') : proof.scope;
}

/**
 * Folds a bank's reference: removes everything that people omit, and replaces letters that they confuse (O by
 * 0, I by 1). Two references that fold to the same text may be one transfer and need manual review.
 */
export function foldedReference(reference: string): string {
  return reference
    .toUpperCase()
    .replace(/[ ._/#:&()-]/g, '')
    .replaceAll('O', '0')
    .replaceAll('I', '1');
}

const WITHIN = '/';

/** A number that a shop gave to its order is given out once by that shop only. No id has a stroke in it. */
export function shopNumberName(account: string, number: string): string {
  return `${account}${WITHIN}${number.toUpperCase()}`;
}

/** @returns whose number it is, or null for an id that the exchange itself gave out. */
export function parseShopNumber(name: string): { readonly account: string; readonly number: string } | null {
  const [account = '', number] = name.split(WITHIN);
  return number === undefined ? null : { account, number };
}

export const WALLET_ID_SHAPE = ofEachWallet(({ ids }) => ids.shape);

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * @param id the time part of a ULID, as some wallets have.
 * @returns its time, milliseconds since the epoch.
 */
export function ulidTime(id: string): number {
  let ms = 0;
  for (const char of id) ms = ms * 32 + CROCKFORD.indexOf(char);
  return ms;
}

/** True for an id in the usual shape of that wallet; of another channel nothing is known. */
export function matchesIdShape(channel: PayChannel, reference: string): boolean {
  const row = CHANNEL[channel];
  return row.kind === 'sms' && row.wallet.ids.shape.test(reference);
}

export type ReadReference =
  /** Can be an id of the channel; `reference` is the one form in which it is kept. */
  | { readonly outcome: 'id'; readonly reference: string }
  /** Plain text that the channel gives out to nobody: in no record, so nothing needs to be looked up. */
  | { readonly outcome: 'no_id' }
  /** Not plain text; `fault` explains to the customer what to enter. */
  | { readonly outcome: 'invalid'; readonly fault: string };

const INVALID: ReadReference = {
  outcome: 'invalid',
  fault: 'transaction_id must be the letters and digits after TrxID or TxnID in the SMS',
};

/**
 * Parses the id of a wallet's SMS. Ignores case and surrounding spaces only; letters of other scripts, inner
 * spaces and control characters are not valid. Checks for ASCII before the conversion to upper case, which
 * would turn `ı`, `ſ` and the Kelvin sign into I, S and K.
 */
export function parseWalletReference(text: string): ReadReference {
  const bare = text.trim();
  if (/^[A-Za-z0-9]{4,32}$/.test(bare)) return { outcome: 'id', reference: bare.toUpperCase() };
  return /^[!-~]{1,128}$/.test(bare) ? { outcome: 'no_id' } : INVALID;
}

export type FoundReference =
  | { readonly outcome: 'id'; readonly reference: string }
  /** The text holds more than one id, and nothing says which of them pays. */
  | { readonly outcome: 'several' }
  | { readonly outcome: 'none' };

export type MistakenId = 'is_pin' | 'is_phone' | 'is_amount';

/** Nobody's id is so short; a PIN has four or five digits, and of one no more is kept than of a password. */
const PIN = /^[0-9]{4,6}$/;

/**
 * @param text as typed into the field for a wallet's id.
 * @returns what the text is instead of an id, or null if it may be an id.
 */
export function mistakenId(channel: PayChannel, text: string, duePaisa: Paisa): MistakenId | null {
  if (CHANNEL[channel].kind !== 'sms' || text.length > MAX_SPACED_ID) return null;
  const bare = plainText(text).replace(/[\s+,৳-]/g, '');
  if (matchesIdShape(channel, bare)) return null;
  if (PHONE.test(bare)) return 'is_phone';
  const amount = parseTaka(bare);
  if (amount.ok && amount.paisa === duePaisa) return 'is_amount';
  return PIN.test(bare) ? 'is_pin' : null;
}

const LABEL = /t(?:rnx|rx|xn|x)\s?id|transaction\s?(?:id|no)|(?:ট্রানজ(?:ে|্যা)কশন|লেনদেন)\s?(?:আইডি|নম্বর)/giu;
/** Words after a label. The first may be the id, or the first few if the id contains spaces. */
const WORDS_BEHIND = /^[\s:.#="'“”‘’()[\]-]{0,5}([A-Za-z0-9]+(?:[ -]{1,2}[A-Za-z0-9]+){0,9})/;
/** Words that wallets and forwarders write after an id without a space. */
const GLUED = /(?:date|balance|comm)\s?:/gi;
/** Maximum length of an id that was typed with spaces and dashes; longer texts are messages. */
const MAX_SPACED_ID = 24;
const MIN_LABELLED = 6;
/** Phone number, with or without its leading 0; most messages contain one. */
const PHONE = /^(?:88)?0?1[3-9][0-9]{8}$/;

/**
 * Finds the id in a text that a customer pasted: the id alone, with spaces in it, in Bengali digits, or
 * anywhere in a complete SMS. A word in the shape of the wallet's ids is preferred to another word, even to
 * one after a label: people write "TrxID number …". The result is only a claim; the SMS on the shop's phone
 * decides whether there is money.
 */
export function findWalletReference(channel: MfsChannel, text: string): FoundReference {
  const plain = pastedText(text).replace(GLUED, ' $&');
  const shape = WALLET_ID_SHAPE[channel];
  const [, ...behindLabels] = plain
    .split(LABEL)
    .map((part) => WORDS_BEHIND.exec(part)?.[1]?.toUpperCase().split(/[ -]+/) ?? []);
  const labelled = behindLabels.flatMap((words) => joinedTo(words, shape));
  if (labelled.length > 0) return onlyOne(labelled);
  const whole = parseWalletReference(plain);
  if (whole.outcome === 'id') return whole;
  // Of ASCII alone: the Kelvin sign and its like would turn into letters of ids.
  const joined = plain.replace(/[\s-]/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
  if (plain.length <= MAX_SPACED_ID && shape.test(joined)) return { outcome: 'id', reference: joined };
  const words = [...plain.matchAll(/[A-Za-z0-9]+/g)].map(([word]) => word.toUpperCase());
  const fitting = words.filter((word) => shape.test(word));
  if (fitting.length > 0) return onlyOne(preferring((word) => !PHONE.test(word), fitting));
  // The shape of ids may change, and the SMS may be of another wallet than the card.
  return onlyOne(behindLabels.flatMap(([word = '']) => (mayBeId(word) ? [word] : [])));
}

/** The first words as one id of that shape; a first word that is an id of some wallet is not joined. */
function joinedTo(words: readonly string[], shape: RegExp): string[] {
  const [first = ''] = words;
  if (Object.values(WALLET_ID_SHAPE).some((one) => one.test(first))) return shape.test(first) ? [first] : [];
  const starts = words.map((_, index) => words.slice(0, index + 1).join(''));
  return starts.filter((start) => shape.test(start)).slice(0, 1);
}

const mayBeId = (word: string) => word.length >= MIN_LABELLED && /[0-9]/.test(word) && !PHONE.test(word);

function preferring<T>(isBetter: (item: T) => boolean, items: readonly T[]): readonly T[] {
  const better = items.filter(isBetter);
  return better.length > 0 ? better : items;
}

/** @param ids ids that were found; ids that differ only in case are the same, and the first is returned. */
export function onlyOne(ids: readonly string[]): FoundReference {
  const [reference] = ids;
  if (reference === undefined) return { outcome: 'none' };
  return distinct(ids).length === 1 ? { outcome: 'id', reference } : { outcome: 'several' };
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toUpperCase()))];
}

/** Converts Bengali digits to ASCII digits, and removes the invisible characters that copying leaves. */
export function plainText(text: string): string {
  return asciiDigits(text)
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .trim();
}

/** Characters around an id in a sentence, in a list or between quotation marks. */
const AROUND = '["\'`“”‘’«»‹›<>(){}\\[\\]#.,:;!?।\\s]+';
const AROUND_IT = new RegExp(`^${AROUND}|${AROUND}$`, 'gu');

/**
 * Cleans a text that was pasted into a field for an id, a hash or a number: removes invisible characters,
 * converts full-width characters to ASCII, and removes quotes, brackets, dots and the like around it. Used by
 * every input of such texts.
 */
export function pastedText(text: string): string {
  const narrow = text.replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));
  return plainText(narrow).replace(AROUND_IT, '');
}

const HASH = /(?<![0-9a-z])0x[0-9a-f]{64}(?![0-9a-z])/gi;

/**
 * Finds the id in a pasted text of an unknown channel: one hash, or one id in the shape of a wallet's ids.
 * @returns null if the text contains none, or more than one.
 */
export function idInPasted(text: string): string | null {
  const plain = pastedText(text);
  if (/^[\w-]*$/.test(plain)) return plain === '' ? null : plain;
  const hashes = distinct(plain.match(HASH) ?? []);
  const ids = MFS_CHANNELS.flatMap((channel) => {
    const found = findWalletReference(channel, plain);
    return found.outcome === 'id' && matchesIdShape(channel, found.reference) ? [found.reference] : [];
  });
  const [id, ...others] = hashes.length > 0 ? hashes : distinct(ids);
  return id === undefined || others.length > 0 ? null : id;
}

/**
 * Combines both results for a shop's or operator's input: an id found in a text is valid, two are not.
 * @param strict result of parsing the text as an id.
 * @param found result of the search for an id in the text.
 */
export function resolvePastedReference(strict: ReadReference, found: FoundReference): ReadReference {
  if (strict.outcome === 'id' || found.outcome === 'none') return strict;
  if (found.outcome === 'id') return found;
  return {
    outcome: 'invalid',
    fault: 'transaction_id contains more than one id; send only the one that pays for this order',
  };
}

const MIN_BANK_REFERENCE = 3;
export const MAX_BANK_REFERENCE = 64;

/**
 * Normalizes the reference of a transfer on a bank's slip or in its app: English and Bangla letters and
 * digits, and a few separators. Other scripts and stray combining marks are rejected, because they are
 * invisible or look like these characters, and one transfer could be shown to an operator twice. One form for
 * each reference: NFC, upper case, single spaces.
 * @returns null if it is shorter or longer than the reference of any bank, or contains another character.
 */
export function parseBankReference(text: string): string | null {
  const reference = plainText(text).normalize('NFC').replace(/\s+/g, ' ').toUpperCase();
  const isPlain = /^[A-Z0-9\p{Script=Bengali}][A-Z0-9\p{Script=Bengali} ._/#:&()-]*$/u.test(reference);
  const { length } = reference;
  return isPlain && length >= MIN_BANK_REFERENCE && length <= MAX_BANK_REFERENCE ? reference : null;
}

const MAX_PUSH_REFERENCE = 64;
/** Characters that an operator can read and type. */
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** True if a push may contain this reference of a payment. */
export function isPushReference(text: string): boolean {
  return text.length <= MAX_PUSH_REFERENCE && PRINTABLE.test(text);
}

/** Maximum words; a text with more names no payment: no transaction pays that many. */
const MAX_NAMED = 3;

/**
 * @param text the reference field, as the payer filled it; Bangla digits and small letters count.
 * @returns its words that have the shape of a payment reference, each once; none where there are too many.
 */
export function extractPaymentReferences(text: string): string[] {
  // Letters of other scripts are letters, too: a word that holds one is another word.
  const words = asciiDigits(text)
    .toUpperCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => PAYMENT_REFERENCE.test(word));
  const named = [...new Set(words)];
  return named.length > MAX_NAMED ? [] : named;
}

/**
 * Wallets say the minute of a payment, perhaps by a clock that is a little slow: money that moved longer ago
 * than that before a payment was opened cannot name it.
 */
const CLOCKS_MS = 3 * 60_000;

/** @param moved when the money moved. @param opened when the payment was opened. Both in milliseconds. */
export const couldName = (moved: number, opened: number): boolean => moved >= opened - CLOCKS_MS;
