/** How each node did since somebody last asked; kept by whoever asks (channel.ts, `SourceTally`). */
import type { SourceTally } from '../channel.js';
import type { NodeFault } from './types.js';

export interface Tallies {
  /** @param at milliseconds since the epoch. @param fault null for an answer that was sound. */
  count(node: string, at: number, fault: NodeFault | null): void;
  /** Not a call, only what it turned out to be worth. */
  blame(node: string, at: number, fault: NodeFault): void;
  take(): SourceTally[];
}

export function createTallies(): Tallies {
  const rows = new Map<string, SourceTally>();
  const rowOf = (source: string): SourceTally =>
    rows.get(source) ?? { source, calls: 0, failures: {}, lastOkAt: null, lastFailure: null };
  const blame = (node: string, at: number, { kind, detail }: NodeFault) => {
    const row = rowOf(node);
    const failures = { ...row.failures, [kind]: (row.failures[kind] ?? 0) + 1 };
    rows.set(node, { ...row, failures, lastFailure: { at, kind, detail } });
  };
  return {
    count(node, at, fault) {
      const row = rowOf(node);
      rows.set(node, { ...row, calls: row.calls + 1, lastOkAt: fault === null ? at : row.lastOkAt });
      if (fault !== null) blame(node, at, fault);
    },
    blame,
    take() {
      const taken = [...rows.values()];
      rows.clear();
      return taken;
    },
  };
}
