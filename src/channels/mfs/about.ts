/**
 * What the opening words of a text say that it is about, where it may be no payment: money that went out, an
 * offer, a request, a gift. Knows no values and decides nothing.
 */
import type { SmsKind } from '../../domain/wallets/format.js';
import { WALLETS } from '../../domain/wallets/index.js';

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
 * What a text may speak of beside the money that it reports: a discount, the occasion, the shop. Of a
 * cashback it does so only in another clause.
 */
const BESIDE: readonly SmsKind[] = ['pending', 'remittance', 'loan', 'promo', 'bonus'];
const GIVEN = /cash ?back|bonus|interest|commission|registration|referr/i;
const REQUEST_MET = /\b(?:for|against|on|upon|via|by|through) (?:[\w#]+ ){0,4}request\b/i;
const REQUEST = /\brequest(?:s|ed)?\b/gi;

const PAYER = `(?:(?:a/c|customer|sender|${NAMES})\\s?:?\\s?){0,2}[+*\\dXx][\\d*Xx-]{2}`;
const NAMED_PAYER = `\\bfrom\\s?:?\\s?${PAYER}|\\b(?:customer|sender|uddokta)\\s?:\\s?[+*\\dXx]`;
/** Who paid, or that it came to us: with one of these nothing that is said of paying is certain. */
export const COMES_IN = new RegExp(
  `(?<!received )\\bby\\s?:?\\s?${PAYER}|${NAMED_PAYER}` +
    `|\\b(?:in)?to you\\b|\\b(?:sent|paid|transferred) you\\b|\\b(?:in|to|into) your (?:(?:${NAMES}) )?(?:a/c|account|wallet)|আপনাকে|থেকে|আপনার.{0,20}(?:একাউন্টে|অ্যাকাউন্টে)`,
  'i',
);
/** As far as the payer of money that was received; no quotation, because somebody else said it. */
const HEAD = new RegExp(
  `^[^"“”]{0,120}?(?:\\b(?:received|credited)\\b[^"“”]{0,80}?(?:${NAMED_PAYER})|${PAYER}[\\d*Xx-]* (?:has )?(?:sent|paid|transferred) you\\b` +
    `|পে\u09af\u09bcেছেন[^"“”]{0,80}?(?:থেকে|প্রেরক)|থেকে[^"“”]{0,80}?পে\u09af\u09bcেছেন)`,
  'i',
);

/** By the words of a text alone, wherever they stand in it. */
export function saidOf(words: string): SmsKind | undefined {
  return NO_PAYMENT.find(([pattern]) => pattern.test(words))?.[1];
}

/** What a text is about that names an id, by the words up to its payer where money was received from one. */
export function aboutOf(opening: string): SmsKind | undefined {
  const about = saidOf(opening);
  const head = about !== undefined && BESIDE.includes(about) ? HEAD.exec(opening)?.[0] : undefined;
  if (head === undefined || saidOf(head) !== undefined) return about;
  const clause = head + (/^[^.!?;।\n]*/.exec(opening.slice(head.length))?.[0] ?? '');
  if (GIVEN.test(clause)) return 'bonus';
  const isAsked = (opening.match(REQUEST) ?? []).length > (REQUEST_MET.test(opening) ? 1 : 0);
  return isAsked ? 'pending' : undefined;
}
