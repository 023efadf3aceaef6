/** Transaction ids as customers type them: which texts can be one, and the one form in which it is kept. */

export type ReadReference =
  /** Can be an id of a wallet; `reference` is its upper-case form. */
  | { readonly outcome: 'id'; readonly reference: string }
  /** Plain text that no wallet gives out: it is in no record, and nothing needs to be looked up. */
  | { readonly outcome: 'no_id' }
  /** Not even plain text: letters of other scripts, inner spaces, control characters. */
  | { readonly outcome: 'invalid' };

/**
 * Ignores case and surrounding spaces and nothing else (design.md section 5). ASCII is checked before the
 * upper-casing: `ı`, `ſ` and the Kelvin sign would turn into I, S and K.
 */
export function readWalletReference(text: string): ReadReference {
  const bare = text.trim();
  if (/^[A-Za-z0-9]{4,32}$/.test(bare)) return { outcome: 'id', reference: bare.toUpperCase() };
  return /^[!-~]{1,128}$/.test(bare) ? { outcome: 'no_id' } : { outcome: 'invalid' };
}
