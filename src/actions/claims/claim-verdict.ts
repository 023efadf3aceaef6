/** Types: the question whether a reference pays a session, and all verdicts. */
import type { Unavailable } from '../../channels/channel.js';
import type { Channel } from '../../domain/accounts/channels.js';
import type { Disagreement } from '../../domain/matching/matching.js';
import type { claimedSession } from '../../store/tables/sessions.js';
import type { BrandContext } from '../brands/brand-context.js';
import type { Credited } from '../settlement/credited-claim.js';
import type { OverBudget } from '../strangers/use-budget.js';

/**
 * Who asks. A session that is over without money still takes claims, which go to review: on our own page
 * whatever they name; to a shop's server it is gone, unless money came in its time. Rechecks do not count as
 * attempts.
 */
export type ClaimSource = 'shop' | 'customer' | 'recheck';

export interface Claim {
  readonly brand: Pick<BrandContext, 'brandId' | 'merchantId' | 'proofWindowHours' | 'accountsVersion'>;
  readonly sessionId: string;
  readonly method: Channel;
  /**
   * In the one form in which it is kept (domain/matching/reference), or null for a text that can be no id.
   */
  readonly reference: string | null;
  readonly source: ClaimSource;
  /** Of the address of a customer on our page; absent of a shop's server. */
  readonly addressMark?: string | null | undefined;
}

export type ClaimedSession = NonNullable<Awaited<ReturnType<typeof claimedSession.first>>>;

/** What was found. Refusals are values, because a refusal too leaves rows that must stay. */
export type Verdict =
  | { readonly outcome: 'completed'; readonly session: ClaimedSession; readonly credited: Credited }
  | { readonly outcome: 'under_review'; readonly session: ClaimedSession }
  | {
      readonly outcome:
        | 'session_not_found'
        | 'session_completed'
        | 'too_many_attempts'
        | 'not_found'
        | 'already_credited'
        | 'ask_full_number'
        /** The session was opened without this way to pay. */
        | 'not_offered';
    }
  | { readonly outcome: 'not_final'; readonly detail: string; readonly block: number | null }
  | Unavailable
  | { readonly outcome: 'disagrees'; readonly about: Disagreement }
  /** Nothing is kept, because strangers have used up what they may cause that day. */
  | OverBudget;

/** To a shop's server a session that is over is gone, unless there is money for a person to look at. */
export function toShopAtTheEnd(verdict: Verdict): Verdict {
  switch (verdict.outcome) {
    case 'completed':
    case 'under_review':
    case 'not_final':
    case 'unavailable':
    case 'too_many_attempts':
    case 'over_budget':
      return verdict;
    case 'session_not_found':
    case 'session_completed':
    case 'not_found':
    case 'already_credited':
    case 'ask_full_number':
    case 'not_offered':
    case 'disagrees':
      return { outcome: 'session_not_found' };
    default:
      return verdict satisfies never;
  }
}
