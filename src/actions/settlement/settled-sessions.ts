/** Results of settled claims, and the notification of waiting pages. */
import type { Core } from '../core/core.js';
import type { Settled } from './settle-claim.js';

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

/** @param decided sessions and what became of a claim of each. */
export function settledAs(
  decided: readonly { readonly id: string; readonly outcome: Settled['outcome'] }[],
): SettlementResult {
  const of = (outcome: Settled['outcome']) =>
    decided.filter((one) => one.outcome === outcome).map(({ id }) => id);
  return { settled: of('credited'), reviewed: of('under_review'), refused: of('disagrees') };
}

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
