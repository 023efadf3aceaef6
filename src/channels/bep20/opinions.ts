/**
 * What several nodes say of one transaction, made into one look. Pure. A transaction that any node knows is
 * found, whatever the others do not know yet; nothing of it is believed, neither that it pays nor that it
 * does not, before as many as are wanted say the very same.
 */
import type { Look } from '../channel.js';
import { unavailable } from '../looks.js';
import type { Assessment } from './assess.js';
import type { Sighting } from './types.js';

/** What one node said that was well; what it said of itself is not here. */
export interface Opinion {
  readonly node: string;
  readonly assessment: Exclude<Assessment, { readonly outcome: 'fault' }>;
  /** Equal where two have seen the same, the block's time included; null where the node knows of nothing. */
  readonly seen: string | null;
}

export type Conclusion =
  | { readonly outcome: 'look'; readonly look: Look }
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
  // One that lies could refuse what is good, too, and a refused claim is not asked for again.
  if (knowing.length < agreeing) return { outcome: 'ask_another' };
  // The same transaction may be final to one node and not yet to another: then it is not.
  const wary = knowing.find(({ assessment }) => assessment.outcome !== 'found');
  return { outcome: 'look', look: (wary ?? first).assessment };
}

/** @param sighting what it was that the node judged by. */
export function opinionOf(
  node: string,
  assessment: Opinion['assessment'],
  sighting: Sighting | null,
): Opinion {
  const isKnown = sighting !== null && assessment.outcome !== 'not_found';
  return { node, assessment, seen: isKnown ? JSON.stringify(sighting) : null };
}

/** @returns the look where nobody is left to ask. @param trouble why others could not be asked. */
export function lastWord(opinions: readonly Opinion[], agreeing: number, trouble: string): Look {
  const knowing = opinions.filter(({ seen }) => seen !== null).length;
  if (knowing > 0) return unavailable(`${knowing} of ${agreeing} nodes that must agree; ${trouble}`);
  return opinions.length > 0 ? { outcome: 'not_found' } : unavailable(trouble);
}
