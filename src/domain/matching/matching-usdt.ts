/**
 * Matching of a USDT payment to a session. Only this module decides amount and ownership for chain and
 * exchange, and the time of a transfer on the chain. The channel has already checked that the payment is in
 * USDT, settled and ours; for an exchange also its time. Pure.
 */
import type { Paisa } from '../../base/values/money.js';
import { type TenThousandths, toBaseUnits } from '../../base/values/usdt.js';
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
  /** Amount in BDT that the session is credited with, including its fee. */
  readonly paisa: Paisa;
  readonly created_at: number;
}

export interface UsdtRule {
  /** Maximum time from the money to the session's opening, ms; null if the channel checks it. */
  readonly earlierMs: number | null;
  /** True if strangers can name the payment, because they can see it or guess its id. */
  readonly isPublic: boolean;
  /** True if every session has an amount of its own, which identifies its payment. */
  readonly isHeld: boolean;
  /** Maximum underpayment, in base units. */
  readonly shortUnits: bigint;
  /** Percentage above the quote from which a payment needs manual review. */
  readonly overPercent: number;
}

/** Competing sessions on the same receiving account. */
export interface CompetingSessions {
  /** Amounts, or their sum, that exactly equal the amount reserved for another unpaid session. */
  readonly exact: ReadonlySet<bigint>;
  /** True if the payment may belong to another session that existed and is not paid. */
  readonly isAny: boolean;
  /** True if this payment is under review for another session. */
  readonly isAsked: boolean;
}

export const NO_COMPETITORS: CompetingSessions = { exact: new Set(), isAny: false, isAsked: false };

/**
 * Matches a USDT payment. Hashes are public, so a stranger can claim another customer's payment. An amount
 * that exactly equals that of another session belongs to that session only. One that differs from the
 * session's own could belong to any other. A customer learns the exact amount when the session is opened, so
 * an earlier transfer cannot be for it: somebody saw it and opened the session for it. Both need manual
 * review, and so does a public payment on a channel where amounts prove nothing.
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
  const quoted = toBaseUnits(due.quoted);
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
