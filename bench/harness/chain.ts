/**
 * The chain of the benchmark, as a function of the time: what stands at a height, and which transfer a hash
 * names. So the node that tells of it, the shop that is paid on it and the loop that asks for it agree
 * without a word between them, and a thousand transfers take no memory.
 */

export const CHAIN_ID = 56;
/** What a block of the BNB chain takes. */
const BLOCK_MS = 450;
/** Blocks that are not final yet, while the validators vote as they should. */
export const VOTING_BLOCKS = 2;

/** Height of the newest block. @param at milliseconds since the epoch. */
export function heightAt(at: number): number {
  return Math.floor(at / BLOCK_MS);
}

/** When a block was made, in seconds since the epoch. */
export function secondsOf(height: number): number {
  return Math.floor((height * BLOCK_MS) / 1_000);
}

export interface Transfer {
  /** Base units of 10^-18. */
  readonly units: bigint;
  readonly block: number;
}

/** @param serial tells transfers apart that are alike. @returns `0x` and 64 digits. */
export function hashOf({ units, block }: Transfer, serial: number): string {
  return `0x${hex(units, 32)}${hex(block, 16)}${hex(serial, 16)}`;
}

export function transferOf(hash: string): Transfer {
  return { units: BigInt(`0x${hash.slice(2, 34)}`), block: Number(`0x${hash.slice(34, 50)}`) };
}

/** Digits of a number, so many of them. */
export function hex(value: bigint | number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** The questions of a payment, as they stand in the body of a request; ids are of six digits. */
export function firstQuestions(hash: string, id: number): string {
  return JSON.stringify(
    [
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBlockByNumber', params: ['finalized', false] },
      { method: 'eth_getTransactionReceipt', params: [hash] },
    ].map((question, index) => ({ ...question, id: id + index, jsonrpc: '2.0' })),
  );
}

/** What is asked once the receipt is there: the block that the node has at its height. */
export function lastQuestion(height: string, id: number): string {
  return JSON.stringify({ method: 'eth_getBlockByNumber', params: [height, false], id, jsonrpc: '2.0' });
}
