/**
 * Ids that a stranger can guess: the last digits of a payer's number, the counters of Nagad and Rocket, the
 * time in an id of Upay, a shop's own order numbers. Only this module decides if such an id is enough
 * evidence to credit money without manual review. Pure; knows neither store nor clock.
 *
 * The goal: someone who opens any number of payments, from any number of addresses, is credited with at most
 * one in 10,000 payments of strangers. So a claim is believed only if all of these hold:
 *
 * - *time*: it was not made before the money moved, because nobody knows the id before that;
 * - *order*: a payment that is named only by the last four digits is not older than its session, because a
 *   customer who has not seen the code yet cannot have paid;
 * - *guesses*: few others claimed ids of that kind for that price without money. Each of those is a guess, so
 *   this claim may be one as well. A claim stops being a guess when its own money arrives.
 *
 * Only a few ids of one guesser can be believed, so only that many of them are counted: a guesser who
 * continues is no longer believed, and does not put the claims of others under review.
 */
import { CHANNEL, type PayChannel } from '../accounts/channels.js';
import type { IdPredictability } from '../wallets/wallet.js';
import { ulidTime } from './reference.js';

/** Maximum success rate of guesses: one in this number of payments. */
const ODDS = 10_000;
/** Clocks of wallets, banks, blocks and ours differ by this much. */
export const CLOCKS_DIFFER_MS = 3_000;
/** Window in which guesses of rising ids are counted, in ms. */
export const GUESS_WINDOW_MS = 3_600_000;
/**
 * A watcher of a shop knows the second of a payment, and then a rising id leaves some dozens to choose from
 * until its SMS is here. So few others may be claimed in that time.
 */
const MAX_AT_ONCE = 3;
/** Lowest speed of a counter at night, as a share of its average over the year. */
const SLOWEST = 0.2;
/** Ids of one guesser that may be believed, whatever others do: people mistype, and share a line. */
const MAX_OF_ONE = 3;
/** Minimum number of guessers that can use up the allowed guesses, if more guesses are allowed. */
const LEAST_GUESSERS = 4;
/** Number of digits that cannot be guessed. */
const STRONG_DIGITS = 8;

type WeakKind =
  | IdPredictability
  /** `count`: compared digits of the payer's number. `isWhole`: the customer typed all of it. */
  | { readonly kind: 'digits'; readonly count: number; readonly isWhole: boolean };

/** @returns null if ids of the channel cannot be guessed, or prove nothing alone. */
export function weakWalletIds(channel: PayChannel): WeakKind | null {
  const row = CHANNEL[channel];
  return row.kind === 'sms' ? row.wallet.ids.guessable : null;
}

/** True if guesses are counted on the channel: customers claim by a number, or by ids that can be guessed. */
export function isGuessable(channel: PayChannel): boolean {
  return CHANNEL[channel].given === 'number' || weakWalletIds(channel) !== null;
}

/** @param count digits that were compared. @returns null where nobody guesses as many. */
export function weakDigits(count: number, isWhole: boolean): WeakKind | null {
  return count >= STRONG_DIGITS ? null : { kind: 'digits', count, isWhole };
}

/** Interval in which money moved, as far as it was reported; milliseconds since the epoch. */
export interface TransferTime {
  /** Earliest time; null if it was not reported. */
  readonly from: number | null;
  /** Latest time. */
  readonly until: number;
}

/** Somebody's claim of another id of the kind for the same price. */
export interface Guess {
  /** Claimed id; for a phone number only the compared digits. */
  readonly reference: string;
  /** Time at which it was first made, milliseconds since the epoch. */
  readonly claimedAt: number;
  /** Hash of an address, or the session of a shop whose own page takes the claims. */
  readonly guesser: string;
}

export interface WeakClaim {
  readonly kind: WeakKind;
  /** Identifies who made it, as in `Guess`. */
  readonly guesser: string;
  /** Claimed id; for a phone number only the compared digits. */
  readonly reference: string;
  /** Time at which it was first made; repeating a claim does not change it. */
  readonly claimedAt: number;
  /** Time at which its session was opened. */
  readonly openedAt: number;
  readonly money: TransferTime;
  /** Claims without money, by sessions that are open, ended or paid by other means. */
  readonly guesses: readonly Guess[];
}

type WeakDoubt =
  /** The claim was made before the money moved. */
  | 'early'
  /** Its session was opened after the money moved. */
  | 'younger'
  /** There are other claims: it may be one guess of many. */
  | 'crowded';
export type WeakVerdict = 'believed' | WeakDoubt;

