/**
 * Why is this payment not completed? Joins what customers claimed with what was seen, from the surest to the
 * vaguest, and stops at the first that explains it. Begins with what is known of a payment. Pure.
 */
import type { Paisa } from '../../base/values/money.js';
import { CHANNEL, type PayChannel } from '../accounts/channels.js';
import type { DeviceState } from '../devices/device-state.js';
import { type Disagreement, isDisagreement } from '../matching/matching.js';
import type { SessionStatus } from '../sessions/session.js';
import { isNearly } from './naming.js';

export type Cause =
  | { readonly code: 'credited' }
  | { readonly code: 'under_review'; readonly review: ReviewFacts }
  /** The money disagrees with the payment; `money` is null where it is no longer known. */
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
  /** It is there and is looked at again by itself. */
  | { readonly code: 'waiting'; readonly claim: ClaimFacts }
  | { readonly code: 'one_letter'; readonly claim: ClaimFacts; readonly money: MoneyFacts }
  /** Unclaimed money of exactly that amount; `claim` says otherwise, or nobody has claimed anything. */
  | { readonly code: 'same_amount'; readonly claim: ClaimFacts | null; readonly money: MoneyFacts }
  | { readonly code: 'unread_text'; readonly money: MoneyFacts }
  | { readonly code: 'missed_sms'; readonly gap: GapFacts }
  | { readonly code: 'no_phone'; readonly number: string }
  | { readonly code: 'phone_problem'; readonly phone: PhoneFacts }
  | { readonly code: 'not_seen'; readonly claim: ClaimFacts }
  | { readonly code: 'nothing_claimed' };

export type CauseCode = Cause['code'];

