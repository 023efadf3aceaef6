/**
 * Reason why a payment is not completed: compares claims with the observed money, from the most certain
 * reason to the least, up to the first that explains it. The input types are at the end. Pure.
 */
import type { Paisa } from '../../base/values/money.js';
import { CHANNEL, type PayChannel } from '../accounts/channels.js';
import type { DeviceState } from '../devices/device-state.js';
import { type Disagreement, isDisagreement } from '../matching/matching.js';
import type { RefundState } from '../refunds/refund-plan.js';
import type { SessionStatus } from '../sessions/session.js';
import { isNearly } from './naming.js';

export type Cause =
  | { readonly code: 'credited' }
  /** A part has come in, and nothing else is known. */
  | { readonly code: 'paid_in_part' }
  | { readonly code: 'under_review'; readonly review: ReviewFacts }
  /** The money does not match the payment; `money` is null if it is no longer stored. */
  | {
      readonly code: 'disagrees';
      readonly about: Disagreement;
      readonly claim: ClaimFacts;
      readonly money: MoneyFacts | null;
    }
  | { readonly code: 'already_credited'; readonly claim: ClaimFacts; readonly money: MoneyFacts | null }
  | { readonly code: 'rejected'; readonly claim: ClaimFacts }
  | { readonly code: 'other_channel'; readonly claim: ClaimFacts; readonly money: MoneyFacts }
  | { readonly code: 'no_money'; readonly claim: ClaimFacts; readonly money: MoneyFacts }
  /** The money exists and is checked again automatically. */
  | { readonly code: 'waiting'; readonly claim: ClaimFacts }
  | { readonly code: 'one_letter'; readonly claim: ClaimFacts; readonly money: MoneyFacts }
  /** Unclaimed money of exactly that amount; `claim` says otherwise, or nobody has claimed anything. */
  | { readonly code: 'same_amount'; readonly claim: ClaimFacts | null; readonly money: MoneyFacts }
  /** Money of that amount whose SMS names nobody, and no second witness (matching/weak-money.ts). */
  | { readonly code: 'weak_money'; readonly money: MoneyFacts }
  | { readonly code: 'unread_text'; readonly money: MoneyFacts }
  | { readonly code: 'missed_sms'; readonly gap: GapFacts }
  | { readonly code: 'no_phone'; readonly number: string }
  | { readonly code: 'phone_problem'; readonly phone: PhoneFacts }
  | { readonly code: 'not_seen'; readonly claim: ClaimFacts }
  | { readonly code: 'nothing_claimed' };

export type CauseCode = Cause['code'];

export function findCause(given: PaymentCase): Cause {
  if (given.payment.status === 'COMPLETED') return { code: 'credited' };
  const review = given.reviews.find(({ state }) => state === 'OPEN');
  if (review !== undefined) return { code: 'under_review', review };
  // Those that have paid a part explain nothing.
  const claims = given.claims.filter(({ state }) => state !== 'CREDITED' || given.credits.length === 0);
  const open = { ...given, claims };
  return (
    firstOf(claims, (claim) => fromItsMoney(open, claim)) ??
    firstOf(claims, (claim) => fromNearMoney(open, claim)) ??
    fromUnclaimedMoney(open) ??
    (given.credits.length > 0 && claims.length === 0 ? { code: 'paid_in_part' } : null) ??
    fromWhatIsMissing(open) ??
    fromItsClaims(claims)
  );
}

function firstOf<T>(all: readonly T[], find: (one: T) => Cause | null): Cause | null {
  for (const one of all) {
    const cause = find(one);
    if (cause !== null) return cause;
  }
  return null;
}

const isSame = (one: string | null, other: string) => one?.toUpperCase() === other.toUpperCase();
/** True if the money can still complete a payment and is not under review. */
const isFree = ({ settle, payment, review, closed }: MoneyFacts) =>
  settle !== 'never' && payment === null && review === null && closed === null;
const isForged = ({ kind }: MoneyFacts) => kind === 'spoofed';
/** True if the money needs manual review first. */
const isOdd = ({ settle, disputed }: MoneyFacts) => settle === 'review' || settle === 'weak' || disputed;

/**
 * Finds the money under an id that is under review; if there is none, the text that contains the id,
 * forgeries first.
 */
export function findReviewMoney(
  { money }: PaymentCase,
  { id, channel, reference }: ReviewFacts,
): MoneyFacts | null {
  const under = money.filter((one) => one.review === id || isSame(one.reference, reference));
  const own = under.find((one) => one.settle !== 'never' && one.channel === channel);
  return own ?? textAmong(under) ?? null;
}

/** Finds a text that is not money. Texts of no wallet are ignored, because they explain nothing. */
function textAmong(under: readonly MoneyFacts[]): MoneyFacts | undefined {
  const texts = under.filter(({ settle, channel }) => settle === 'never' && channel !== null);
  return texts.find(isForged) ?? texts[0];
}

