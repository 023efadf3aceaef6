/** How one source did, counted up call by call (channel.ts, `SourceTally`). Pure. */
import type { SourceTally } from './channel.js';

export type Tally = Omit<SourceTally, 'source'>;

export const NO_TALLY: Tally = { calls: 0, failures: {}, lastOkAt: null, lastFailure: null };

export function withCall(tally: Tally): Tally {
  return { ...tally, calls: tally.calls + 1 };
}

/** @param at milliseconds since the epoch. */
export function withSuccess(tally: Tally, at: number): Tally {
  return { ...tally, lastOkAt: at };
}

/** @param failure fit for logs; `at` in milliseconds since the epoch. */
export function withFailure(tally: Tally, failure: NonNullable<Tally['lastFailure']>): Tally {
  const { kind } = failure;
  const failures = { ...tally.failures, [kind]: (tally.failures[kind] ?? 0) + 1 };
  return { ...tally, failures, lastFailure: failure };
}
