/**
 * Checks the text around a complete message: an offer, a link or advice of the wallet does not change what
 * the message says; any other text may. Knows no payment and parses no value.
 */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { ofEachWallet, WALLET, WALLETS } from '../../domain/wallets/index.js';
import { resemblesMessage, saysTakenBack } from './wording.js';

/** Pattern of the names of all other wallets, by channel. */
const FOREIGN_NAMES = ofEachWallet(({ channel: own }) => {
  const names = WALLETS.flatMap(({ channel, additions }) => (channel === own ? [] : additions.names));
  return new RegExp(`\\b(?:${names.join('|')})\\b`);
});

/** Openings and subjects of offers; offers change monthly, so they cannot be listed completely. */
const OFFER_OPENING =
  /^(?:get|enjoy|win|earn|save|use|dial|visit|offer|pay|flat|up to|priyo|cashback \d+|mobile recharge)\b/;
const OFFER_SUBJECT = /cashback|offer|discount|coupon|bonus|\btca\b|t&c|\bapp\b|\/thousand|\*\d{3}#/;
/** Words that say something about this or another payment, whatever else the text contains. */
const NO_OFFER =
  /receiv|revers|cancel|return|refund|fail|unsuccess|declin|reject|pending|hold|held|reserv|block|suspend|fraud|dispute|debit|deduct|credited|transferr|loan|request|invalid|not valid|mistake|wrong|\b01[3-9]\d|\btest|wait|\bvoid|correct|actual|instead|adjust|\b(?:sent|given|taken|paid) back|unauthori|duplicate|\berror|\bdemo\b|\bfake|\bpaid\b|\bamount (?:is|was|tk)\b|\bundo\b|approv|accept|confirm|until then|\bget back\b|\bnot (?:real|yours|yet|count)|\b(?:this|previous|last|above) (?:payment|transaction|money|amount|transfer)\b/i;
/** Pattern of a link alone: any other words would not be an offer. */
const APP_LINK = /^download[ a-z:]{1,20}<link>$/;
/** An id, a payer or an account: an offer is about nobody. */
const PARTICULAR = /\b(?=[a-z]*\d)[0-9a-z]{8,}\b|\*{2,}\d|x{3,}\d/;
/** Text that a phone opens as a link: with a scheme, or with the ending of a domain. */
const LINK =
  /(?:https?:\/\/|www\.)\S*|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|info|io|ly|sh|bd|me|gl|co|app|link|page|site|xyz|top|shop|club|online)\b(?:[/?]\S*)?/g;
const LONGEST_TAIL = 200;

/**
 * True if this text may follow a complete message of `channel` without changing its meaning.
 * @param tail everything after the date, normalised.
 */
export function isKnownTail(tail: string, channel: MfsChannel): boolean {
  const text = plainLine(tail);
  if (text === '') return true;
  // Before anything is compared: the Kelvin sign and its like lower-case to ASCII letters.
  if (!/^[ -~]*$/.test(text)) return false;
  const { names, tails, links } = WALLET[channel].additions;
  const whole = text.replace(/\.$/, '');
  if (whole.length >= 3 && tails.some((known) => known.startsWith(whole))) return true;
  if (text.length > LONGEST_TAIL) return false;
  if (NO_OFFER.test(text) || saysTakenBack(text) || resemblesMessage(text)) return false;
  if (FOREIGN_NAMES[channel].test(text)) return false;
  if (![...text.matchAll(LINK)].every(([link]) => isOwnLink(link, links))) return false;
  const linked = text.replace(LINK, '<link>');
  if (PARTICULAR.test(linked)) return false;
  return isPromotion(linked) || isAdvice(linked, names);
}

/** One line of lower-case letters, with the signs that editors put in place of ASCII ones. */
function plainLine(tail: string): string {
  const folded = tail.replace(/৳ ?/g, 'Tk ').replace(/[‘’]/g, "'").replace(/[–—]/g, '-');
  return folded
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll('\n', ' ')
    .trim();
}

function isOwnLink(link: string, links: readonly string[]): boolean {
  const target = link
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[).,!]+$/, '');
  return links.some((known) => (known.endsWith('/') ? `${target}/`.startsWith(known) : target === known));
}