export function causeOf(given: PaymentCase): Cause {
  if (given.payment.status === 'COMPLETED') return { code: 'credited' };
  const review = given.reviews.find(({ state }) => state === 'OPEN');
  if (review !== undefined) return { code: 'under_review', review };
  return (
    firstOf(given.claims, (claim) => fromItsMoney(given, claim)) ??
    firstOf(given.claims, (claim) => fromNearMoney(given, claim)) ??
    fromUnclaimedMoney(given) ??
    fromWhatIsMissing(given) ??
    fromItsClaims(given.claims)
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
/** Could still complete a payment of which nobody is asked yet. */
const isFree = ({ settle, payment, review, closed }: MoneyFacts) =>
  settle !== 'never' && payment === null && review === null && closed === null;
const isForged = ({ kind }: MoneyFacts) => kind === 'spoofed';
/** Whether a person has to look at it first. */
const isOdd = ({ settle, disputed }: MoneyFacts) => settle === 'review' || disputed;

/**
 * What is known under an id that a person decides about; where no money came, the text that names it, a
 * forgery before all others.
 */
export function moneyOf({ money }: PaymentCase, { id, channel, reference }: ReviewFacts): MoneyFacts | null {
  const under = money.filter((one) => one.review === id || isSame(one.reference, reference));
  const own = under.find((one) => one.settle !== 'never' && one.channel === channel);
  return own ?? textAmong(under) ?? null;
}

/** A text that is no money; that of no wallet at all, as of a customer who asks, explains nothing. */
function textAmong(under: readonly MoneyFacts[]): MoneyFacts | undefined {
  const texts = under.filter(({ settle, channel }) => settle === 'never' && channel !== null);
  return texts.find(isForged) ?? texts[0];
}

/** What was seen under the very id that was claimed. */
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
  const [other] = counting;
  if (own === null && other !== undefined) return { code: 'other_channel', claim, money: other };
  const text = textAmong(under);
  if (own === null && text !== undefined) return { code: 'no_money', claim, money: text };
  return own !== null || !UNSEEN.has(reason) ? { code: 'waiting', claim } : null;
}

/** A claim that waits for one of these waits for money of which nothing is known. */
const UNSEEN = new Set(['not_seen_yet', 'ask_full_number', 'credited']);

/** Money nobody has claimed, under an id that is one slip of the finger away. */
function fromNearMoney({ money }: PaymentCase, claim: ClaimFacts): Cause | null {
  const near = money.filter((one) => isFree(one) && isNearly(one.reference ?? '', claim.reference));
  const found = near.find(({ amount_paisa }) => amount_paisa === claim.due_paisa) ?? near[0];
  return found === undefined ? null : { code: 'one_letter', claim, money: found };
}

/** Money of exactly what is due that came since the payment could be paid, the oldest. */
function fromUnclaimedMoney({ payment, claims, money, window_hours }: PaymentCase): Cause | null {
  const since = payment.created_at - window_hours * 3_600_000;
  const due = new Set([payment.amount_paisa, ...claims.map((claim) => claim.due_paisa)]);
  const fitting = money
    .filter((one) => isFree(one) && one.at >= since && due.has(one.amount_paisa ?? -1))
    .sort(
      (one, other) =>
        Number(isOdd(one)) - Number(isOdd(other)) || distance(payment, one) - distance(payment, other),
    );
  const [found] = fitting;
  return found === undefined ? null : { code: 'same_amount', claim: claims[0] ?? null, money: found };
}

/** Of money that is beyond doubt, what came soonest after the payment was opened is the likeliest. */
function distance(payment: PaymentFacts, { at }: MoneyFacts): number {
  return at >= payment.created_at ? at - payment.created_at : 2 * (payment.created_at - at);
}

/** Why money may have come of which nothing was seen. */
function fromWhatIsMissing({ payment, claims, accounts, money, gaps, phones }: PaymentCase): Cause | null {
  const channels = new Set(claims.map(({ channel }) => channel));
  const numbers = accounts
    .filter(
      ({ channel }) => CHANNEL[channel].kind === 'sms' && (channels.size === 0 || channels.has(channel)),
    )
    .map(({ number }) => number);
  const unread = money.find(
    (one) => one.kind === 'unknown' && one.channel !== null && one.at >= payment.created_at,
  );
  if (unread !== undefined) return { code: 'unread_text', money: unread };
  const due = new Set([payment.amount_paisa, ...claims.map((claim) => claim.due_paisa)]);
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
  /** As it is told now: one whose time is over has failed. */
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
  readonly paid_paisa: Paisa | null;
}

export interface ClaimFacts {
  /** Gateway reference of its payment. */
  readonly payment: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly state: 'WAITING' | 'CREDITED' | 'REVIEW' | 'REFUSED';
  readonly reason: string;
  /** What the payment costs on that channel, its fee included. */
  readonly due_paisa: Paisa;
  readonly created_at: number;
}

/** An SMS or a bank's push, or money that was seen outside. */
export interface MoneyFacts {
  /** Of the SMS or push; of other money the id under which it is kept. */
  readonly id: string;
  readonly source: 'sms' | 'push' | 'outside';
  /** Null for a text of no wallet. */
  readonly channel: PayChannel | null;
  /** Of a text that is no money the id that was asked for, if the text names it. */
  readonly reference: string | null;
  readonly amount_paisa: Paisa | null;
  readonly payer: string | null;
  readonly recipient: string | null;
  /** What kind of text it is (domain/wallets/format), or of money. */
  readonly kind: string;
  /** `never` is no money. */
  readonly settle: 'auto' | 'review' | 'never';
  /** Who sent the text; null of other money. */
  readonly sender: string | null;
  /** Of a text that only a person may believe: by their names, the reasons why. */
  readonly doubts: readonly string[];
  /** A later text or push says otherwise of it. */
  readonly disputed: boolean;
  /** Why a person has closed it, so that it pays for nothing; null where nobody has. */
  readonly closed: string | null;
  /** The verification in which a person is asked about it; null for none that is open. */
  readonly review: string | null;
  readonly at: number;
  /** When this installation heard of it. */
  readonly stored_at: number;
  /** The phone that brought it. */
  readonly device: string | null;
  /** Gateway reference of the payment that it completed. */
  readonly payment: string | null;
}

export interface ReviewFacts {
  readonly id: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly reason: string;
  readonly state: 'OPEN' | 'APPROVED' | 'REJECTED';
  /** What was seen and what speaks against it, of an open one that is told. */
  readonly facts?: readonly ReviewFact[];
  /** An approval may name it: `--facts`. */
  readonly facts_version?: string;
}

/**
 * `info` helps to decide; with a `caution` one press of a button does not approve; with a `warning` nothing
 * does that was not told of it.
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
  /** The newest first. */
  readonly claims: readonly ClaimFacts[];
  readonly reviews: readonly ReviewFacts[];
  /** The numbers on which its brand is paid. */
  readonly accounts: readonly { readonly channel: PayChannel; readonly number: string }[];
  /** Texts and money with an id that was claimed, or that is near to one, or of the amount that is due. */
  readonly money: readonly MoneyFacts[];
  /** Open ones of these numbers. */
  readonly gaps: readonly GapFacts[];
  readonly phones: readonly PhoneFacts[];
  /** How much older than the payment its money may be, in hours. */
  readonly window_hours: number;
}
