/**
 * Price of a payment in USDT: the amount at the brand's rate, fixed when the session is opened. Pure; the
 * amounts reserved by other sessions are in the store.
 */
import type { Paisa } from '../../base/values/money.js';
import { parseSteps, type TenThousandths } from '../../base/values/usdt.js';

/** BDT per USDT for brands that have none of their own. */
export const EVERY_BRAND = '*';

/** 100,000 BDT for a dollar: more is a slip of the finger. */
const MAX_RATE: TenThousandths = 1_000_000_000;

/** @param text BDT for one USDT, with at most four decimals. @returns null if it is not a valid rate. */
export function parseRate(text: string): TenThousandths | null {
  const rate = parseSteps(text.trim());
  return rate === null || rate < 1 || rate > MAX_RATE ? null : rate;
}

/** @returns the USDT due, rounded up to 0.0001, so that the shop never gets less than requested. */
export function quotedSteps(paisa: Paisa, rate: TenThousandths): TenThousandths {
  const wanted = BigInt(paisa) * 1_000_000n;
  const divisor = BigInt(rate);
  return Number((wanted + divisor - 1n) / divisor);
}

/**
 * Maximum excess of a reserved amount over the amount due: 0.05 USDT, or 1 % if more; above it the channel is
 * not offered. Without it, thousands of sessions of a price would raise it for the next customer.
 */
const LEAST_ROOM: TenThousandths = 500;

export function roomAbove(wanted: TenThousandths): TenThousandths {
  return Math.max(LEAST_ROOM, Math.floor(wanted / 100));
}

/** A collision cluster: a price most of whose amounts are held. */
interface AmountCluster {
  /** The lowest amount: what a new session of that price wants. */
  readonly wanted: TenThousandths;
  readonly held: number;
  /** Number of amounts that exist for that price. */
  readonly all: number;
}

/**
 * @param held amounts of one receiver, rising, none twice.
 * @returns those stretches without a gap in which four fifths or more of what the lowest price has are held.
 */
export function findAmountClusters(held: readonly TenThousandths[]): AmountCluster[] {
  const starts = held.flatMap((amount, at) => (held[at - 1] === amount - 1 ? [] : [at]));
  return starts.flatMap((at, nth) => {
    const wanted = held[at] ?? 0;
    const all = roomAbove(wanted) + 1;
    const length = (starts[nth + 1] ?? held.length) - at;
    return length * 5 < all * 4 ? [] : [{ wanted, held: Math.min(length, all), all }];
  });
}

/**
 * Time for which an amount stays reserved after the end of its session, in ms. Otherwise a customer who pays
 * late would pay exactly the amount of another session.
 */
export const HELD_AFTER_END_MS = 3_600_000;
