/** Quantity and suggested amounts of a payment link: what a customer may choose besides its fields. Pure. */
import { type Paisa, parseTaka } from '../../base/values/money.js';
import type { ParseResult } from '../../base/values/parse-result.js';
import { asciiDigits } from '../../base/values/text.js';
import { hasFixedAmount, type LinkAmounts, type LinkField } from './link.js';

/** Field of a link that lets customers choose how many pieces; stored and shown like the seller's own. */
export const QUANTITY: LinkField = { name: 'quantity', label: 'Quantity', isRequired: false };

/** Largest number of pieces of one payment. */
export const MAX_QUANTITY = 1_000;

export const MAX_SUGGESTED = 6;

export type QuantityFault = 'unreadable' | 'out_of_range';

/**
 * @param max largest number; null if the customer does not choose, and then `typed` is not read.
 * @param typed what a customer entered, also in Bangla digits; empty for one piece.
 */
export function parseQuantity(
  max: number | null,
  typed: string,
): ParseResult<{ pieces: number }, QuantityFault> {
  const text = asciiDigits(typed).trim();
  if (max === null || text === '') return { ok: true, pieces: 1 };
  if (!/^\d{1,20}$/.test(text)) return { ok: false, fault: 'unreadable' };
  const pieces = Number(text);
  return pieces >= 1 && pieces <= max ? { ok: true, pieces } : { ok: false, fault: 'out_of_range' };
}

/** @param text `100,500,1000`, in taka; empty for none. `fault` is the end of a sentence. */
export function parseSuggested(link: LinkAmounts, text: string): ParseResult<{ amounts: readonly Paisa[] }> {
  const parts = text.split(',').map((part) => asciiDigits(part).trim());
  if (text.trim() === '') return { ok: true, amounts: [] };
  if (hasFixedAmount(link))
    return { ok: false, fault: 'needs a link on which the customer chooses the amount' };
  if (parts.length > MAX_SUGGESTED) return { ok: false, fault: `has more than ${MAX_SUGGESTED} amounts` };
  const amounts: Paisa[] = [];
  for (const part of parts) {
    const amount = parseTaka(part);
    if (!amount.ok) return { ok: false, fault: `"${part}" is not an amount in taka` };
    if (amount.paisa < link.minPaisa || amount.paisa > link.maxPaisa) {
      return { ok: false, fault: `${part} is outside the limits of the link` };
    }
    amounts.push(amount.paisa);
  }
  return { ok: true, amounts };
}

/** @param json text of `payment_links.suggested`. */
export function parseSuggestedColumn(json: string): readonly Paisa[] {
  return JSON.parse(json) as readonly Paisa[];
}