/** Explains a claim by the money with exactly the claimed id. */
function fromItsMoney({ money, payment }: PaymentCase, claim: ClaimFacts): Cause | null {
  const under = money.filter(({ reference }) => isSame(reference, claim.reference));
  const counting = under.filter(({ settle }) => settle !== 'never');
  const own = counting.find(({ channel }) => channel === claim.channel) ?? null;
  const { reason } = claim;
  if (claim.state === 'REFUSED') {
    if (isDisagreement(reason)) return { code: 'disagrees', about: reason, claim, money: own };
    if (reason === 'rejected') return { code: 'rejected', claim };
    if (reason === 'already_credited') return { code: 'already_credited', claim, money: own };
  }
  if (own !== null && own.payment !== null && own.payment !== payment.gateway_reference)
    return { code: 'already_credited', claim, money: own };
  if (own !== null && own.settle === 'weak' && isFree(own)) return { code: 'weak_money', money: own };
  const [other] = counting;
  if (own === null && other !== undefined) return { code: 'other_channel', claim, money: other };
  const text = textAmong(under);
  if (own === null && text !== undefined) return { code: 'no_money', claim, money: text };
  return own !== null || !UNSEEN.has(reason) ? { code: 'waiting', claim } : null;
}

/** Reasons of claims that wait for money that has not been seen. */
const UNSEEN = new Set(['not_seen_yet', 'ask_full_number', 'credited']);

/** Money nobody has claimed, under an id that is one slip of the finger away. */
function fromNearMoney({ money }: PaymentCase, claim: ClaimFacts): Cause | null {
  const near = money.filter((one) => isFree(one) && isNearly(one.reference ?? '', claim.reference));
  const found = near.find(({ amount_paisa }) => amount_paisa === claim.due_paisa) ?? near[0];
  return found === undefined ? null : { code: 'one_letter', claim, money: found };
}

/** Unclaimed money of exactly the due amount, since accepted; without doubts first, then closest. */
function fromUnclaimedMoney({ payment, claims, money, window_hours }: PaymentCase): Cause | null {
  const since = payment.created_at - window_hours * 3_600_000;
  const due = new Set([payment.due_paisa, ...claims.map((claim) => claim.due_paisa)]);
  const fitting = money
    .filter((one) => isFree(one) && one.at >= since && due.has(one.amount_paisa ?? -1))
    .sort(
      (one, other) =>
        Number(isOdd(one)) - Number(isOdd(other)) || distance(payment, one) - distance(payment, other),
    );
  const [found] = fitting;
  if (found === undefined) return null;
  return found.settle === 'weak'
    ? { code: 'weak_money', money: found }
    : { code: 'same_amount', claim: claims[0] ?? null, money: found };
}

/** Distance from the opening in ms: the smaller, the more likely. Money from before counts double. */
function distance(payment: PaymentFacts, { at }: MoneyFacts): number {
  return at >= payment.created_at ? at - payment.created_at : 2 * (payment.created_at - at);
}

/** Explains why money may have arrived without being seen. */
function fromWhatIsMissing({ payment, claims, accounts, money, gaps, phones }: PaymentCase): Cause | null {
  const channels = new Set(claims.map(({ channel }) => channel));
  const numbers = accounts
    .filter(
      ({ channel, isHidden = false }) =>
        CHANNEL[channel].kind === 'sms' && !isHidden && (channels.size === 0 || channels.has(channel)),
    )
    .map(({ number }) => number);
  const unread = money.find(
    (one) => one.kind === 'unknown' && one.channel !== null && one.at >= payment.created_at,
  );
  if (unread !== undefined) return { code: 'unread_text', money: unread };
  const due = new Set([payment.due_paisa, ...claims.map((claim) => claim.due_paisa)]);
  const gap = gaps.find((one) => numbers.includes(one.recipient) && due.has(one.missing_paisa));
  if (gap !== undefined) return { code: 'missed_sms', gap };
  const alone = numbers.find((number) => !phones.some((phone) => phone.numbers.includes(number)));
  if (alone !== undefined) return { code: 'no_phone', number: alone };
  const watching = phones.filter((phone) => phone.numbers.some((number) => numbers.includes(number)));
  const failing = watching.find(hasProblem);
  return failing !== undefined && watching.every(hasProblem)
    ? { code: 'phone_problem', phone: failing }
    : null;
}

const hasProblem = ({ state, problem, queued }: PhoneFacts) =>
  state !== 'ONLINE' || problem !== null || (queued ?? 0) > 0;

function fromItsClaims([claim]: readonly ClaimFacts[]): Cause {
  return claim === undefined ? { code: 'nothing_claimed' } : { code: 'not_seen', claim };
}

export interface PaymentFacts {
  readonly id: string;
  readonly gateway_reference: string;
  readonly brand: string;
  /** Status as it is reported now: a payment past its expiry has failed. */
  readonly status: SessionStatus;
  readonly reason: string;
  readonly amount_paisa: Paisa;
  readonly cus_name: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly created_at: number;
  readonly expires_at: number;
  readonly closed_at: number | null;
  /** The money that it was completed with. */
  readonly channel: PayChannel | null;
  readonly transaction_id: string | null;
  /** All that was paid, parts included. */
  readonly paid_paisa: Paisa;
  /** What is still due, without fees. */
  readonly due_paisa: Paisa;
}

