/**
 * Queries an operator's nodes in their order until the healthy ones have an answer. The remembered health of
 * nodes is only a cache: another process builds its own. Loads got.
 */
import { type Lookup, type Unavailable, unavailable } from '../channel.js';
import { createSharedCalls, type SourceTally } from '../sources.js';
import {
  assess,
  conclude,
  concludeWithoutQuorum,
  finalHeight,
  type NodeReport,
  toNodeReport,
} from './assess.js';
import { createNodePool, type NodePool, type Nodes } from './pool.js';
import { checkNode, type NodeCheck, queryNode } from './query-node.js';
import type { ChainNode, ChainQuestion, Heads, ObservedTransaction } from './types.js';

/** Receipts in one request: about 200 KB of ordinary ones. */
const MAX_TOGETHER = 50;
const NODE_MS = 3_000;
const TOTAL_MS = 9_000;

export interface ChainReaderOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a monotonic clock, used for the back-off of failed nodes. */
  steadyMs?(): number;
  /** Blocks above a transfer after which it is final if a node does not report `finalized`. */
  readonly confirmations: number;
  /** Number of nodes that must report the same of a transfer before it is accepted. */
  readonly agreeing: number;
  /** Deadline of one node, a trickling answer included. */
  readonly nodeMs?: number;
  /** Deadline of all together. */
  readonly totalMs?: number;
  /** Queries one node. Default: over the network. */
  readonly ask?: typeof queryNode;
}

type ChainHeads =
  /** `final` is the height up to which blocks are irreversible. */
  { readonly outcome: 'seen'; readonly latest: number; readonly final: number } | Unavailable;

export interface ChainReader {
  lookup(nodes: readonly ChainNode[], question: ChainQuestion): Promise<Lookup>;
  /** Looks up many transactions of a chain, in order, with few requests and one lookup's time limit. */
  lookupMany(
    nodes: readonly ChainNode[],
    chainId: number,
    questions: readonly ChainQuestion[],
  ): Promise<readonly Lookup[]>;
  heads(nodes: readonly ChainNode[], chainId: number): Promise<ChainHeads>;
  check(node: ChainNode, chainId: number): Promise<NodeCheck>;
  /** Returns the calls and failures of each node since the previous call. */
  tallies(): SourceTally[];
}

