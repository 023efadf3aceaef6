/** The same question of several at once is asked once. Knows no nodes. */
import type { Look } from '../channel.js';
import type { ChainQuestion } from './types.js';

/** Equal where two questions are the same. */
export function nameOf({ chainId, token, decimals, receiver, hash }: ChainQuestion): string {
  return JSON.stringify([chainId, token, decimals, receiver, hash]);
}

/** @param look asks nodes. @returns the same, shared while it is under way. */
export function shareLooks<Nodes>(
  look: (nodes: Nodes, question: ChainQuestion) => Promise<Look>,
): (nodes: Nodes, question: ChainQuestion) => Promise<Look> {
  const shared = new Map<string, Promise<Look>>();
  return (nodes, question) => {
    const name = nameOf(question);
    const known = shared.get(name);
    if (known !== undefined) return known;
    const begun = look(nodes, question).finally(() => shared.delete(name));
    shared.set(name, begun);
    return begun;
  };
}
