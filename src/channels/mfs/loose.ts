/**
 * Classifies a text of a wallet that no format matched: money in an unknown wording, for manual review, or no
 * money. Its results never settle automatically, so it may be lenient.
 */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { isCredit, type SmsKind } from '../../domain/wallets/format.js';
import { WALLETS } from '../../domain/wallets/index.js';
import { type NormalText, unmask } from './normalise.js';
import { isKnownTail } from './tails.js';
import { NO_VALUES, type SmsReading, type SmsReason, type SmsValues } from './types.js';
import { type DateText, moment, parseDate, parseMoney, parsePayer } from './values.js';
import {
  extractIds,
  isRestOfMessage,
  kindTakenBack,
  labelledIds,
  payerWordsBegin,
  saysTakenBack,
  statesOutcome,
  walletWording,
} from './wording.js';

/** Wordings of incoming money, from the specific to the general. */
const CREDIT: readonly (readonly [RegExp, SmsKind])[] = [
  [/\bb2b\b.*(?:received|cash-in from)|received b2b/i, 'b2b_received'],
  [/add money|deposit|from (?:other )?[\w ]*bank/i, 'add_money'],
  [
    /received payment|payment received|bangla qr|পেমেন্ট (?:পে\u09af\u09bcেছেন|গ্রহণ|রিসিভ)|পেমেন্ট.*গ্রাহক/is,
    'payment_received',
  ],
  [
    /cash[ -]?out received|received cash[ -]?out|cash[ -]?out .*\bfrom\b|ক্যাশ আউট.*থেকে/is,
    'cash_out_received',
  ],
  [/cash[ -]?in received|received cash[ -]?in|cash[ -]?in .*\bfrom\b|ক্যাশ ইন/i, 'cash_in'],
  [
    /received|credited|\b(?:sent|paid|transferred) you (?:tk|bdt|৳|\d)|peyech?h?en|পে\u09af\u09bcেছেন|রিসিভ|গ্রহণ|জমা|প্রেরক/i,
    'received',
  ],
];