/** Creates a reader that never throws for a fault of a node. */
export function createChainReader(options: ChainReaderOptions): ChainReader {
  const {
    now,
    steadyMs = () => performance.now(),
    nodeMs = NODE_MS,
    totalMs = TOTAL_MS,
    ask = queryNode,
  } = options;
  const rule = { ...options, steadyMs };
  const pool = createNodePool({ now, steadyMs, nodeMs, ask });
  const tooLarge = createTooLarge(steadyMs);
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

/** Answers too large of one node in one round: finding one among fifty takes seven, each of megabytes. */
const MAX_TOO_LARGE = 14;

interface Round {
  readonly pool: NodePool;
  readonly nodes: Nodes;
  readonly tooLarge: TooLarge;
  /** Deadline on the monotonic clock, for all nodes and queries together. */
  readonly endsAt: number;
  readonly rule: {
    /** Milliseconds since the epoch. */
    now(): number;
    steadyMs(): number;
    readonly confirmations: number;
    readonly agreeing: number;
  };
}

interface Inquiry {
  readonly question: ChainQuestion;
  readonly opinions: NodeReport[];
  lookup: Lookup | null;
  /** A node had an answer that was not read to its end. */
  isTooLarge: boolean;
}

/** @returns a lookup for each question, in their order. Never throws for a failure of a node. */
async function lookupTogether(round: Round, questions: readonly ChainQuestion[]): Promise<Lookup[]> {
  const { pool, nodes, tooLarge } = round;
  const inquiries = new Map(questions.map((question) => [nameOf(question), newInquiry(round, question)]));
  for (const node of await pool.ready(nodes)) {
    const open = [...inquiries.values()].filter(({ lookup }) => lookup === null);
    await queryTransactions(round, node, open, { left: MAX_TOO_LARGE });
  }
  for (const { question, isTooLarge, lookup, opinions } of inquiries.values()) {
    // Not where another node had something to say of it.
    if (isTooLarge && lookup === null && opinions.length === 0) tooLarge.add(question);
  }
  const problem = pool.problem(nodes);
  return questions.map((question) => endOf(round, inquiries.get(nameOf(question)), problem));
}

/** Equal where two questions are the same. */
function nameOf({ chainId, token, decimals, receiver, sender, hash }: ChainQuestion): string {
  return JSON.stringify([chainId, token, decimals, receiver, sender, hash]);
}

function newInquiry({ tooLarge }: Round, question: ChainQuestion): Inquiry {
  const lookup = tooLarge.has(question) ? TOO_LARGE : null;
  return { question, opinions: [], lookup, isTooLarge: false };
}

function endOf({ rule }: Round, inquiry: Inquiry | undefined, problem: string): Lookup {
  if (inquiry === undefined) return unavailable('nothing was asked');
  const { lookup, opinions, isTooLarge } = inquiry;
  if (lookup !== null) return lookup;
  return isTooLarge && opinions.length === 0
    ? TOO_LARGE
    : concludeWithoutQuorum(opinions, rule.agreeing, problem);
}

/** One huge receipt among them must not keep the others from being answered. */
async function queryTransactions(
  round: Round,
  node: ChainNode,
  open: readonly Inquiry[],
  patience: { left: number },
): Promise<void> {
  const leftMs = round.endsAt - round.rule.steadyMs();
  const [only] = open;
  if (only === undefined || leftMs <= 0 || patience.left === 0) return;
  const hashes = open.map(({ question }) => question.hash);
  const answer = await round.pool.ask(round.nodes, node, hashes, leftMs);
  if (answer.outcome === 'said') {
    open.forEach((inquiry, index) => {
      receive(round, inquiry, node, answer.heads, answer.observed[index] ?? null);
    });
    return;
  }
  if (answer.outcome !== 'fault' || answer.fault.kind !== 'too_large') return;
  patience.left -= 1;
  if (open.length === 1) {
    only.isTooLarge = true;
    return;
  }
  const half = Math.ceil(open.length / 2);
  await queryTransactions(round, node, open.slice(0, half), patience);
  await queryTransactions(round, node, open.slice(half), patience);
}

function receive(
  { pool, rule: { now, confirmations, agreeing } }: Round,
  inquiry: Inquiry,
  node: ChainNode,
  heads: Heads,
  observed: ObservedTransaction | null,
): void {
  const assessment = assess(inquiry.question, observed, heads, { now: now(), confirmations });
  if (assessment.outcome === 'fault') {
    pool.recordFault(node.id, assessment.fault);
    return;
  }
  inquiry.opinions.push(toNodeReport(node.id, assessment, observed));
  const conclusion = conclude(inquiry.opinions, agreeing);
  switch (conclusion.outcome) {
    case 'lookup':
      inquiry.lookup = conclusion.lookup;
      break;
    case 'disagreement':
      inquiry.lookup = unavailable('nodes say different things of one transaction');
      for (const id of conclusion.nodes) {
        pool.recordFault(id, { kind: 'disagreeing', detail: 'another node says otherwise of a transaction' });
      }
      break;
    case 'ask_another':
      break;
    default:
      conclusion satisfies never;
  }
}

/** Nobody's fault but its maker's, and hardly another one later. */
const TOO_LARGE = unavailable('the receipt is larger than what is read of one', 300);

interface TooLarge {
  add(question: ChainQuestion): void;
  has(question: ChainQuestion): boolean;
}

function createTooLarge(steadyMs: () => number): TooLarge {
  const until = new Map<string, number>();
  const nameOf = ({ chainId, hash }: ChainQuestion) => `${chainId} ${hash}`;
  return {
    add(question) {
      const at = steadyMs();
      for (const [name, end] of until) if (end <= at) until.delete(name);
      until.set(nameOf(question), at + TOO_LARGE.retryAfterS * 1_000);
    },
    has: (question) => (until.get(nameOf(question)) ?? 0) > steadyMs(),
  };
}
