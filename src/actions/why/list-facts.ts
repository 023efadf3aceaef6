/** Formats the facts of a review as sentences, in reading order. Pure: reads nothing. */
import { dhakaText } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { formatSteps, formatUsdt, parseUsdt } from '../../base/values/usdt.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { spendingScope } from '../../domain/matching/reference.js';
import { dueOn } from '../../domain/sessions/fees.js';
import type { FactLevel, ReviewFact } from '../../domain/why/cause.js';
import type { creditedUnder, nearReferences, ReviewRow, SeenMoney } from '../../store/tables/reviews.js';
import type { textsHolding } from '../../store/tables/sms.js';
import {
  formatMention,
  formatNumberWarning,
  formatReasons,
  isForgery,
  NOTHING_SEEN,
  parseReviewReasons,
  SAID_OTHERWISE,
} from './format-reasons.js';
import type { PaidBefore } from './paid-twice.js';

const LEVELS = {
  seen: 'info',
  unseen: 'caution',
  less: 'caution',
  more: 'info',
  amount_unknown: 'caution',
  forged: 'warning',
  /** Text that names the id and is not incoming money. */
  no_money: 'caution',
  /** Text that reports under that id money that has left the wallet, such as a refund. */
  sent: 'warning',
  doubtful: 'caution',
  reversed: 'warning',
  /** Closed money: no approval can credit it, so no confirmation is needed. */
  closed: 'caution',
  other_number: 'caution',
  /** Money credited elsewhere: no approval can credit it twice, so no confirmation is needed. */
  credited_elsewhere: 'caution',
  other_merchant: 'warning',
  /** Money whose payer wrote the payment reference of another payment. */
  named_other: 'warning',
  /** Its payer has paid the same amount for another payment some days before or after. */
  paid_before: 'caution',
  claimed_elsewhere: 'caution',
  looks_like: 'caution',
} as const satisfies Readonly<Record<string, FactLevel>>;

type FactCode = keyof typeof LEVELS;

/** Facts that are the reason of the review, so they are not new to the operator and only a caution. */
const ASKED: Readonly<Partial<Record<ReviewRow['reason'], FactCode>>> = {
  disputed: 'reversed',
  push_doubtful: 'reversed',
  other_merchant: 'other_merchant',
};

export type ReferenceSms = Awaited<ReturnType<typeof textsHolding>>[number];

/** Everything that is read of a review before its facts are found. */
export interface ReviewEvidence {
  readonly row: ReviewRow;
  /** The one that is decided about. */
  readonly reference: string;
  readonly money: SeenMoney | null;
  /** A later SMS or push says otherwise of it. */
  readonly isDisputed: boolean;
  readonly text: ReferenceSms | null;
  /** Payments that were credited under it. */
  readonly holders: Awaited<ReturnType<typeof creditedUnder>>;
  /** Gateway reference of the payment that its payer named; null where that is this one, or none. */
  readonly named: string | null;
  /** Another payment for which its payer has paid the same amount, or null. */
  readonly paidBefore: PaidBefore | null;
  /** Other payments with a waiting claim of it, newest first; a later claim does not change the facts. */
  readonly claimed: readonly string[];
  readonly alike: Awaited<ReturnType<typeof nearReferences.all>>;
  /** Numbers on which the brand is paid; null if the channel is not a wallet. */
  readonly numbers: readonly string[] | null;
}

/** True for facts against the money; unseen money, similar references, unknown amount: shown elsewhere. */
export const isAgainst = ({ code, level }: ReviewFact) =>
  level !== 'info' && code !== 'unseen' && code !== 'looks_like' && code !== 'amount_unknown';

/** Lists all known facts, starting with what was seen. */
export function listFacts(evidence: ReviewEvidence): ReviewFact[] {
  return sentencesOf(evidence).map(([code, text]) => {
    const level: FactLevel = ASKED[evidence.row.reason] === code ? 'caution' : LEVELS[code];
    return { code, level, text };
  });
}

function sentencesOf(evidence: ReviewEvidence): (readonly [FactCode, string])[] {
  const { row, reference, money, isDisputed, text, named, paidBefore, claimed, alike, numbers } = evidence;
  const { channel, brand } = row;
  const facts: (readonly [FactCode, string])[] = [];
  if (money === null) facts.push(['unseen', UNSEEN[CHANNEL[channel].kind]]);
  else facts.push(['seen', seenText(money)], ...sumFacts(row, money));
  if (text !== null) {
    const says = `${formatMention(reference, { ...text, at: text.received_at })} See it: kashbox sms show ${text.id}`;
    facts.push([codeOfText(text), says]);
  }
  facts.push(...formatReasons(listReviewReasons(money ?? {})).map((says) => ['doubtful', says] as const));
  if (isDisputed) facts.push(['reversed', SAID_OTHERWISE]);
  facts.push(...closedFacts(money));
  const isElsewhere = numbers !== null && money !== null;
  const odd = isElsewhere ? formatNumberWarning(money.recipient, brand, numbers, channel) : [];
  facts.push(...odd.map((says) => ['other_number', says] as const), ...holderFacts(evidence));
  if (named !== null) {
    facts.push([
      'named_other',
      `Its payer wrote the payment reference of payment ${named}, not of this one.`,
    ]);
  }
  if (paidBefore !== null) {
    const { payment, at, isOpen } = paidBefore;
    const what = isOpen ? 'it may be its next part' : 'probably twice';
    facts.push([
      'paid_before',
      `The same payer has paid this amount for payment ${payment} already, at ${minute(at)}: ${what}.`,
    ]);
  }
  if (claimed.length > 0) {
    facts.push(['claimed_elsewhere', `Payment ${claimed.at(-1)} also claims it.`]);
  }
  const near = alike.map((one) => ['looks_like', sayAlike(one)] as const);
  return [...facts, ...near];
}

