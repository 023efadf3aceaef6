/** Payment links: whether one takes payments, for how much, and who opens which. Pure. */
import { createHash } from 'node:crypto';
import { type Paisa, parseTaka, ungrouped } from '../../base/values/money.js';
import type { Read } from '../../base/values/read.js';
import { asciiDigits } from '../../base/values/text.js';
import type { LinkValues } from './fields.js';

/** `PAID`: as often as it may be. `ENDED`: its time is over. `SUSPENDED`: its merchant is. */
const LINK_STATES = ['ACTIVE', 'DISABLED', 'ENDED', 'PAID', 'SUSPENDED'] as const;
export type LinkState = (typeof LINK_STATES)[number];

interface LinkFacts {
  /** Milliseconds since the epoch, or null. */
  readonly ends_at: number | null;
  readonly disabled_at: number | null;
  readonly max_payments: number | null;
  readonly merchant_status: 'ACTIVE' | 'SUSPENDED';
}

/**
 * Only what was paid counts: an open payment holds no place, because most of those are never paid.
 * @param paid how many of its payments are completed. @param now milliseconds since the epoch.
 */
export function linkStateAt(link: LinkFacts, paid: number, now: number): LinkState {
  if (link.disabled_at !== null) return 'DISABLED';
  if (link.ends_at !== null && now >= link.ends_at) return 'ENDED';
  if (link.max_payments !== null && paid >= link.max_payments) return 'PAID';
  return link.merchant_status === 'SUSPENDED' ? 'SUSPENDED' : 'ACTIVE';
}

/** What a customer may pay. */
export interface LinkAmounts {
  readonly minPaisa: Paisa;
  /** The same where the amount is fixed. */
  readonly maxPaisa: Paisa;
}

export const hasFixedAmount = ({ minPaisa, maxPaisa }: LinkAmounts) => minPaisa === maxPaisa;

export type AmountFault = 'empty' | 'unreadable' | 'too_many_decimals' | 'too_low' | 'too_high';

/** What people write before and behind an amount. No amount with it is longer than this. */
const BEFORE = /^(?:৳|tk\.?|bdt|টাকা)/i;
const BEHIND = /(?:\/[-=]|৳|tk\.?|taka|bdt|টাকা)$/i;
const MAX_WRITTEN = 40;

function bareAmount(typed: string): string {
  const text = asciiDigits(typed).trim();
  if (text.length > MAX_WRITTEN) return text;
  const behind = text.replace(BEFORE, '').trim().replace(BEHIND, '').trim();
  // `500/- taka` has two of them.
  return behind.replace(BEHIND, '').trim();
}

/**
 * @param typed what a customer entered, also in Bangla digits, with commas, `৳` or `/-`; unread where it is
 *   fixed.
 */
export function readLinkAmount(link: LinkAmounts, typed: string): Read<{ paisa: Paisa }, AmountFault> {
  if (hasFixedAmount(link)) return { ok: true, paisa: link.minPaisa };
  const bare = bareAmount(typed);
  if (bare === '') return { ok: false, fault: 'empty' };
  const amount = parseTaka(ungrouped(bare));
  if (!amount.ok) {
    const faults = { not_a_decimal: 'unreadable', too_large: 'too_high' } as const;
    return {
      ok: false,
      fault: amount.reason === 'too_many_decimals' ? amount.reason : faults[amount.reason],
    };
  }
  if (amount.paisa < link.minPaisa) return { ok: false, fault: 'too_low' };
  return amount.paisa > link.maxPaisa ? { ok: false, fault: 'too_high' } : { ok: true, paisa: amount.paisa };
}

/**
 * The same browser with the same entries: who presses twice, or comes back, is led to the open payment.
 * @param browser its own random text.
 */
export function openerMark(browser: string, paisa: Paisa, values: LinkValues): string {
  const entries = [...values].sort(([one], [next]) => (one < next ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([browser, paisa, entries]))
    .digest('base64url');
}
