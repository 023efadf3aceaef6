/**
 * Does this USDT pay this session? The one place that decides amount and ownership for chain and exchange,
 * and the time of a transfer on the chain. The channel that saw the payment has judged that it is USDT,
 * settled and ours; an exchange also judges its time. Pure.
 */
import type { Paisa } from '../../base/values/money.js';
import { type TenThousandths, unitsOf } from '../../base/values/usdt.js';
import type { Match } from './matching.js';
import { CLOCKS_DIFFER_MS } from './weak-ids.js';

export interface UsdtPayment {
  /** Each amount that reached the receiver, in base units of 10^-18; one transaction may make several. */
  readonly amounts: readonly bigint[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface UsdtDue {
  readonly quoted: TenThousandths;
  /** What the session is credited with in BDT, its fee included. */
  readonly paisa: Paisa;
  readonly created_at: number;
}

export interface UsdtRule {
  /** How much earlier than the session the money may have moved; null where the channel judges its time. */
  readonly earlierMs: number | null;
  /** Whether strangers can name the payment: they see it, or guess what it is called. */
  readonly isPublic: boolean;
  /** Whether every session asks for an amount of its own, which says whose a payment is. */
  readonly isHeld: boolean;
  /** How much may be missing, in base units. */
  readonly shortUnits: bigint;
  /** Per cent above the quote from which a person decides. */
  readonly overPercent: number;
}

/** Competing sessions on the same receiving account. */
export interface CompetingSessions {
  /** Those of the amounts, and of their sum, that another session that is not paid holds to the unit. */
  readonly exact: ReadonlySet<bigint>;
  /** Whether it may have been meant for another session: one that was there and is not paid. */
  readonly isAny: boolean;
  /** Whether this payment is under review for another session. */
  readonly isAsked: boolean;
}

export const NO_COMPETITORS: CompetingSessions = { exact: new Set(), isAny: false, isAsked: false };

/**
 * Hashes are public, so a stranger can post somebody else's. What equals the amount of another session to the
 * unit belongs to that one and to no other. What is not the very amount of this session could be meant for
 * any other. A customer learns the exact amount only when the session opens, so an earlier transfer cannot be
 * for it: somebody saw the transfer and opened the session for it. Both are decided by a person, and so is a
 * public payment on a channel where amounts say nothing.
 */
export function matchUsdt(
  payment: UsdtPayment,
  due: UsdtDue,
  competitors: CompetingSessions,
  rule: UsdtRule,
): Match {
  if (rule.earlierMs !== null && payment.at < due.created_at - rule.earlierMs) {
    return { outcome: 'disagree', about: 'time' };
  }
  const quoted = unitsOf(due.quoted);
  const own = payment.amounts.filter((amount) => amount === quoted || !competitors.exact.has(amount));
  if (own.length === 0) return { outcome: 'disagree', about: 'other_payment' };
  const isExact = own.includes(quoted);
  const paid = isExact ? quoted : own.reduce((sum, amount) => sum + amount, 0n);
  if (!isExact && competitors.exact.has(paid)) return { outcome: 'disagree', about: 'other_payment' };
  if (paid + rule.shortUnits < quoted) return { outcome: 'disagree', about: 'amount' };
  const isLater = payment.at + CLOCKS_DIFFER_MS <= due.created_at;
  const isContested = !rule.isHeld || isLater || competitors.isAsked || (!isExact && competitors.isAny);
  if (rule.isPublic && isContested) return { outcome: 'review', reason: 'contested' };
  const isOver = paid * 100n > quoted * BigInt(100 + rule.overPercent);
  return isOver ? { outcome: 'review', reason: 'overpaid' } : { outcome: 'credit', paisa: due.paisa };
}
