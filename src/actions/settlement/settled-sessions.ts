/** Results of settled claims, and the notification of waiting pages. */
import type { Core } from '../core/core.js';

/** Results of settled claims, as session ids. */
export interface SettlementResult {
  /** Sessions that were completed. */
  readonly settled: readonly string[];
  /** Sessions that were put under review. */
  readonly reviewed: readonly string[];
  /** Sessions whose claim was refused: what came disagrees with it, or pays another. */
  readonly refused: readonly string[];
}

export const NONE: SettlementResult = { settled: [], reviewed: [], refused: [] };

export function together(results: readonly SettlementResult[]): SettlementResult {
  return {
    settled: results.flatMap(({ settled }) => settled),
    reviewed: results.flatMap(({ reviewed }) => reviewed),
    refused: results.flatMap(({ refused }) => refused),
  };
}

/** Notifies pages that wait for these sessions. */
export function notifyListeners(core: Core, result: SettlementResult): void {
  for (const session of [...result.settled, ...result.reviewed, ...result.refused]) core.moved.tell(session);
}
