/**
 * The reader of chains: asks an operator's nodes in their order until those that are well have an answer.
 * What it remembers of them is no truth: another process finds it out anew. Loads ethers and got.
 */
import type { Look, SourceTally } from '../channel.js';
import { type Unavailable, unavailable } from '../looks.js';
import { assess, finalHeight } from './assess.js';
import { checkNode, type NodeCheck } from './check-node.js';
import { conclude, lastWord, type Opinion, opinionOf } from './opinions.js';
import { createNodePool, type NodePool, type Nodes } from './pool.js';
import type { ChainNode, ChainQuestion, Heads, Sighting } from './types.js';

/** Receipts in one request: about 200 KB of ordinary ones. */
const MAX_TOGETHER = 50;
const NODE_MS = 3_000;
const TOTAL_MS = 9_000;

export interface ChainReaderOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Blocks above a transfer after which it is final where a node does not tell what is. */
  readonly confirmations: number;
  /** Nodes that must say the same of a transfer before it is believed. */
  readonly agreeing: number;
  /** Deadline of one node, a trickling answer included. */
  readonly nodeMs?: number;
  /** Deadline of all together. */
  readonly totalMs?: number;
}

export type ChainHeads =
  /** Up to `final` nothing can be undone any more. */
  { readonly outcome: 'seen'; readonly latest: number; readonly final: number } | Unavailable;

export interface ChainReader {
  look(nodes: readonly ChainNode[], question: ChainQuestion): Promise<Look>;
  /** The same for many of one chain, in their order, at the price of a few. */
  lookMany(
    nodes: readonly ChainNode[],
    chainId: number,
    questions: readonly ChainQuestion[],
  ): Promise<readonly Look[]>;
  heads(nodes: readonly ChainNode[], chainId: number): Promise<ChainHeads>;
  check(node: ChainNode, chainId: number): Promise<NodeCheck>;
  /** How nodes did since this was last asked. */
  tallies(): SourceTally[];
}

/** Nothing here throws for what a node does. */
export function createChainReader(options: ChainReaderOptions): ChainReader {
  const { now, nodeMs = NODE_MS, totalMs = TOTAL_MS } = options;
  const pool = createNodePool({ now, nodeMs });
  return {
    async look(all, question) {
      const [look] = await lookTogether(pool, options, { all, chainId: question.chainId }, [question]);
      return look ?? unavailable('nothing was asked');
    },
    async lookMany(all, chainId, questions) {
      const looks: Look[] = [];
      for (let at = 0; at < questions.length; at += MAX_TOGETHER) {
        const some = questions.slice(at, at + MAX_TOGETHER);
        looks.push(...(await lookTogether(pool, options, { all, chainId }, some)));
      }
      return looks;
    },
    async heads(all, chainId) {
      const nodes = { all, chainId };
      const endsAt = performance.now() + totalMs;
      for (const node of await pool.ready(nodes)) {
        const answer = await pool.ask(nodes, node, [], Math.max(0, endsAt - performance.now()));
        if (answer.outcome === 'fault') continue;
        const { heads } = answer;
        const final = finalHeight(heads, options.confirmations);
        return { outcome: 'seen', latest: heads.latest.number, final };
      }
      return unavailable(pool.trouble(nodes));
    },
    check: (node, chainId) => checkNode(node, chainId, { now, deadlineMs: nodeMs }),
    tallies: () => pool.tallies(),
  };
}

/** One question on its way from node to node. */
interface Inquiry {
  readonly question: ChainQuestion;
  readonly opinions: Opinion[];
  look: Look | null;
}

async function lookTogether(
  pool: NodePool,
  options: ChainReaderOptions,
  nodes: Nodes,
  questions: readonly ChainQuestion[],
): Promise<Look[]> {
  const endsAt = performance.now() + (options.totalMs ?? TOTAL_MS);
  const inquiries = questions.map((question): Inquiry => ({ question, opinions: [], look: null }));
  for (const node of await pool.ready(nodes)) {
    const open = inquiries.filter(({ look }) => look === null);
    const left = endsAt - performance.now();
    if (open.length === 0 || left <= 0) break;
    const hashes = open.map(({ question }) => question.hash);
    const answer = await pool.ask(nodes, node, hashes, left);
    if (answer.outcome === 'said') {
      open.forEach((inquiry, index) => {
        hear(pool, options, inquiry, node, answer.heads, answer.sightings[index] ?? null);
      });
    } else if (answer.fault.kind === 'too_large' && open.length > 1) {
      // One huge receipt among them, whoever made it, must not keep the others from being answered.
      const half = Math.ceil(questions.length / 2);
      const first = await lookTogether(pool, options, nodes, questions.slice(0, half));
      return [...first, ...(await lookTogether(pool, options, nodes, questions.slice(half)))];
    }
  }
  const trouble = pool.trouble(nodes);
  return inquiries.map(({ look, opinions }) => look ?? lastWord(opinions, options.agreeing, trouble));
}

function hear(
  pool: NodePool,
  { now, confirmations, agreeing }: ChainReaderOptions,
  inquiry: Inquiry,
  node: ChainNode,
  heads: Heads,
  sighting: Sighting | null,
): void {
  const assessment = assess(inquiry.question, sighting, heads, { now: now(), confirmations });
  if (assessment.outcome === 'fault') {
    pool.blame(node.id, assessment.fault);
    return;
  }
  inquiry.opinions.push(opinionOf(node.id, assessment, sighting));
  const conclusion = conclude(inquiry.opinions, agreeing);
  switch (conclusion.outcome) {
    case 'look':
      inquiry.look = conclusion.look;
      break;
    case 'disagreement':
      inquiry.look = unavailable('nodes say different things of one transaction');
      for (const id of conclusion.nodes) {
        pool.blame(id, { kind: 'disagreeing', detail: 'another node says otherwise of a transaction' });
      }
      break;
    case 'ask_another':
      break;
    default:
      conclusion satisfies never;
  }
}
