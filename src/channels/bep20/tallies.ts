/** How each node did since somebody last asked; kept by whoever asks (channel.ts, `SourceTally`). */
import type { SourceTally } from '../channel.js';
import { NO_TALLY, type Tally, withCall, withFailure, withSuccess } from '../tally.js';
import type { NodeFault } from './types.js';

export interface Tallies {
  /** @param at milliseconds since the epoch. @param fault null for an answer that was sound. */
  count(node: string, at: number, fault: NodeFault | null): void;
  /** Not a call, only what it turned out to be worth. */
  blame(node: string, at: number, fault: NodeFault): void;
  take(): SourceTally[];
}

export function createTallies(): Tallies {
  const rows = new Map<string, Tally>();
  const tallyOf = (node: string) => rows.get(node) ?? NO_TALLY;
  const blame = (node: string, at: number, { kind, detail }: NodeFault) => {
    rows.set(node, withFailure(tallyOf(node), { at, kind, detail }));
  };
  return {
    count(node, at, fault) {
      const called = withCall(tallyOf(node));
      rows.set(node, fault === null ? withSuccess(called, at) : called);
      if (fault !== null) blame(node, at, fault);
    },
    blame,
    take() {
      const taken = [...rows].map(([source, tally]) => ({ source, ...tally }));
      rows.clear();
      return taken;
    },
  };
}
