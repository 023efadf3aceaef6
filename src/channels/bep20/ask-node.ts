/**
 * Asks one node about its health and about transactions. Two requests at most: chain, heads and receipts
 * together, then the blocks of the receipts.
 */
import { AHEAD_MS } from './assess.js';
import { malformed, NodeFaultError, nodeFault } from './faults.js';
import { BoundedProvider } from './provider.js';
import type { Block, ChainNode, Heads, NodeFault, ObservedTransaction, Receipt } from './types.js';
import { readBlock, readQuantity, readReceipt } from './wire.js';

/** The newest block of a node that is well is not older; blocks come every half second. */
const LAG_MS = 30_000;

/** No transaction has it: a node that says so has looked, and more need not be known of it. */
export const NO_HASH = `0x${'0'.repeat(64)}`;

export interface AskLimits {
  /** For the whole conversation. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  now(): number;
}

export type NodeAnswer =
  | {
      readonly outcome: 'said';
      readonly heads: Heads;
      /** In the order of the hashes; null for each that the node has in no block. */
      readonly observed: readonly (ObservedTransaction | null)[];
    }
  | { readonly outcome: 'fault'; readonly fault: NodeFault };

/** Never throws for a failure of a node. */
export async function askNode(
  node: ChainNode,
  chainId: number,
  hashes: readonly string[],
  limits: AskLimits,
): Promise<NodeAnswer> {
  const provider = new BoundedProvider(node, chainId, limits);
  try {
    const [chain, latest, finalized, ...receipts] = await allOf([
      provider.send('eth_chainId', []),
      provider.send('eth_getBlockByNumber', ['latest', false]),
      refusable(provider.send('eth_getBlockByNumber', ['finalized', false])),
      ...hashes.map((hash) => provider.send('eth_getTransactionReceipt', [hash])),
    ]);
    checkChain(chain, chainId);
    const heads = { latest: headOf(latest, limits.now()), finalized: readBlock(finalized) };
    const known = receipts.map(readReceipt);
    const blocks = await blocksOf(provider, known);
    const observed = known.map((receipt) => observedTransactionOf(receipt, blocks));
    return { outcome: 'said', heads, observed };
  } catch (error) {
    if (error instanceof NodeFaultError) return { outcome: 'fault', fault: error.fault };
    throw error;
  }
}

/** All of them have ended before the first failure is passed on, so that none is left unhandled. */
async function allOf(questions: readonly Promise<unknown>[]): Promise<unknown[]> {
  const ended = await Promise.allSettled(questions);
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/** Old nodes know no `finalized`, and a chain whose validators do not vote has none: null. */
async function refusable(question: Promise<unknown>): Promise<unknown> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof NodeFaultError && error.fault.kind === 'rpc_error') return null;
    throw error;
  }
}

function checkChain(value: unknown, chainId: number): void {
  const chain = readQuantity(value);
  if (chain === null) throw malformed('a chain id that is no number');
  if (chain !== chainId) throw nodeFault('wrong_chain', `is on chain ${chain}, not ${chainId}`);
}

function headOf(value: unknown, now: number): Block {
  const head = readBlock(value);
  if (head === null) throw malformed('no newest block');
  const ageMs = now - head.at;
  if (ageMs > LAG_MS) throw nodeFault('lagging', `its newest block is ${seconds(ageMs)} old`);
  if (ageMs < -AHEAD_MS) throw nodeFault('clock', `its newest block is ${seconds(-ageMs)} in the future`);
  return head;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}

/** The block that the node has at the height of each receipt: its time, and whether it is the same block. */
async function blocksOf(
  provider: BoundedProvider,
  receipts: readonly (Receipt | null)[],
): Promise<ReadonlyMap<number, Block | null>> {
  const heights = [...new Set(receipts.flatMap((receipt) => receipt?.blockNumber ?? []))];
  const asked = heights.map((height) =>
    provider.send('eth_getBlockByNumber', [`0x${height.toString(16)}`, false]),
  );
  const values = await allOf(asked);
  return new Map(heights.map((height, index) => [height, readBlock(values[index])]));
}

function observedTransactionOf(
  receipt: Receipt | null,
  blocks: ReadonlyMap<number, Block | null>,
): ObservedTransaction | null {
  return receipt === null ? null : { receipt, block: blocks.get(receipt.blockNumber) ?? null };
}
