/** Transaction ids as customers type them: which texts can be one, and the one form in which it is kept. */

export type ReadReference =
  /** Can be an id of the channel; `reference` is the one form in which it is kept. */
  | { readonly outcome: 'id'; readonly reference: string }
  /** Plain text that the channel gives out to nobody: in no record, so nothing needs to be looked up. */
  | { readonly outcome: 'no_id' }
  /** Not even that; `fault` tells a customer what to write. */
  | { readonly outcome: 'invalid'; readonly fault: string };

const INVALID: ReadReference = {
  outcome: 'invalid',
  fault: 'transaction_id must be the letters and digits that stand in the SMS, without spaces',
};

/**
 * The id of a wallet's SMS: letters of other scripts, inner spaces and control characters are none. Ignores
 * case and surrounding spaces and nothing else (design.md section 5). ASCII is checked before the
 * upper-casing: `ı`, `ſ` and the Kelvin sign would turn into I, S and K.
 */
export function readWalletReference(text: string): ReadReference {
  const bare = text.trim();
  if (/^[A-Za-z0-9]{4,32}$/.test(bare)) return { outcome: 'id', reference: bare.toUpperCase() };
  return /^[!-~]{1,128}$/.test(bare) ? { outcome: 'no_id' } : INVALID;
}