/** @param now milliseconds since the epoch. */
export function judgeWeakId(claim: WeakClaim, now: number): WeakVerdict {
  const { kind, claimedAt, openedAt } = claim;
  const money = movedAt(claim);
  if (isBefore(claimedAt, money.from)) return 'early';
  if (kind.kind === 'digits' && !kind.isWhole && openedAt > money.until) return 'younger';
  return hasTooManyGuesses(claim, money, now) ? 'crowded' : 'believed';
}

/** Time at which the money moved, from the id if it contains one: texts have only minutes. */
function movedAt({ kind, reference, money }: WeakClaim): TransferTime {
  return kind.kind === 'time' ? { ...money, from: ulidTime(reference) } : money;
}

function isBefore(at: number, from: number | null): boolean {
  return from !== null && at < from - CLOCKS_DIFFER_MS;
}

function hasTooManyGuesses(claim: WeakClaim, money: TransferTime, now: number): boolean {
  const { kind } = claim;
  switch (kind.kind) {
    case 'digits': {
      const since = money.from ?? money.until - GUESS_WINDOW_MS;
      return hasManyGuesses(claim.guesses, claim, since, 10 ** kind.count / ODDS);
    }
    case 'counter':
    case 'time': {
      const perSecond = kind.kind === 'time' ? 1_000 : kind.perSecond;
      const others = claim.guesses.filter((guess) => !isAhead(guess, claim.reference, kind, money.from));
      const inHour = (perSecond * GUESS_WINDOW_MS) / 1_000 / ODDS;
      if (hasManyGuesses(others, claim, now - GUESS_WINDOW_MS, inHour)) return true;
      return hasManyGuesses(others, claim, money.from ?? now - GUESS_WINDOW_MS, 1 + MAX_AT_ONCE);
    }
    default:
      return kind satisfies never;
  }
}

/**
 * True if an id had not been issued when it was claimed. Such a claim is never credited, because its money
 * moves after the claim; so it does not count against customers who claim after they have paid.
 */
function isAhead(guess: Guess, reference: string, kind: IdPredictability, from: number | null): boolean {
  switch (kind.kind) {
    case 'time':
      return isBefore(guess.claimedAt, ulidTime(guess.reference));
    case 'counter': {
      const count = (id: string) => Number.parseInt(id, kind.base);
      const behind = Math.max(0, count(reference) - count(guess.reference));
      const issuedMs = (behind / (kind.perSecond * SLOWEST)) * 1_000;
      return from !== null && isBefore(guess.claimedAt, from - issuedMs);
    }
    default:
      return kind satisfies never;
  }
}

/**
 * Limits the guesses that can be believed: for each guesser at most `ofOne` ids, and for all guessers
 * together, counting at most `ofOne` of each, `most` ids.
 * @param most maximum number of believed guesses, this claim included.
 */
function hasManyGuesses(guesses: readonly Guess[], claim: WeakClaim, since: number, most: number): boolean {
  const ofOne = Math.max(MAX_OF_ONE, Math.floor(most / LEAST_GUESSERS));
  const ids = new Map([[claim.guesser, new Set([claim.reference])]]);
  for (const { guesser, reference, claimedAt } of guesses) {
    if (reference === claim.reference || claimedAt < since - CLOCKS_DIFFER_MS) continue;
    ids.set(guesser, (ids.get(guesser) ?? new Set()).add(reference));
  }
  const counts = [...ids.values()].map(({ size }) => size);
  const all = counts.reduce((sum, count) => sum + Math.min(count, ofOne), 0);
  return all > most || (ids.get(claim.guesser)?.size ?? 0) > ofOne;
}

interface ClaimedOrder {
  /** Id by which the payment is claimed, in the spelling that is credited (domain/matching/reference). */
  readonly typed: string;
  /** Order numbers assigned by the shop; an exchange may report several, or none. */
  readonly numbers: readonly string[];
  readonly session: { readonly id: string; readonly gateway_reference: string };
  /** True if one of the numbers belongs to another session. */
  readonly isAnothers: boolean;
}

/**
 * Checks claims of payments at an exchange. The exchange shows its own ids to the payer only, but a person
 * who knows one order number of a shop can guess the next one. An order that is named after the session was
 * made for it, because our ids are random.
 * @returns true if a stranger could have made the claim as well; it then needs manual review.
 */
export function isGuessableOrder({ typed, numbers, session, isAnothers }: ClaimedOrder): boolean {
  const isOurs = numbers.some(
    (number) => number === session.gateway_reference || number === session.id.toUpperCase(),
  );
  return !isOurs && (numbers.includes(typed) || isAnothers);
}
