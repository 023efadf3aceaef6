/**
 * Asks several questions of node after node, until each has an answer or the time is over. assess.ts judges
 * one node's answer, opinions.ts all of them.
 */
import type { Lookup } from '../channel.js';
import { unavailable } from '../lookups.js';
import { assess } from './assess.js';
import { conclude, conclusionWithoutMajority, type Opinion, opinionOf } from './opinions.js';
import type { NodePool, Nodes } from './pool.js';
import { TOO_LARGE, type TooLarge } from './too-large.js';
import type { ChainNode, ChainQuestion, Heads, ObservedTransaction } from './types.js';

/** Answers too large of one node in one round: finding one among fifty takes seven, each of megabytes. */
const MAX_TOO_LARGE = 14;

export interface Round {
  readonly pool: NodePool;
  readonly nodes: Nodes;
  readonly tooLarge: TooLarge;
  /** On the clock that never jumps, for all nodes and questions together. */
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
  readonly opinions: Opinion[];
  lookup: Lookup | null;
  /** A node had an answer that was not read to its end. */
  isTooLarge: boolean;
}

/** @returns a lookup for each question, in their order. Never throws for a failure of a node. */
export async function lookupTogether(round: Round, questions: readonly ChainQuestion[]): Promise<Lookup[]> {
  const { pool, nodes, tooLarge } = round;
  const inquiries = new Map(questions.map((question) => [nameOf(question), newInquiry(round, question)]));
  for (const node of await pool.ready(nodes)) {
    const open = [...inquiries.values()].filter(({ lookup }) => lookup === null);
    await askAbout(round, node, open, { left: MAX_TOO_LARGE });
  }
  for (const { question, isTooLarge, lookup, opinions } of inquiries.values()) {
    // Not where another node had something to say of it.
    if (isTooLarge && lookup === null && opinions.length === 0) tooLarge.add(question);
  }
  const problem = pool.problem(nodes);
  return questions.map((question) => endOf(round, inquiries.get(nameOf(question)), problem));
}

/** Equal where two questions are the same. */
export function nameOf({ chainId, token, decimals, receiver, hash }: ChainQuestion): string {
  return JSON.stringify([chainId, token, decimals, receiver, hash]);
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
    : conclusionWithoutMajority(opinions, rule.agreeing, problem);
}

/** One huge receipt among them must not keep the others from being answered. */
async function askAbout(
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
  await askAbout(round, node, open.slice(0, half), patience);
  await askAbout(round, node, open.slice(half), patience);
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
  inquiry.opinions.push(opinionOf(node.id, assessment, observed));
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