/** The words of an offer are free, its opening and its subject are not. */
function isPromotion(text: string): boolean {
  return APP_LINK.test(text) || (OFFER_OPENING.test(text) && OFFER_SUBJECT.test(text));
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** First words of advice: it requests an action, or says where to get help; it never reports an event. */
const ADVICE_OPENING = words(
  'app avail buy call click conditions details dial download earn enjoy explore flat get grab helpline ' +
    'hotline hurry install invite join know link login now offer offers open pay please recharge refer register ' +
    'save scan share shop stay t&c t&cs tap tca terms thank thanks try up update use valid visit win <link>',
);
const ADVICE_OPENING_LONG =
  /^for (?:more|details|offers|info|information|help|any|queries)\b|^(?:please )?(?:never|do not|don't) share\b/;
/** Negations, which a wallet uses in one kind of advice only: not to share something. */
const NEGATION = words("do don't never not");
/** "bKash App" reports the app, "bKash Bonus" of this money. */
const AFTER_NAME = words('app apps offer offers helpline hotline <link> <ussd>');
/** Subjects of advice; text without one of them is not a wallet's advice. */
const ADVICE_SUBJECT = words(
  'app apps call cashback coupon details dial discount helpline hotline offer offers otp pin recharge t&c ' +
    't&cs tca terms thank thanks <link> <ussd> <rate>',
);
/** Words that must be in a clause with an amount: it offers something for it. */
const OFFERED = words('bonus cashback coupon discount earn off offer offers <percent> <rate>');
/** "Bonus for Send Money" says what this money is; with one of these it is a bonus that is still to come. */
const INVITING = words('avail earn enjoy flat get grab offer offers up win <percent>');
const GIVEN = words('bonus cashback gift gifts reward rewards');
const VOCABULARY = words(
  'a about account agent all an and any anybody anyone anytime anywhere app apply apps at atm avail ' +
    'bdt best bill bills bonus buy by call campaign card cash cashback cashout charge click code ' +
    "conditions convenience coupon customer day days details dial discount do don't download e earn " +
    'easily easy eid enjoy every exciting exclusive explore fast first flat for free friend friends ' +
    'from get gift gifts grab helpline hotline hour hurry in info information install instant invite ' +
    'join know korun latest link login max maximum menu merchant merchants mobile money month more ' +
    'never new not now of off offer offers on online only open or order others otp our out outlet ' +
    'outlets password pay payment payments per pin please point points priyo qr queries recharge refer ' +
    'register reward rewards safe save scan secure send service services share shop shopping smart ' +
    'special stay staying store stores t&c t&cs taka tap tca terms thank thanks the this ticket tickets ' +
    'till tk to today try up update upto use using utility valid visit week weekend win with year you ' +
    'your jan feb mar apr may jun jul aug sep sept oct nov dec',
);

/** Clauses of known words only: none of them can take money back, or report another payment. */
function isAdvice(text: string, names: readonly string[]): boolean {
  const spaced = text.replace(/\btk\.\s?/g, 'tk ').replace(/(?<!\d):|:(?!\d)/g, ' ');
  const clauses = spaced
    .split(/[!?;|]|[,.](?!\d)/)
    .map(tokensOf)
    .filter((tokens) => tokens.length > 0);
  const isSubject = (token: string) => ADVICE_SUBJECT.has(token) || names.includes(token);
  return clauses.flat().some(isSubject) && clauses.every((tokens) => isClauseOfAdvice(tokens, names));
}

function isClauseOfAdvice(tokens: readonly string[], names: readonly string[]): boolean {
  const has = (list: ReadonlySet<string>) => tokens.some((token) => list.has(token));
  const [first = '', second = ''] = tokens;
  const isOpening =
    ADVICE_OPENING.has(first) ||
    ADVICE_OPENING_LONG.test(tokens.join(' ')) ||
    (names.includes(first) && (second === '' || AFTER_NAME.has(second)));
  if (!isOpening || tokens.slice(0, -1).includes('<link>')) return false;
  if (has(NEGATION) && !tokens.includes('share')) return false;
  if (tokens.includes('<amount>') && !has(OFFERED)) return false;
  if (has(GIVEN) && !has(INVITING)) return false;
  return tokens.every((token) => token.startsWith('<') || VOCABULARY.has(token) || names.includes(token));
}

const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/^<link>$/, '<link>'],
  [/^\*\d{3}#$/, '<ussd>'],
  [/^\d{1,3}(?:\.\d{1,2})?%$/, '<percent>'],
  [/^(?:tk)?\d{1,3}(?:\.\d{1,2})?\/thousand$/, '<rate>'],
  [/^16\d{3}$/, '<helpline>'],
  [/^\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?$|^\d{1,2}:\d{2}$|^20\d{2}$|^\d{1,2}(?:st|nd|rd|th)$/, '<date>'],
  [/^(?:tk|bdt)?\d{1,3}(?:,?\d{2,3}){0,2}(?:\.\d{1,2})?(?:\+|\/-)?$/, '<amount>'],
];

/** @returns words unchanged, numbers and links as their kinds; any other word that begins with `<` as `?`. */
function tokensOf(clause: string): string[] {
  const bare = clause.split(' ').map((word) => word.replace(/^[("'&+-]+|[)"'&-]+$/g, ''));
  return bare
    .filter((word) => word !== '')
    .map((word) => TOKENS.find(([shape]) => shape.test(word))?.[1] ?? (word.startsWith('<') ? '?' : word));
}

/** The line that Nagad puts before a message: an offer in capitals with its own link. */
export function isKnownHead(head: string): boolean {
  return /^[ -~]*$/.test(head) && !NO_OFFER.test(head) && !resemblesMessage(head);
}
