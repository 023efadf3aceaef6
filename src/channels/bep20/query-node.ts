/**
 * Queries one node for its health and for transactions, in two rounds at most: chain, heads and receipts
 * together, then the blocks of the receipts.
 */

import { asRecord } from '../../base/values/fields.js';
import { AHEAD_MS } from './assess.js';
import { type AskRpc, createRpc, malformed, NodeFaultError, nodeFault, type RpcAnswer } from './json-rpc.js';
import type {
  Block,
  ChainNode,
  EventLog,
  Heads,
  NodeFault,
  ObservedTransaction,
  TransactionReceipt,
} from './types.js';

/** Maximum age of the newest block of a healthy node; blocks come every half second. */
const LAG_MS = 30_000;

/** Hash of no transaction, for health checks: a node that answers null has looked it up. */
export const NO_HASH = `0x${'0'.repeat(64)}`;

export interface AskLimits {
  /** Time limit of all requests together, in ms. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  now(): number;
}

export type NodeAnswer =
  | {
      readonly outcome: 'said';
      readonly heads: Heads;
      /** Observations in the order of the hashes; null for each hash that the node has in no block. */
      readonly observed: readonly (ObservedTransaction | null)[];
    }
  | { readonly outcome: 'fault'; readonly fault: NodeFault };

/** Queries one node. Never throws for a fault of the node. */
export async function queryNode(
  node: ChainNode,
  chainId: number,
  hashes: readonly string[],
  limits: AskLimits,
): Promise<NodeAnswer> {
  const ask = createRpc(node, limits);
  try {
    const [chain, latest, finalized, ...receipts] = await ask([
      ['eth_chainId'],
      ['eth_getBlockByNumber', 'latest', false],
      ['eth_getBlockByNumber', 'finalized', false],
      ...hashes.map((hash) => ['eth_getTransactionReceipt', hash] as const),
    ]);
    checkChain(resultOf(chain), chainId);
    const heads = {
      latest: headOf(resultOf(latest), limits.now()),
      finalized: parseBlock(resultIfAnswered(finalized)),
    };
    const known = receipts.map((receipt) => parseReceipt(resultOf(receipt)));
    const blocks = await blocksOf(ask, known);
    const observed = known.map((receipt) => observedTransactionOf(receipt, blocks));
    return { outcome: 'said', heads, observed };
  } catch (error) {
    if (error instanceof NodeFaultError) return { outcome: 'fault', fault: error.fault };
    throw error;
  }
}

function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer?.outcome === 'error') throw answer.error;
  return answer?.result;
}

/** Old nodes know no `finalized`, and a chain whose validators do not vote has none: null. */
function resultIfAnswered(answer: RpcAnswer | undefined): unknown {
  const isRefused = answer?.outcome === 'error' && answer.error.fault.kind === 'rpc_error';
  return isRefused ? null : resultOf(answer);
}

function checkChain(value: unknown, chainId: number): void {
  const chain = parseQuantity(value);
  if (chain === null) throw malformed('a chain id that is no number');
  if (chain !== chainId) throw nodeFault('wrong_chain', `is on chain ${chain}, not ${chainId}`);
}

function headOf(value: unknown, now: number): Block {
  const head = parseBlock(value);
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
  ask: AskRpc,
  receipts: readonly (TransactionReceipt | null)[],
): Promise<ReadonlyMap<number, Block | null>> {
  const heights = [...new Set(receipts.flatMap((receipt) => receipt?.blockNumber ?? []))];
  const answers = await ask(
    heights.map((height) => ['eth_getBlockByNumber', `0x${height.toString(16)}`, false]),
  );
  return new Map(heights.map((height, index) => [height, parseBlock(resultOf(answers[index]))]));
}

function observedTransactionOf(
  receipt: TransactionReceipt | null,
  blocks: ReadonlyMap<number, Block | null>,
): ObservedTransaction | null {
  return receipt === null ? null : { receipt, block: blocks.get(receipt.blockNumber) ?? null };
}