/** Money that was credited to a payment. */
interface CreditFacts {
  readonly channel: PayChannel;
  readonly reference: string;
  readonly amount_paisa: Paisa;
  readonly at: number;
}

export interface RefundOfPayment {
  readonly id: string;
  readonly channel: PayChannel;
  readonly amount_paisa: Paisa;
  readonly state: RefundState;
  /** Number or address that must get it; null until the operator has completed it. */
  readonly payee: string | null;
  /** Payer as the proof shows it. */
  readonly shown: string | null;
  /** Id of the transfer. */
  readonly reference: string | null;
}

/** A transfer of the shop. */
export interface SentFacts {
  readonly payee: string;
  /** Name of the reason why it completed no refund automatically. */
  readonly reason: string | null;
  readonly closed_as: 'own' | 'other' | null;
  readonly closed_note: string | null;
  /** Refund that it completed, and its payment. */
  readonly refund: string | null;
  readonly payment: string | null;
}

export interface ClaimFacts {
  /** Gateway reference of its payment. */
  readonly payment: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly state: 'WAITING' | 'CREDITED' | 'REVIEW' | 'REFUSED';
  readonly reason: string;
  /** Amount due on that channel, including its fee. */
  readonly due_paisa: Paisa;
  readonly created_at: number;
}

/** An SMS or a bank's push, or money that was seen outside. */
export interface MoneyFacts {
  /** Id of the SMS or push; for other money the id under which it is stored. */
  readonly id: string;
  readonly source: 'sms' | 'push' | 'outside';
  /** Null for a text of no wallet. */
  readonly channel: PayChannel | null;
  /** Transaction reference; for a text that is not money, the requested id if the text contains it. */
  readonly reference: string | null;
  readonly amount_paisa: Paisa | null;
  readonly payer: string | null;
  readonly recipient: string | null;
  /** Kind of the text (domain/wallets/format), or of the money. */
  readonly kind: string;
  /** `never` is not money. */
  readonly settle: 'auto' | 'weak' | 'review' | 'never';
  /** Sender of the text; null for other money. */
  readonly sender: string | null;
  /** Codes of the reasons why a text needs manual review. */
  readonly doubts: readonly string[];
  /** A later text or push says otherwise of it. */
  readonly disputed: boolean;
  /** Reason why an operator has closed it, so that it pays for nothing; null if it is not closed. */
  readonly closed: string | null;
  /** Open verification of this money; null if there is none. */
  readonly review: string | null;
  readonly at: number;
  /** Time at which this installation received it. */
  readonly stored_at: number;
  /** The phone that brought it. */
  readonly device: string | null;
  /** Gateway reference of the payment that it paid. */
  readonly payment: string | null;
  /** The transfer that it reports, if the money went out. */
  readonly sent?: SentFacts;
}

export interface ReviewFacts {
  readonly id: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly reason: string;
  readonly state: 'OPEN' | 'APPROVED' | 'REJECTED';
  /** Observed facts and reasons for doubt, for an open verification. */
  readonly facts?: readonly ReviewFact[];
  /** An approval may name it: `--facts`. */
  readonly facts_version?: string;
}

/**
 * `info` helps to decide. With a `caution`, one press of a button does not approve. With a `warning`, an
 * approval is accepted only with the version of these facts, or if it is forced.
 */
export type FactLevel = 'info' | 'caution' | 'warning';

export interface ReviewFact {
  readonly code: string;
  readonly level: FactLevel;
  /** A sentence or two. */
  readonly text: string;
}

/** Money that moved in a wallet without an SMS of it. */
export interface GapFacts {
  readonly id: string;
  readonly channel: PayChannel;
  readonly recipient: string;
  /** Negative where money went out. */
  readonly missing_paisa: Paisa;
  readonly found_at: number;
}

export interface PhoneFacts {
  readonly name: string;
  readonly state: DeviceState;
  readonly last_seen_at: number | null;
  readonly problem: string | null;
  /** SMS that wait on the phone. */
  readonly queued: number | null;
  /** Numbers of its SIMs. */
  readonly numbers: readonly string[];
}

/** Everything about one payment. */
export interface PaymentCase {
  readonly payment: PaymentFacts;
  /** Claims, newest first. */
  readonly claims: readonly ClaimFacts[];
  readonly reviews: readonly ReviewFacts[];
  /** What was credited to it and sent back, oldest first. */
  readonly credits: readonly CreditFacts[];
  readonly refunds: readonly RefundOfPayment[];
  /** The numbers on which its brand is paid. */
  readonly accounts: readonly {
    readonly channel: PayChannel;
    readonly number: string;
    /** True if the payment shows another number of that wallet and type instead. */
    readonly isHidden?: boolean;
  }[];
  /** Texts and money with an id that was claimed, or that is near to one, or of the amount that is due. */
  readonly money: readonly MoneyFacts[];
  /** Open ones of these numbers. */
  readonly gaps: readonly GapFacts[];
  readonly phones: readonly PhoneFacts[];
  /** Maximum age of the money relative to the payment, in hours. */
  readonly window_hours: number;
}
