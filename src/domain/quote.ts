/**
 * What a payment costs in USDT (design.md section 5, "bep20"): the amount at the brand's rate, fixed when the
 * session is opened. Pure; which amounts other sessions hold is known to the store.
 */
import type { Paisa } from '../base/money.js';
import { parseSteps, type TenThousandths } from '../base/usdt.js';

/** BDT per USDT for brands that have none of their own. */
export const EVERY_BRAND = '*';

/** 100,000 BDT for a dollar: more is a slip of the finger. */
const MAX_RATE: TenThousandths = 1_000_000_000;

/** @param text BDT for one USDT with at most four decimals. @returns null where it is none. */
export function readRate(text: string): TenThousandths | null {
  const rate = parseSteps(text.trim());
  return rate === null || rate < 1 || rate > MAX_RATE ? null : rate;
}

/** @returns what is due in USDT, rounded up to 0.0001: the shop never gets less than it asked for. */
export function quotedSteps(paisa: Paisa, rate: TenThousandths): TenThousandths {
  const wanted = BigInt(paisa) * 1_000_000n;
  const divisor = BigInt(rate);
  return Number((wanted + divisor - 1n) / divisor);
}

/**
 * How long after the end of its session an amount stays out of use: who pays late would otherwise pay exactly
 * what somebody else was asked for meanwhile.
 */
export const HELD_AFTER_END_MS = 3_600_000;
