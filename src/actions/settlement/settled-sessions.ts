/** What became of claims that money has met, and who is told of it. */
import type { Core } from '../core/core.js';

/** What became of the claims that proofs met: sessions by their ids. */
export interface Met {
  /** Sessions that were completed. */
  readonly settled: readonly string[];
  /** Sessions that were put before a person. */
  readonly reviewed: readonly string[];
  /** Sessions whose claim was refused: what came disagrees with it, or pays another. */
  readonly refused: readonly string[];
}

export const NOBODY: Met = { settled: [], reviewed: [], refused: [] };

/** Lets pages that wait for these sessions look again. */
export function tellMet(core: Core, met: Met): void {
  for (const session of [...met.settled, ...met.reviewed, ...met.refused]) core.moved.tell(session);
}
