/**
 * The reader of chains: asks an operator's nodes in their order until those that are well have an answer.
 * What it remembers of them is no truth: another process finds it out again. Loads ethers and got.
 */
import type { Lookup, SourceTally } from '../channel.js';
import { type Unavailable, unavailable } from '../lookups.js';
import { createSharedCalls } from '../shared-calls.js';
import { askNode } from './ask-node.js';
import { finalHeight } from './assess.js';
import { checkNode, type NodeCheck } from './check-node.js';
import { lookupTogether, nameOf } from './inquiry.js';
import { createNodePool, type Nodes } from './pool.js';
import { createTooLarge } from './too-large.js';
import type { ChainNode, ChainQuestion } from './types.js';

/** Receipts in one request: about 200 KB of ordinary ones. */
const MAX_TOGETHER = 50;
const NODE_MS = 3_000;
const TOTAL_MS = 9_000;

export interface ChainReaderOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that never jumps, by which nodes that have failed rest. */
  steadyMs?(): number;
  /** Blocks above a transfer after which it is final where a node does not tell what is. */
  readonly confirmations: number;
  /** Nodes that must say the same of a transfer before it is believed. */
  readonly agreeing: number;
  /** Deadline of one node, a trickling answer included. */
  readonly nodeMs?: number;
  /** Deadline of all together. */
  readonly totalMs?: number;
  /** Asks one node, over the network unless given. */
  readonly ask?: typeof askNode;
}

export type ChainHeads =
  /** Up to `final` nothing can be undone any more. */
  { readonly outcome: 'seen'; readonly latest: number; readonly final: number } | Unavailable;

export interface ChainReader {
  lookup(nodes: readonly ChainNode[], question: ChainQuestion): Promise<Lookup>;
  /** The same for many of one chain, in their order, at the price of a few and within the time of one. */
  lookupMany(
    nodes: readonly ChainNode[],
    chainId: number,
    questions: readonly ChainQuestion[],
  ): Promise<readonly Lookup[]>;
  heads(nodes: readonly ChainNode[], chainId: number): Promise<ChainHeads>;
  check(node: ChainNode, chainId: number): Promise<NodeCheck>;
  /** How nodes did since this was last asked. */
  tallies(): SourceTally[];
}

/** Nothing here throws for what a node does. */
export function createChainReader(options: ChainReaderOptions): ChainReader {
  const {
    now,
    steadyMs = () => performance.now(),
    nodeMs = NODE_MS,
    totalMs = TOTAL_MS,
    ask = askNode,
  } = options;
  const rule = { ...options, steadyMs };
  const pool = createNodePool({ now, steadyMs, nodeMs, ask });
  const tooLarge = createTooLarge();
  const together = (nodes: Nodes, questions: readonly ChainQuestion[], endsAt: number) =>
    lookupTogether({ pool, nodes, tooLarge, endsAt, rule }, questions);
  const shared = createSharedCalls<Lookup>();
  return {
    lookup: (all, question) =>
      shared(nameOf(question), async () => {
        const nodes = { all, chainId: question.chainId };
        const [lookup] = await together(nodes, [question], steadyMs() + totalMs);
        return lookup ?? unavailable('nothing was asked');
      }),
    async lookupMany(all, chainId, questions) {
      const endsAt = steadyMs() + totalMs;
      const lookups: Lookup[] = [];
      for (let at = 0; at < questions.length; at += MAX_TOGETHER) {
        const some = questions.slice(at, at + MAX_TOGETHER);
        lookups.push(...(await together({ all, chainId }, some, endsAt)));
      }
      return lookups;
    },
    async heads(all, chainId) {
      const nodes = { all, chainId };
      const endsAt = steadyMs() + totalMs;
      for (const node of await pool.ready(nodes)) {
        const answer = await pool.ask(nodes, node, [], Math.max(0, endsAt - steadyMs()));
        if (answer.outcome !== 'said') continue;
        const { heads } = answer;
        const final = finalHeight(heads, options.confirmations);
        return { outcome: 'seen', latest: heads.latest.number, final };
      }
      return unavailable(pool.problem(nodes));
    },
    check: (node, chainId) => checkNode(node, chainId, { now, deadlineMs: nodeMs }),
    tallies: () => pool.tallies(),
  };
}