function closedFacts(money: SeenMoney | null): (readonly [FactCode, string])[] {
  if (money === null || money.closed_note === null) return [];
  const { closed_note: note, reference } = money;
  const says = `It was closed with the note "${note}", and settles no payment until you reopen it: kashbox sms reopen ${reference} --note WHY`;
  return [['closed', says]];
}

const UNSEEN = {
  sms: NOTHING_SEEN,
  push: NOTHING_SEEN,
  pull: NOTHING_SEEN,
  manual: 'Kashbox cannot see bank transfers: only your approval confirms it.',
} as const;

/** Kinds of texts which say that the payment failed or was returned. */
const TAKEN_BACK: readonly string[] = ['refund', 'failed'];

function codeOfText(text: ReferenceSms): FactCode {
  if (isForgery(text)) return 'forged';
  if (text.kind === 'outgoing') return 'sent';
  return TAKEN_BACK.includes(text.kind) ? 'reversed' : 'no_money';
}

function sayAlike({ reference, payment, credited_at }: ReviewEvidence['alike'][number]): string {
  return `It looks like ${reference}, which paid ${payment} at ${minute(credited_at)}.`;
}

const minute = (ms: number) => dhakaText(ms).slice(0, 16);

function seenText(money: SeenMoney): string {
  const { payer, recipient, at, units, amount_paisa: paisa } = money;
  const taka = paisa === null ? 'an unreadable amount' : `${formatTaka(paisa)} BDT`;
  const amount = units === null ? taka : `${formatUsdt(BigInt(units))} USDT`;
  const from = payer === null ? '' : ` from ${payer}`;
  const to = recipient === null ? '' : ` to ${recipient}`;
  return `Seen: ${amount}${from}${to} at ${minute(at)}, ${formatSource(money)}.`;
}

export function formatSource({ sender, device, acquirer, source }: SeenMoney): string {
  if (acquirer !== null) return `by a push of ${acquirer}`;
  if (sender === null) return 'looked up at the source';
  const by = source === 'relay' ? ` on phone "${device ?? 'unknown'}"` : ', typed in by hand';
  return `by an SMS from ${sender}${by}`;
}

function sumFacts(row: ReviewRow, money: SeenMoney): (readonly [FactCode, string])[] {
  if (money.units !== null) {
    if (row.quoted === null) return [];
    const due = formatSteps(row.quoted);
    const over = BigInt(money.units) - (parseUsdt(due) ?? 0n);
    if (over === 0n) return [];
    const by = `${formatUsdt(over < 0n ? -over : over)} USDT too ${over < 0n ? 'little' : 'much'}`;
    const came = `${formatUsdt(BigInt(money.units))} USDT came in and ${due} USDT is due: ${by}.`;
    return [[over < 0n ? 'less' : 'more', came]];
  }
  if (money.amount_paisa === null) {
    return [['amount_unknown', 'The received amount cannot be read: look it up in the account.']];
  }
  const due = dueOn(row.channel, row).totalPaisa;
  const over = money.amount_paisa - due;
  if (over === 0) return [];
  const by = `${formatTaka(Math.abs(over))} BDT too ${over < 0 ? 'little' : 'much'}`;
  const came = `${formatTaka(money.amount_paisa)} BDT came in and ${formatTaka(due)} BDT is due: ${by}.`;
  return [[over < 0 ? 'less' : 'more', came]];
}

function holderFacts({ row, money, holders }: ReviewEvidence): (readonly [FactCode, string])[] {
  const { merchant_id: merchant, session_id: session, channel } = row;
  const scope = money === null ? null : spendingScope(money);
  // One id may stand in two wallets, or at two banks, for two movements of money.
  const isSame = (one: (typeof holders)[number]) =>
    scope === null || one.proof_id === money?.id || one.scope === scope || one.scope.startsWith(`${scope} `);
  const others = holders.filter((one) => one.session_id !== session && isSame(one));
  const own = others.find((one) => one.merchant_id === merchant);
  if (own !== undefined) {
    return [['credited_elsewhere', `It was already credited to payment ${own.payment}.`]];
  }
  if (others.length === 0 || CHANNEL[channel].kind === 'manual') return [];
  return [['other_merchant', 'Another merchant of this installation was credited with it.']];
}

/** Lists the names of the reasons why the SMS needs manual review; empty if there are none. */
export function listReviewReasons({
  sms_reasons = null,
}: {
  readonly sms_reasons?: string | null;
}): readonly string[] {
  return sms_reasons === null ? [] : parseReviewReasons(sms_reasons);
}