export type NodeCheck =
  | {
      readonly outcome: 'well';
      readonly latest: Block;
      /** Newest final block; null if the node does not report it. */
      readonly finalized: Block | null;
      /** Duration of the queries that one payment needs, in ms. */
      readonly tookMs: number;
      /** False if the node accepts only one query per request, or is configured so. */
      readonly takesBatches: boolean;
    }
  | { readonly outcome: 'fault'; readonly fault: NodeFault };

/** Sends the queries that each payment needs; if they fail as a batch, sends them one by one. */
export async function checkNode(node: ChainNode, chainId: number, limits: AskLimits): Promise<NodeCheck> {
  const first = await timed(() => queryNode(node, chainId, [NO_HASH], limits));
  if (first.answer.outcome === 'said') return wellOf(first.answer, first.tookMs, node.batches);
  if (node.batches) {
    const single = await timed(() => queryNode({ ...node, batches: false }, chainId, [NO_HASH], limits));
    if (single.answer.outcome === 'said') return wellOf(single.answer, single.tookMs, false);
  }
  return { outcome: 'fault', fault: first.answer.fault };
}

async function timed(ask: () => Promise<NodeAnswer>) {
  const startedAt = performance.now();
  const answer = await ask();
  return { answer, tookMs: Math.round(performance.now() - startedAt) };
}

function wellOf(
  { heads }: Extract<NodeAnswer, { readonly outcome: 'said' }>,
  tookMs: number,
  takesBatches: boolean,
): NodeCheck {
  return { outcome: 'well', latest: heads.latest, finalized: heads.finalized, tookMs, takesBatches };
}

const WORD = /^0x[0-9a-f]{64}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const QUANTITY = /^0x[0-9a-f]{1,14}$/i;
const WRONG_SHAPE = 'a block or receipt of the wrong shape';

/** @returns an integer that a double represents exactly, or null. */
export function parseQuantity(value: unknown): number | null {
  if (typeof value !== 'string' || !QUANTITY.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

/** @returns null where the node knows of none. @throws NodeFaultError `malformed` */
export function parseBlock(value: unknown): Block | null {
  if (value === null) return null;
  const { number, hash, timestamp } = asRecord(value);
  const height = parseQuantity(number);
  const seconds = parseQuantity(timestamp);
  if (height === null || seconds === null || !isText(hash, WORD)) throw malformed(WRONG_SHAPE);
  return { number: height, hash: hash.toLowerCase(), at: seconds * 1_000 };
}

/** @returns null where the node knows of none, or of one that is in no block yet. @throws likewise */
export function parseReceipt(value: unknown): TransactionReceipt | null {
  if (value === null) return null;
  const { transactionHash, blockNumber, blockHash, status, logs } = asRecord(value);
  if (blockNumber === null || blockHash === null) return null;
  const height = parseQuantity(blockNumber);
  const read = Array.isArray(logs) ? logs.map(parseLog) : [null];
  const sound = read.filter((log) => log !== null);
  const isWhole = height !== null && isText(transactionHash, WORD) && isText(blockHash, WORD);
  // A node that does not say whether it succeeded has said nothing of it: no reason to refuse it (EIP-658).
  const isJudged = status === '0x1' || status === '0x0';
  if (!isWhole || !isJudged || sound.length !== read.length) throw malformed(WRONG_SHAPE);
  return {
    hash: transactionHash.toLowerCase(),
    blockNumber: height,
    blockHash: blockHash.toLowerCase(),
    status,
    logs: sound,
  };
}

function parseLog(value: unknown): EventLog | null {
  const { address, topics, data, removed } = asRecord(value);
  if (!isText(address, ADDRESS) || !isText(data, BYTES) || !Array.isArray(topics)) return null;
  if (!topics.every((topic): topic is string => isText(topic, WORD))) return null;
  return {
    address: address.toLowerCase(),
    topics: topics.map((topic) => topic.toLowerCase()),
    data: data.toLowerCase(),
    removed: removed === true,
  };
}

function isText(value: unknown, shape: RegExp): value is string {
  return typeof value === 'string' && shape.test(value);
}
