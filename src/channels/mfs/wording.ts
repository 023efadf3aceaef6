/**
 * Recognises the words of a wallet's message where none should be: in what the payer typed, and behind the
 * message. Payers type whole messages to look like the wallet; forwarders join two texts.
 */
import { WALLETS } from '../../domain/wallets/index.js';
import { unmask } from './normalise.js';

/** The name of an id, in any of the wallets' spellings: nobody but a wallet needs to write it. */
const ID_LABEL = /(?:t(?:x|xn|rx|rnx)|trans(?:action)?)[ _.-]?id/i;
/** "Fee Tk", "Balance: BDT": a bare word ("exam fee") is honest, with a currency it is a label. */
const MONEY_LABEL = /\b(?:fee|bal|balance|charge|comm|commission)\b[ .:-]{0,3}(?:tk\b|tk[\d.]|bdt|taka|৳)/i;
/** "Fee:" at the beginning of a word: "coffee: 2" is honest. */
const LINE_LABEL =
  /(?<![a-z])(?:amount|amt|sender|customer|uddokta|receiver|balance|bal|fee|comm|ref(?: no)?|reference|a\/c)\s{0,2}:|date:\d/i;
/** In capitals within a word, where a forwarder glued two lines. */
const GLUED_LABEL =
  /[A-Za-z](?:Amount|Amt|Sender|Customer|Uddokta|Receiver|Balance|Bal|Fee|Comm|Ref(?: No)?|Reference|A\/C)\s{0,2}:/;
/** What a wallet's text about money opens with, so that it may be the beginning of another one. */
const OPENING =
  /you(?:'ve| have) received|(?:money|payment|cash[ -]?in|cash[ -]?out|b2b) received|(?:has|have) been received|received from a\/c|received payment|cash[ -]?(?:in|out) (?:of |from |to )?(?:a\/c|tk|bdt|taka)|send money (?:tk|bdt|taka|successful)|add money from|পে\u09af\u09bcেছেন/i;

/** What two torn texts leave where the reference should be: the end of a clause before the next label. */
const SEAM_OF_LABEL = /\. (?:Ref|Fee|Balance)\b/;
/** In other spellings it is a label only behind a payer's number, or with its value. */
const SEAM = /\d\.\s?ref(?![a-z])|\.\s?(?:fee|bal(?:ance)?)\b[ :.-]{0,3}(?:(?:tk|bdt|taka|৳)[. ]{0,2})?\d/i;
const SEAM_OF_PAYER = /(?<!^received )(?:tk|bdt|taka)[. ]{0,2}\d[\d,.]* from \+?\d/i;

/** Does it hold what only a wallet's own message should hold? */
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

/** Does it hold both the opening and the id label of a message: not a part of one but another one? */
export function holdsMessage(text: string): boolean {
  const plain = unmask(text);
  return OPENING.test(plain) && ID_LABEL.test(plain);
}

/** Does it name an id? Behind a message that is another one, whatever else it says. */
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
