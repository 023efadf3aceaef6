/**
 * Combines the answers of several nodes about one transaction. Pure. A transaction that any node knows is
 * found, but it is neither accepted nor refused before the required number of nodes agree.
 */
import type { Lookup } from '../channel.js';
import { unavailable } from '../lookups.js';
import type { Assessment } from './assess.js';
import type { ObservedTransaction } from './types.js';

/** What one node said that was well; what it said of itself is not here. */
export interface Opinion {
  readonly node: string;
  readonly assessment: Exclude<Assessment, { readonly outcome: 'fault' }>;
  /** Equal where two have seen the same, the block's time included; null where the node knows of nothing. */
  readonly seen: string | null;
}

export type Conclusion =
  | { readonly outcome: 'lookup'; readonly lookup: Lookup }
  /** Nodes say what cannot be true together; these said it. */
  | { readonly outcome: 'disagreement'; readonly nodes: readonly string[] }
  | { readonly outcome: 'ask_another' };

/** @param agreeing how many must say the same of a transaction before it is believed, at least 1. */
export function conclude(opinions: readonly Opinion[], agreeing: number): Conclusion {
  const knowing = opinions.filter(({ seen }) => seen !== null);
  const [first] = knowing;
  if (first === undefined) return { outcome: 'ask_another' };
  if (knowing.some(({ seen }) => seen !== first.seen)) {
    return { outcome: 'disagreement', nodes: knowing.map(({ node }) => node) };
  }
  // A refusal also needs agreement, because a refused claim is not rechecked.
  if (knowing.length < agreeing) return { outcome: 'ask_another' };
  // The same transaction may be final to one node and not yet to another: then it is not.
  const untrusting = knowing.find(({ assessment }) => assessment.outcome !== 'found');
  return { outcome: 'lookup', lookup: (untrusting ?? first).assessment };
}

/** @param observed what it was that the node judged by. */
export function opinionOf(
  node: string,
  assessment: Opinion['assessment'],
  observed: ObservedTransaction | null,
): Opinion {
  const isKnown = observed !== null && assessment.outcome !== 'not_found';
  return { node, assessment, seen: isKnown ? JSON.stringify(observed) : null };
}

/** @returns the lookup where no node is left to ask. @param problem why others could not be asked. */
export function conclusionWithoutMajority(
  opinions: readonly Opinion[],
  agreeing: number,
  problem: string,
): Lookup {
  const knowing = opinions.filter(({ seen }) => seen !== null).length;
  if (knowing > 0) return unavailable(`${knowing} of ${agreeing} nodes that must agree; ${problem}`);
  return opinions.length > 0 ? { outcome: 'not_found' } : unavailable(problem);
}
