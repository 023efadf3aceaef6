/**
 * The same question of several at once is asked once. One whose answer is too large to be read is not asked
 * again for a while: each time it costs as much as can be read, and anybody may have made it.
 */
import type { Look } from '../channel.js';
import { TOO_LARGE } from './inquiry.js';
import type { ChainQuestion } from './types.js';

interface Shared {
  readonly look: Promise<Look>;
  /** On the clock that never jumps; Infinity while it is under way. */
  until: number;
}

/** @param look asks nodes. @returns the same, shared. */
export function shareLooks<Nodes>(
  look: (nodes: Nodes, question: ChainQuestion) => Promise<Look>,
): (nodes: Nodes, question: ChainQuestion) => Promise<Look> {
  const shared = new Map<string, Shared>();

  const begin = (name: string, nodes: Nodes, question: ChainQuestion): Promise<Look> => {
    const at = performance.now();
    for (const [old, { until }] of shared) if (until <= at) shared.delete(old);
    const begun: Shared = { look: look(nodes, question), until: Number.POSITIVE_INFINITY };
    shared.set(name, begun);
    void begun.look.then((seen) => {
      if (seen === TOO_LARGE) begun.until = performance.now() + TOO_LARGE.retryAfterS * 1_000;
      else shared.delete(name);
    });
    return begun.look;
  };

  return (nodes, question) => {
    const { chainId, token, decimals, receiver, hash } = question;
    const name = JSON.stringify([chainId, token, decimals, receiver, hash]);
    const known = shared.get(name);
    return known !== undefined && performance.now() < known.until ? known.look : begin(name, nodes, question);
  };
}
