/**
 * The payment reference that a payer wrote into the reference field of a wallet, as the wallet's SMS repeats
 * it. Pure. The payer types it, so it names a payment and proves nothing else of it.
 */
import { PAYMENT_REFERENCE } from '../../base/values/ids.js';
import { asciiDigits } from '../../base/values/text.js';

/** More words of that shape name nothing: no customer has three payments in one transaction. */
const MAX_NAMED = 3;

/**
 * @param text the reference field, as the payer filled it; Bangla digits and small letters count.
 * @returns its words that have the shape of a payment reference, each once; none where there are too many.
 */
export function paymentReferencesIn(text: string): string[] {
  // Letters of other scripts are letters, too: a word that holds one is another word.
  const words = asciiDigits(text)
    .toUpperCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => PAYMENT_REFERENCE.test(word));
  const named = [...new Set(words)];
  return named.length > MAX_NAMED ? [] : named;
}

/**
 * Wallets say the minute of a payment, perhaps by a clock that is a little slow: money that moved longer ago
 * than that before a payment was opened cannot name it.
 */
const CLOCKS_MS = 3 * 60_000;

/** @param moved when the money moved. @param opened when the payment was opened. Both in milliseconds. */
export const couldName = (moved: number, opened: number): boolean => moved >= opened - CLOCKS_MS;
