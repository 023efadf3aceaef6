/** Shares concurrent look-ups of the same question. */
import type { Lookup } from '../channel.js';
import type { ChainQuestion } from './types.js';

/** Equal where two questions are the same. */
export function nameOf({ chainId, token, decimals, receiver, hash }: ChainQuestion): string {
  return JSON.stringify([chainId, token, decimals, receiver, hash]);
}

/** @param lookup asks nodes. @returns the same, shared while it is under way. */
export function shareLookups<Nodes>(
  lookup: (nodes: Nodes, question: ChainQuestion) => Promise<Lookup>,
): (nodes: Nodes, question: ChainQuestion) => Promise<Lookup> {
  const shared = new Map<string, Promise<Lookup>>();
  return (nodes, question) => {
    const name = nameOf(question);
    const known = shared.get(name);
    if (known !== undefined) return known;
    const begun = lookup(nodes, question).finally(() => shared.delete(name));
    shared.set(name, begun);
    return begun;
  };
}
