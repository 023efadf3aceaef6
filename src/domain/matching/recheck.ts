/** When a claim on chain or exchange is asked for again. Pure. */

const SECOND = 1_000;
/** After the first, second … time that nothing was there; a customer waits longest for the first. */
const PAUSES_MS = [2, 3, 5, 10, 20, 40, 60].map((seconds) => seconds * SECOND);
const LAST_PAUSE_MS = 120 * SECOND;
/** A block is final sooner than that, or its chain has stopped. */
const LONGEST_FINALITY_MS = 60 * SECOND;

/** @param tries how often it was asked for in vain, at least 1. @returns milliseconds until the next time. */
export function nextRecheckMs(tries: number): number {
  return PAUSES_MS[tries - 1] ?? LAST_PAUSE_MS;
}

/** A block of the BNB chain takes 0.45 s since 2026; of others longer, and then it is asked for in vain. */
const BLOCK_MS = 450;

/**
 * @param block height that holds the transfer. @param final height up to which all is final.
 * @returns milliseconds until it may be final, 0 if it is.
 */
export function finalInMs(block: number, final: number): number {
  if (block <= final) return 0;
  return Math.min(Math.max((block - final) * BLOCK_MS, SECOND), LONGEST_FINALITY_MS);
}
