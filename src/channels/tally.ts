/** How each source did since the last question; kept by the caller (channel.ts, `SourceTally`). */
import type { SourceTally } from './channel.js';

/** `source` is the id of a node or an account; times are milliseconds since the epoch. */
export interface Tallies {
  called(source: string): void;
  succeeded(source: string, at: number): void;
  /** Not a call, only what it turned out to be worth. @param failure fit for logs. */
  failed(source: string, failure: NonNullable<SourceTally['lastFailure']>): void;
  /** @returns what was counted since this was last called. */
  take(): SourceTally[];
}

export function createTallies(): Tallies {
  const rows = new Map<string, SourceTally>();
  const tallyOf = (source: string): SourceTally =>
    rows.get(source) ?? { source, calls: 0, failures: {}, lastOkAt: null, lastFailure: null };
  const change = (source: string, changed: Partial<SourceTally>) => {
    rows.set(source, { ...tallyOf(source), ...changed });
  };
  return {
    called: (source) => change(source, { calls: tallyOf(source).calls + 1 }),
    succeeded: (source, lastOkAt) => change(source, { lastOkAt }),
    failed(source, lastFailure) {
      const { kind } = lastFailure;
      const { failures } = tallyOf(source);
      change(source, { failures: { ...failures, [kind]: (failures[kind] ?? 0) + 1 }, lastFailure });
    },
    take() {
      const taken = [...rows.values()];
      rows.clear();
      return taken;
    },
  };
}
