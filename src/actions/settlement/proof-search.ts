/** What the search for the proof of a claim may find, whichever channel was searched. */
import type { Refused, Unavailable } from '../../channels/channel.js';
import type { Match } from '../../domain/matching/matching.js';
import type { ClaimedProof } from './credit-proof.js';

export type ProofLookup =
  /** `at`: when the money moved, milliseconds since the epoch. */
  | {
      readonly outcome: 'proof';
      readonly proof: ClaimedProof;
      readonly match: Match;
      readonly at: number;
    }
  /** It was credited already, perhaps to this very session a moment ago. */
  | { readonly outcome: 'credited' }
  /** It is there, and until then nobody can say whether the claim was guessed. */
  | { readonly outcome: 'hold'; readonly untilMs: number }
  /** Not there yet, or never. `isNew` where the claim is kept already: whether it is a new one. */
  | { readonly outcome: 'none'; readonly isNew?: boolean | undefined }
  | { readonly outcome: 'not_final'; readonly detail: string; readonly block: number | null }
  | Refused
  /** Several payers' numbers end alike: the whole number would tell them apart. */
  | { readonly outcome: 'ask_full_number' }
  /** Not even that would; a person has to look which of the pushes it is. */
  | { readonly outcome: 'several_payers' }
  | Unavailable;
