/**
 * Judges the two parts of a text that no template can spell out: what the payer typed, and what a wallet
 * adds after its message. Payers type whole messages to look like the wallet; forwarders join two texts.
 */
import type { MfsChannel } from '../../domain/channels.js';
import { unmask } from './normalise.js';

/** The name of an id, in any of the wallets' spellings: nobody but a wallet needs to write it. */
const ID_LABEL = /(?:t(?:x|xn|rx|rnx)|trans(?:action)?)[ _.-]?id/i;
/** "Fee Tk", "Balance: BDT": a bare word ("exam fee") is honest, with a currency it is a label. */
const MONEY_LABEL = /\b(?:fee|bal|balance|charge|comm|commission)\b[ .:-]{0,3}(?:tk\b|tk[\d.]|bdt|taka|৳)/i;
const LINE_LABEL =
  /(?:amount|amt|sender|customer|uddokta|receiver|balance|bal|fee|comm|ref(?: no)?|reference|a\/c)\s{0,2}:|date:\d/i;
/** What a wallet's text about money opens with, so that it may be the beginning of another one. */
const OPENING =
  /you(?:'ve| have) received|(?:money|payment|cash[ -]?in|cash[ -]?out|b2b) received|(?:has|have) been received|received from a\/c|received payment|cash[ -]?(?:in|out) (?:of |from |to )?(?:a\/c|tk|bdt|taka)|send money (?:tk|bdt|taka|successful)|add money from|পে\u09af\u09bcেছেন/i;

/** What two torn texts leave where the reference should be: the end of a clause before the next one. */
const SEAM = /\.\s?(?:ref|fee|bal)|(?<!^received )(?:tk|bdt|taka)[. ]{0,2}\d[\d,.]* from \+?\d/i;

/** Does it hold what only a wallet's own message should hold? */
export function resemblesMessage(text: string): boolean {
  // Shorter than the shortest label, and by far the most references.
  if (text.length < 4) return false;
  const plain = /^[ -~]*$/.test(text) ? text : unmask(text);
  return RESEMBLANCES.some((resemblance) => resemblance.test(plain));
}

const RESEMBLANCES = [ID_LABEL, MONEY_LABEL, LINE_LABEL, OPENING, SEAM];

/** Does it hold both the opening and the id label of a message: not a part of one but another one? */
export function holdsMessage(text: string): boolean {
  const plain = unmask(text);
  return OPENING.test(plain) && ID_LABEL.test(plain);
}

/** Does it name an id? Behind a message that is another one, whatever else it says. */
export function namesId(text: string): boolean {
  return ID_LABEL.test(unmask(text));
}

interface Additions {
  /** What the wallet is known to add, whole, in lower case. Forwarders cut it anywhere. */
  readonly tails: readonly string[];
  /** Where the links of its offers lead, in lower case; anybody can make one elsewhere. */
  readonly links: readonly string[];
}

/** By channel: nobody but the wallet itself adds its words, so another's give a text away. */
const ADDITIONS: Readonly<Record<MfsChannel, Additions>> = {
  mfs_a: {
    tails: [
      'download app: https://bka.sh/8app',
      'mobile recharge bkash korun.',
      'priyo cash out at 13.95/thousand',
      'helpline 16247',
      'tca',
    ],
    links: ['bka.sh/', 'bkash.com/', 'www.bkash.com/'],
  },
  mfs_b: { tails: ['for details call 16167'], links: ['nagad.io/', 'nagad.com.bd/', 'www.nagad.com.bd/'] },
  mfs_c: {
    tails: [
      'download https://bit.ly/nexuspay',
      'please download https://bit.ly/nexuspay',
      "don't share your pin with anybody",
    ],
    links: ['bit.ly/nexuspay', 'www.dutchbanglabank.com/'],
  },
  mfs_d: { tails: [], links: ['upaybd.com/', 'www.upaybd.com/'] },
};

/** How an offer begins and what it is about; offers change monthly, so they cannot be listed whole. */
const OFFER_OPENING =
  /^(?:get|enjoy|win|earn|save|use|dial|visit|offer|pay|flat|up to|priyo|cashback \d+|mobile recharge)\b/;
const OFFER_SUBJECT = /cashback|offer|discount|coupon|bonus|\btca\b|t&c|\bapp\b|\/thousand|\*\d{3}#/;
/** Whatever an offer says, with one of these it says something about this or another payment. */
const NO_OFFER =
  /receiv|revers|cancel|return|refund|fail|unsuccess|declin|reject|pending|hold|held|reserv|block|suspend|fraud|dispute|debit|deduct|credited|transferr|loan|request|invalid|not valid|mistake|wrong|\b01[3-9]\d|test|wait/i;
/** Nothing but the link: what else stood there would be no offer. */
const APP_LINK = /^download[ a-z:]{1,20}https?:\/\/\S+$/;
/** An id, a payer or an account: an offer is about nobody. */
const PARTICULAR = /\b(?=[a-z]*\d)[0-9a-z]{8,}\b|\*{2,}\d|x{3,}\d/;
const LINK = /(?:https?:\/\/|www\.)\S*/g;
const LONGEST_OFFER = 200;

/**
 * May this follow a complete message of `channel` without changing what it means?
 * @param tail everything after the date, as normalised.
 */
export function isKnownTail(tail: string, channel: MfsChannel): boolean {
  const text = tail.trim().toLowerCase();
  if (text === '') return true;
  const { tails, links } = ADDITIONS[channel];
  const whole = text.replace(/\.$/, '');
  if (whole.length >= 3 && tails.some((known) => known.startsWith(whole))) return true;
  return text.length <= LONGEST_OFFER && isOffer(text, links);
}

/** @param text in lower case. */
function isOffer(text: string, links: readonly string[]): boolean {
  if (!APP_LINK.test(text) && !(OFFER_OPENING.test(text) && OFFER_SUBJECT.test(text))) return false;
  if (NO_OFFER.test(text) || resemblesMessage(text) || !/^[ -~\n]*$/.test(text)) return false;
  if (PARTICULAR.test(text.replace(LINK, ''))) return false;
  return [...text.matchAll(LINK)].every(([link]) => {
    const target = link.replace(/^https?:\/\//, '').replace(/[).,!]+$/, '');
    return links.some((known) => (known.endsWith('/') ? `${target}/`.startsWith(known) : target === known));
  });
}

/** The line that Nagad puts before a message: an offer in capitals with its own link. */
export function isKnownHead(head: string): boolean {
  return /^[ -~]*$/.test(head) && !NO_OFFER.test(head) && !resemblesMessage(head);
}
