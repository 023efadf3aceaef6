/**
 * Transactions whose receipt is larger than what is read of one. They are not asked for again for a while:
 * anybody can make them, and each time they cost as much as can be read.
 */
import { unavailable } from '../lookups.js';
import type { ChainQuestion } from './types.js';

/** Nobody's fault but its maker's, and hardly another one later. */
export const TOO_LARGE = unavailable('the receipt is larger than what is read of one', 300);

export interface TooLarge {
  add(question: ChainQuestion): void;
  has(question: ChainQuestion): boolean;
}

export function createTooLarge(): TooLarge {
  const until = new Map<string, number>();
  const nameOf = ({ chainId, hash }: ChainQuestion) => `${chainId} ${hash}`;
  return {
    add(question) {
      const at = performance.now();
      for (const [name, end] of until) if (end <= at) until.delete(name);
      until.set(nameOf(question), at + TOO_LARGE.retryAfterS * 1_000);
    },
    has: (question) => (until.get(nameOf(question)) ?? 0) > performance.now(),
  };
}
