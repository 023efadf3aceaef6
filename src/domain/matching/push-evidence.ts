/**
 * Evidence of matching digits between a claim and a bank push: the rule of weak ids for payers' numbers.
 * Pure.
 */
import { comparedDigits, isLastFour, payerAgrees, type ShownPayer } from './payer.js';
import {
  CLOCKS_DIFFER_MS,
  type Guess,
  judgeWeakId,
  type Moved,
  type WeakVerdict,
  weakDigits,
} from './weak-ids.js';

/**
 * A number that was typed for that amount, by a session in whatever state, and that no money has come from.
 */
export interface TypedNumber {
  readonly typed: string;
  /** When it was first typed, milliseconds since the epoch. */
  readonly claimedAt: number;
}

interface Typing extends TypedNumber {
  /** When its session was opened. */
  readonly openedAt: number;
}

interface TimedPush {
  readonly payer: ShownPayer | null;
  readonly moved: Moved;
}

interface Evidence {
  /** Whatever was typed for the amount. */
  readonly typed: readonly TypedNumber[];
  /** Pushes of the amount that pay nothing yet. */
  readonly free: readonly TimedPush[];
  readonly now: number;
}

/** Banks that tell no seconds tell the beginning of the minute. */
const MINUTE_MS = 60_000;

/**
 * @param paidAt what the bank says, null where it says nothing. A time that lies ahead of the push reports
 *   the bank's clock alone.
 * @param receivedAt when the push came, milliseconds since the epoch, as the other.
 */
export function movedBetween(paidAt: number | null, receivedAt: number): Moved {
  if (paidAt === null || paidAt > receivedAt) return { from: null, until: receivedAt };
  const precisionMs = paidAt % MINUTE_MS === 0 ? MINUTE_MS : 1_000;
  return { from: paidAt, until: Math.min(receivedAt, paidAt + precisionMs + CLOCKS_DIFFER_MS) };
}

/** @returns `believed` also where so much was compared that nobody guesses it. */
export function judgeDigits(claim: Typing, push: TimedPush, evidence: Evidence): WeakVerdict {
  const { payer, moved } = push;
  if (payer === null) return 'believed';
  const reference = comparedDigits(claim.typed, payer);
  const kind = weakDigits(reference.length, !isLastFour(claim.typed));
  if (kind === null) return 'believed';
  const { claimedAt, openedAt } = claim;
  const guesses = otherGuesses(payer, reference, evidence);
  // So few numbers are believed that who typed them makes no difference.
  const typing = { kind, reference, guesser: reference, claimedAt, openedAt, money: moved, guesses };
  return judgeWeakId(typing, evidence.now);
}

/** A claim from before the money moved was a guess, and does not compete with real payers. */
export function isEarly(claim: Typing, push: TimedPush): boolean {
  return judgeDigits(claim, push, { typed: [], free: [], now: push.moved.until }) === 'early';
}

/** Numbers of which as many digits would be compared, and that no money has come from. */
function otherGuesses(payer: ShownPayer, reference: string, { typed, free }: Evidence): Guess[] {
  return typed.flatMap(({ typed: number, claimedAt }) => {
    const digits = comparedDigits(number, payer);
    if (digits.length !== reference.length || digits === reference) return [];
    const isExplained = free.some((push) => push.payer !== null && payerAgrees(number, push.payer));
    return isExplained ? [] : [{ reference: digits, guesser: digits, claimedAt }];
  });
}
