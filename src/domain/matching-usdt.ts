/**
 * Does this USDT pay this session? The one place that decides amount, ownership and time for chain and
 * exchange; that it is USDT, settled and ours was judged by the channel that saw it. Pure.
 */
import type { Paisa } from '../base/money.js';
import { type TenThousandths, unitsOf } from '../base/usdt.js';
import type { Match } from './matching.js';

export interface UsdtPayment {
  /** Each amount that reached the receiver, in base units of 10^-18; several where one transaction made several. */
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
  /** How much earlier than the session the money may have moved. */
  readonly earlierMs: number;
  /** How much may be missing, in base units. */
  readonly shortUnits: bigint;
  /** Per cent above the quote from which a person decides. */
  readonly overPercent: number;
}

/**
 * @param others amounts, in base units, that other sessions hold on the same receiving account. Hashes are
 * public, so a stranger can post somebody else's: what equals the amount of another session to the unit
 * belongs to that one (design.md section 5).
 */
export function matchUsdt(
  payment: UsdtPayment,
  due: UsdtDue,
  others: ReadonlySet<bigint>,
  rule: UsdtRule,
): Match {
  if (payment.at < due.created_at - rule.earlierMs) return { outcome: 'disagree', about: 'time' };
  const quoted = unitsOf(due.quoted);
  const own = payment.amounts.filter((amount) => amount === quoted || !others.has(amount));
  if (own.length === 0) return { outcome: 'disagree', about: 'other_payment' };
  if (own.includes(quoted)) return { outcome: 'credit', paisa: due.paisa };
  const paid = own.reduce((sum, amount) => sum + amount, 0n);
  if (others.has(paid)) return { outcome: 'disagree', about: 'other_payment' };
  if (paid + rule.shortUnits < quoted) return { outcome: 'disagree', about: 'amount' };
  const isOver = paid * 100n > quoted * BigInt(100 + rule.overPercent);
  return isOver ? { outcome: 'review', reason: 'overpaid' } : { outcome: 'credit', paisa: due.paisa };
}