/** Wordings that are impossible for incoming money. */
const OUTGOING =
  /send money|money sent|\byou(?:'ve| have)? (?:\w+ )?(?:sent|paid|transferred)|(?:sent|paid|transferred|pay|payment|transfer)\b.*\bto\b|payment successful|payment (?:of|tk|bdt)\b.*(?:successful|reserved)|\bto\b.*successful|successful\.? to/is;
/** Money that has changed hands, whichever. */
const TRANSFER_PATTERN =
  /\b(?:pay|paid|payment|sent|send money|transferred|recharged?|deposited|added|collected|collection)\b|\b(?:amount|amt)\s?:|পাঠি|পাঠা/i;
const OTP = /\bOTP\b|verification code|security code|one time password|ওটিপি/i;
const BALANCE_ONLY = /\bbalance (?:is|of)\b/i;
const OFFER = /cashback|ক্যাশব্যাক|অফার|offer|discount|coupon|bonus|\bwin\b|\bchance\b|\d%|%/i;
const WHERE_VALUES_BEGIN =
  /\b(?:ref|fee|balance|bal|netbal|comm)\b|(?:t(?:x|xn|rx|rnx)|transaction) ?id|ফি|ব্যালেন্স/i;

const CURRENCY = '(?:T[Kk]|tk|BDT|Taka|TAKA|taka|৳|টাকা(?=[ :.]{0,2}\\d))';
const FIRST_MONEY = new RegExp(`${CURRENCY}[.:]?[ \\n]?[^\\s।;]*(?: (?!01[3-9]\\d{8}\\b)\\d\\S*)?`);
const MONEY_IN_BANGLA = /(?<![\d,.])(\d[\d,]*(?:\.\d{1,2})?) ?টাকা/;
/** Number before its currency word: complete, not the end of a longer one, and without a sign. */
const MONEY_BEFORE =
  /(?<![^\s:(])(?<!\d\s)(\d[\d,]*(?:\.\d{1,2})?) ?(?:T[Kk]|tk|BDT|Taka|TAKA|taka|৳|টাকা)(?![\p{L}\d])/u;
const MONEY_TOKEN = new RegExp(`^${CURRENCY}[.:]?[ \\n]?[\\d,]*(?:\\.\\d{1,2})?`);
const LABELLED = (label: string): RegExp =>
  new RegExp(
    `(?:${label})(?: is)?\\s?:?\\s?(${CURRENCY}\\.? ?\\d[\\d,]*(?:\\.\\d{1,2})?|\\d[\\d,]*\\.\\d{2})`,
    'g',
  );
const BALANCE = LABELLED('Balance|NetBal|Bal|ব্যালেন্স');
const FEE = LABELLED('Fee|ফি');
const FROM =
  /(?:from|sender|customer|uddokta|a\/c|উদ্যোক্তা|প্রেরক|গ্রাহক)\s?:?\s?([+*\dXx][\d*Xx-]{2,15}(?: \d{6})?)|(\d{11}) থেকে/i;

/** Text that no format matched, with the data that all steps use. */
interface Loose {
  readonly channel: MfsChannel;
  /** Unmasked, so that what imitates a word counts as that word. */
  readonly text: string;
  /** Text before the first reference, fee, balance or id, at most 200 characters. */
  readonly opening: string;
  readonly normal: NormalText;
  /** Each once. Of a text that takes something back also those without a label. */
  readonly ids: readonly string[];
}

/** @param normal of the official or a weak sender of `channel`. */
export function parseLoosely(channel: MfsChannel, normal: NormalText): SmsReading {
  const text = unmask(normal.text).replaceAll('\\n', '\n');
  const words = saysTakenBack(text) ? walletWording(text) : '';
  const takesBack = saysTakenBack(words);
  const labelledOnes = labelledIds(text).filter((id) => /\d/.test(id));
  const ids = labelledOnes.length === 0 && takesBack ? extractIds(text, channel) : [...new Set(labelledOnes)];
  const valuesBegin = WHERE_VALUES_BEGIN.exec(text)?.index ?? text.length;
  const opening = text.slice(0, Math.min(valuesBegin, payerWordsBegin(text), 200));
  const loose = { channel, text, opening, normal, ids };
  if (ids.length === 0 && OTP.test(text)) return reading(channel, 'otp', 'never', ['not_a_credit']);
  const about = ids.length === 0 ? classifyByWords(opening) : classifyText(opening);
  if (takesBack && ids.length > 0) return parseReversal(loose, about, words);
  const credit = CREDIT.find(([pattern]) => pattern.test(opening))?.[1];
  const other = about ?? (goesOut(opening) ? 'outgoing' : undefined);
  const isCertain = other !== 'outgoing' || !INCOMING_PATTERN.test(opening);
  if (other !== undefined && isCertain) return parseNonPayment(loose, other);
  if (credit !== undefined) return parseCredit(loose, credit);
  const isUnclear = ids.length === 1 && TRANSFER_PATTERN.test(opening) && INCOMING_PATTERN.test(opening);
  return isUnclear ? parseUnclear(loose) : parseNonPayment(loose, undefined);
}

const RECEIVED = /receiv(?!er)|credited|\u09aa\u09c7\u09af\u09bc/i;

function goesOut(opening: string): boolean {
  return OUTGOING.test(opening) && !RECEIVED.test(opening);
}

/** @param words of the wallet itself, which say that a transaction was taken back. */
function parseReversal(loose: Loose, about: SmsKind | undefined, words: string): SmsReading {
  const isVague = about === undefined || about === 'outgoing' || about === 'refund';
  const read = parseNonPayment(loose, isVague ? kindTakenBack(words) : about);
  return { ...read, reasons: [...read.reasons, 'transaction_reversed'] };
}

function parseCredit(loose: Loose, kind: SmsKind): SmsReading {
  const { channel, text, opening, normal, ids } = loose;
  const amount = firstAmount(opening, channel);
  if (amount === 'unreadable' || amount === 0) {
    return reading(channel, 'unknown', 'never', [amount === 0 ? 'amount_zero' : 'amount_unreadable']);
  }
  if (ids.length === 0) return reading(channel, 'unknown', 'never', ['incomplete']);
  if (ids.length > 1) return reading(channel, 'unknown', 'review', ['two_messages']);
  const values = parseValues(loose, amount);
  const reasons: SmsReason[] = ['format_unknown'];
  if (text !== normal.text.replaceAll('\\n', '\n')) reasons.push('characters_foreign');
  if (amount === null) reasons.push('amount_ambiguous');
  if (values.at === null) reasons.push('date_missing');
  if (statesOutcome(opening)) reasons.push('transaction_reversed');
  return { ...reading(channel, kind, 'review', reasons), ...values };
}

/** Handles unclear words about the payer: an operator may understand them or describe them in a format. */
function parseUnclear(loose: Loose): SmsReading {
  const amount = firstAmount(loose.opening, loose.channel);
  if (amount === 'unreadable' || amount === 0) return parseNonPayment(loose, undefined);
  return {
    ...reading(loose.channel, 'unknown', 'review', ['format_unknown']),
    ...parseValues(loose, amount),
  };
}

function parseValues({ channel, text, normal, ids }: Loose, amountPaisa: number | null): SmsValues {
  const payer = FROM.exec(text);
  const name = payer?.[1] ?? payer?.[2];
  const id = ids.at(-1)?.replace(/.*\*.*/, '') ?? '';
  return {
    amountPaisa,
    feePaisa: labelled(FEE, text, channel),
    balancePaisa: labelled(BALANCE, text, channel),
    from: name === undefined ? null : parsePayer(name, channel).from,
    payee: null,
    // An id that is only there after unmasking is no id.
    trxId: id !== '' && normal.text.includes(id) ? id : null,
    at: looseDate(text)?.at ?? null,
    payerReference: null,
  };
}

function parseNonPayment(loose: Loose, kind: SmsKind | undefined): SmsReading {
  const { channel, text, opening } = loose;
  const hasId = loose.ids.length > 0;
  const amount = firstAmount(opening, channel);
  const amountPaisa = typeof amount === 'number' ? amount : null;
  if (hasId && kind !== undefined) {
    const values = { ...parseValues(loose, amountPaisa), from: null };
    return { ...reading(channel, kind, 'never', ['kind_never_settles']), ...values };
  }
  if ((kind === 'failed' || kind === 'pending') && amountPaisa !== null) {
    return { ...reading(channel, kind, 'never', ['not_a_credit']), amountPaisa };
  }
  if (!hasId && BALANCE_ONLY.test(text)) return reading(channel, 'balance', 'never', ['not_a_credit']);
  const offered = kind === 'promo' || kind === 'bonus' || OFFER.test(text);
  if (!hasId && offered) return reading(channel, 'promo', 'never', ['not_a_credit']);
  const trxId = isTornOff(loose) ? null : ownId(loose);
  // It says something of this transaction, in words that nobody knows.
  if (trxId !== null) return { ...reading(channel, 'unknown', 'never', ['not_a_credit']), trxId };
  const torn = text === '' || hasId || /received|^(?:balance|fee)\b/i.test(text);
  return reading(channel, torn ? 'unknown' : 'notice', 'never', [torn ? 'incomplete' : 'not_a_credit']);
}

/** True if the text is only a fragment of a message that another text may contain completely. */
function isTornOff({ channel, text }: Loose): boolean {
  const lastDate = DATES.flatMap((pattern) => [...text.matchAll(pattern)]).at(-1);
  const end = lastDate === undefined ? text.length : lastDate.index + lastDate[0].length;
  const isWhole = isKnownTail(text.slice(end), channel);
  return isRestOfMessage(walletWording(isWhole ? text.slice(0, end) : text));
}

/** The only id of a text, if the wallet has written it: before what the payer typed, or with its date. */
function ownId(loose: Loose): string | null {
  const [id, ...more] = loose.ids;
  if (id === undefined || more.length > 0) return null;
  const place = loose.text.indexOf(id);
  const isDated = /^\.?\s?(?:at|date:?|সম\u09af\u09bc:?)?\s?\d{2}[/-]/i.test(
    loose.text.slice(place + id.length),
  );
  return place < payerWordsBegin(loose.text) || isDated ? parseValues(loose, null).trxId : null;
}

/** A reading of no format, without values. */
export function reading(
  channel: SmsReading['channel'],
  kind: SmsKind,
  settle: SmsReading['settle'],
  reasons: readonly SmsReason[],
): SmsReading {
  const none = { ...NO_VALUES, source: null, format: null };
  return { channel, kind, credit: isCredit(kind), settle, ...none, reasons };
}

/** @returns paisa; null if ambiguous. A second number directly after the first makes it unreadable. */
function firstAmount(text: string, channel: MfsChannel): number | null | 'unreadable' {
  const first = FIRST_MONEY.exec(text)?.[0];
  const isBehind = first !== undefined && /\d/.test(first);
  const before = isBehind ? undefined : (MONEY_BEFORE.exec(text) ?? MONEY_IN_BANGLA.exec(text))?.[1];
  const around = before === undefined ? first : `Tk ${before}`;
  if (around === undefined) return 'unreadable';
  const token = MONEY_TOKEN.exec(around)?.[0].replace(/[,.]$/, '') ?? '';
  // Whatever else is glued to the number may be a part of it: 1e5, 12.345, 10 000, 5OO, ½.
  if (!/^[.,;]{0,2}(?:[A-Za-z][a-z].*|[<|&].*|\/[-=].*)?$/s.test(around.slice(token.length)))
    return 'unreadable';
  const money = parseMoney(token.replace('\n', ' ').replace(':', ''), channel);
  if (money.outcome === 'read') return money.paisa;
  return money.outcome === 'ambiguous' ? null : 'unreadable';
}

/** Returns the last labelled amount in paisa: an earlier one may be the payer's own words. */
function labelled(pattern: RegExp, text: string, channel: MfsChannel): number | null {
  const last = [...text.matchAll(pattern)].at(-1)?.[1];
  const money = last === undefined ? undefined : parseMoney(last.replace('\n', ' '), channel);
  return money?.outcome === 'read' ? money.paisa : null;
}

const DATES: readonly RegExp[] = [
  /\d{2}\/\d{2}\/\d{4}\s\d{2}:\d{2}(?!\d)/g,
  /\d{2}-[A-Z]{3}-\d{2}\s\d{2}:\d{2}:\d{2} [ap]m/g,
];
const ISO_DATE = /(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})/;
const SHORT_YEAR = /\b(\d{2})\/(\d{2})\/(\d{2}) (\d{2}):(\d{2})\b/;

function looseDate(text: string): DateText | null {
  for (const pattern of DATES) {
    const last = [...text.matchAll(pattern)].at(-1)?.[0];
    if (last !== undefined) return parseDate(last);
  }
  const iso = ISO_DATE.exec(text)?.slice(1).map(Number);
  const short = SHORT_YEAR.exec(text)?.slice(1).map(Number);
  const [year, month, day] = iso ?? (short === undefined ? [] : [2000 + (short[2] ?? 0), short[1], short[0]]);
  const [, , , hour, minute] = iso ?? short ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  return hour === undefined || minute === undefined ? null : moment(year, month, day, hour, minute, 0);
}

const NAMES = WALLETS.map(({ name }) => name.en.toLowerCase()).join('|');

/** Words at the beginning (before reference, fee, balance and id) that say what the text is about. */
const NO_PAYMENT: readonly (readonly [RegExp, SmsKind])[] = [
  [/revers|recharge|bill pa|withdraw|debited|repayment|রিচার্জ|বিল প|পাঠি|পাঠা| টু /i, 'outgoing'],
  [
    new RegExp(`\\b(?:from|out of) your (?:(?:${NAMES}) )?(?:a/c|account|wallet|balance)\\b`, 'i'),
    'outgoing',
  ],
  // Said of money that came in, these name who paid it.
  [/^(?!.*(?:থেকে|প্রেরক)).*(?:সেন্ড মানি|ক্যাশ আউট)/s, 'outgoing'],
  [/\bnot (?:been )?received|could not|unable|cancel|ব্যর্থ|বাতিল/i, 'failed'],
  [/^(?:have|if|did) you\b/i, 'notice'],
  [/refund|returned|released/i, 'refund'],
  [/unsuccess|fail|declin|reject/i, 'failed'],
  [/\brequest(?:s|ed)?\b/i, 'pending'],
  [/^your (?:payment|transaction)|received by/i, 'outgoing'],
  [/remittance/i, 'remittance'],
  [/\bloan\b/i, 'loan'],
  [/chance|\bwin\b|coupon|discount|offer|thousands|\bget\b/i, 'promo'],
  [/cash ?back|bonus|interest|commission|gift|reward|registration|referr/i, 'bonus'],
];

/**
 * Subjects that a text may mention in addition to the payment that it reports: a discount, the occasion, the
 * shop. A cashback only in another clause than the payment.
 */
const SECONDARY_KINDS: readonly SmsKind[] = ['pending', 'remittance', 'loan', 'promo', 'bonus'];
const GIVEN = /cash ?back|bonus|interest|commission|registration|referr/i;
const REQUEST_MET = /\b(?:for|against|on|upon|via|by|through) (?:[\w#]+ ){0,4}request\b/i;
const REQUEST = /\brequest(?:s|ed)?\b/gi;

const PAYER = `(?:(?:a/c|customer|sender|${NAMES})\\s?:?\\s?){0,2}[+*\\dXx][\\d*Xx-]{2}`;
const NAMED_PAYER = `\\bfrom\\s?:?\\s?${PAYER}|\\b(?:customer|sender|uddokta)\\s?:\\s?[+*\\dXx]`;
/** Wording that names the payer or says that money came to us: any wording about paying is uncertain. */
const INCOMING_PATTERN = new RegExp(
  `(?<!received )\\bby\\s?:?\\s?${PAYER}|${NAMED_PAYER}` +
    `|\\b(?:in)?to you\\b|\\b(?:sent|paid|transferred) you\\b|\\b(?:in|to|into) your (?:(?:${NAMES}) )?(?:a/c|account|wallet)|আপনাকে|থেকে|আপনার.{0,20}(?:একাউন্টে|অ্যাকাউন্টে)`,
  'i',
);
/** Text up to the payer of received money; excludes quotations, which are somebody else's words. */
const HEAD = new RegExp(
  `^[^"“”]{0,120}?(?:\\b(?:received|credited)\\b[^"“”]{0,80}?(?:${NAMED_PAYER})|${PAYER}[\\d*Xx-]* (?:has )?(?:sent|paid|transferred) you\\b` +
    `|পে\u09af\u09bcেছেন[^"“”]{0,80}?(?:থেকে|প্রেরক)|থেকে[^"“”]{0,80}?পে\u09af\u09bcেছেন)`,
  'i',
);

/** Classifies by the words of a text alone, anywhere in it. */
function classifyByWords(words: string): SmsKind | undefined {
  return NO_PAYMENT.find(([pattern]) => pattern.test(words))?.[1];
}

/** Classifies a text that names an id; if money was received, by the words up to its payer. */
function classifyText(opening: string): SmsKind | undefined {
  const about = classifyByWords(opening);
  const head = about !== undefined && SECONDARY_KINDS.includes(about) ? HEAD.exec(opening)?.[0] : undefined;
  if (head === undefined || classifyByWords(head) !== undefined) return about;
  const clause = head + (/^[^.!?;।\n]*/.exec(opening.slice(head.length))?.[0] ?? '');
  if (GIVEN.test(clause)) return 'bonus';
  const isAsked = (opening.match(REQUEST) ?? []).length > (REQUEST_MET.test(opening) ? 1 : 0);
  return isAsked ? 'pending' : undefined;
}
