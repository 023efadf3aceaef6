/**
 * Decides if a transaction transfers USDT to an account irreversibly: a pure function of one node's report,
 * the only place that decides this. domain/matching/matching-usdt decides if amount, time and session match.
 *
 * Ignores `tx.to`, because exchanges and wallets pay through contracts of their own; only the logs of the
 * token's own contract count.
 */
import { UNIT_DECIMALS } from '../../base/values/usdt.js';
import { type Lookup, type ObservedPayment, refused, unavailable } from '../channel.js';
import type {
  Block,
  ChainQuestion,
  EventLog,
  Heads,
  NodeFault,
  ObservedTransaction,
  TransactionReceipt,
} from './types.js';

/** keccak-256 of `Transfer(address,address,uint256)` (ERC-20). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Maximum time by which a valid block can be ahead of this machine's clock. */
export const AHEAD_MS = 60_000;
/** Age relative to the newest block from which `finalized` is ignored: the validators' votes are missing. */
const STALE_MS = 60_000;

interface AssessRule {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Blocks above a transfer after which it is final if the node does not report `finalized`. */
  readonly confirmations: number;
}

export type Assessment =
  | Exclude<Lookup, { readonly outcome: 'unavailable' }>
  /** The node cannot be right. */
  | { readonly outcome: 'fault'; readonly fault: NodeFault };

/** @param observed null if the node knows no receipt in a block. */
export function assess(
  question: ChainQuestion,
  observed: ObservedTransaction | null,
  heads: Heads,
  rule: AssessRule,
): Assessment {
  if (observed === null) return { outcome: 'not_found' };
  const { receipt, block } = observed;
  if (receipt.hash !== question.hash)
    return contradiction('answered with the receipt of another transaction');
  if (block !== null && block.number !== receipt.blockNumber) {
    return contradiction('answered with a block of another height');
  }
  // Not in the node's own chain: a reorganisation has taken it out, and may bring it back in another block.
  if (block === null || block.hash !== receipt.blockHash || receipt.logs.some((log) => log.removed)) {
    return isBelowFinalized(receipt, heads)
      ? contradiction('knows a receipt from a final height, but in another block')
      : { outcome: 'not_found' };
  }
  if (block.at > rule.now + AHEAD_MS) return fault('clock', "its block is ahead of this machine's clock");
  if (receipt.status !== '0x1') return refused('failed');
  const moved = receipt.logs.filter((log) => isTransfer(log, question.token));
  if (moved.length === 0) return refused('token');
  const receiver = padded(question.receiver);
  const sender = question.sender === undefined ? null : padded(question.sender);
  const own = moved.filter(
    ({ topics: [, from, to] }) => to === receiver && (sender === null || from === sender),
  );
  if (own.length === 0) return refused('recipient');
  const payment = paymentOf(question, block, own);
  if (isFinal(receipt, heads, rule.confirmations)) return { outcome: 'found', payment };
  const detail = confirmationText(receipt, heads, rule.confirmations);
  return { outcome: 'not_final', payment, detail, block: block.number };
}

function fault(kind: NodeFault['kind'], detail: string): Assessment {
  return { outcome: 'fault', fault: { kind, detail } };
}

function contradiction(detail: string): Assessment {
  return fault('contradictory', detail);
}

/**
 * A Transfer of ERC-20 that moves something. ERC-721 has the same first topic but four of them. Anyone
 * can emit zero-value transfers between any addresses, and a transfer to oneself moves nothing.
 */
function isTransfer({ address, topics, data }: EventLog, token: string): boolean {
  if (address !== token.toLowerCase() || topics.length !== 3 || topics[0] !== TRANSFER) return false;
  return data.length === 66 && BigInt(data) > 0n && topics[1] !== topics[2];
}

/** An address as a topic. Other bytes above it would make it another number. */
function padded(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/**
 * True if the block is not above the node's `finalized` block. If that is missing or far behind, the block
 * needs so many confirmations that even two thirds of the validators cannot undo it (BEP-619, 6.3).
 */
function isFinal(receipt: TransactionReceipt, heads: Heads, confirmations: number): boolean {
  if (isBelowFinalized(receipt, heads)) return true;
  return freshFinalized(heads) === null && confirmationsOf(receipt, heads) >= confirmations;
}

function isBelowFinalized(receipt: TransactionReceipt, { finalized }: Heads): boolean {
  return finalized !== null && receipt.blockNumber <= finalized.number;
}

function freshFinalized({ latest, finalized }: Heads): Block | null {
  return finalized === null || finalized.at < latest.at - STALE_MS ? null : finalized;
}

function confirmationsOf(receipt: TransactionReceipt, { latest }: Heads): number {
  return Math.max(0, latest.number - receipt.blockNumber);
}

function confirmationText(receipt: TransactionReceipt, heads: Heads, confirmations: number): string {
  const finalized = freshFinalized(heads);
  const needed = finalized === null ? confirmations : heads.latest.number - finalized.number;
  return `${confirmationsOf(receipt, heads)} of ${needed} confirmations`;
}

/** @returns the height up to which blocks are irreversible, by the rule of `isFinal`. */
export function finalHeight(heads: Heads, confirmations: number): number {
  const deep = freshFinalized(heads) === null ? heads.latest.number - confirmations : 0;
  return Math.max(heads.finalized?.number ?? 0, deep);
}

function paymentOf(question: ChainQuestion, block: Block, own: readonly EventLog[]): ObservedPayment {
  const scale = 10n ** BigInt(UNIT_DECIMALS - question.decimals);
  const sender = own[0]?.topics[1];
  return {
    reference: question.hash,
    scope: String(question.chainId),
    aliases: [],
    kind: 'transfer',
    amounts: own.map(({ data }) => BigInt(data) * scale),
    recipient: question.receiver,
    payer: sender === undefined ? null : `0x${sender.slice(-40)}`,
    at: block.at,
    evidence: JSON.stringify({
      chain: question.chainId,
      token: question.token,
      block: block.number,
      block_hash: block.hash,
    }),
  };
}

/** Assessment of one transaction by one node. Faults of the node are reported elsewhere. */
export interface NodeReport {
  readonly node: string;
  readonly assessment: Exclude<Assessment, { readonly outcome: 'fault' }>;
  /** Equal where two have seen the same, the block's time included; null where the node knows of nothing. */
  readonly seen: string | null;
}

type Consensus =
  | { readonly outcome: 'lookup'; readonly lookup: Lookup }
  /** Nodes say what cannot be true together; these said it. */
  | { readonly outcome: 'disagreement'; readonly nodes: readonly string[] }
  | { readonly outcome: 'ask_another' };

/** @param agreeing number of nodes that must report the same before it is accepted, at least 1. */
export function conclude(opinions: readonly NodeReport[], agreeing: number): Consensus {
  const knowing = opinions.filter(({ seen }) => seen !== null);
  const [first] = knowing;
  if (first === undefined) return { outcome: 'ask_another' };
  if (knowing.some(({ seen }) => seen !== first.seen)) {
    return { outcome: 'disagreement', nodes: knowing.map(({ node }) => node) };
  }
  // A refusal also needs agreement, because a refused claim is not rechecked.
  if (knowing.length < agreeing) return { outcome: 'ask_another' };
  // The same transaction may be final to one node and not yet to another: then it is not.
  const untrusting = knowing.find(({ assessment }) => assessment.outcome !== 'found');
  return { outcome: 'lookup', lookup: (untrusting ?? first).assessment };
}

/** @param observed what it was that the node judged by. */
export function toNodeReport(
  node: string,
  assessment: NodeReport['assessment'],
  observed: ObservedTransaction | null,
): NodeReport {
  const isKnown = observed !== null && assessment.outcome !== 'not_found';
  return { node, assessment, seen: isKnown ? JSON.stringify(observed) : null };
}

/** Lookup when no node is left to query; `problem` says why the others could not be queried. */
export function concludeWithoutQuorum(
  opinions: readonly NodeReport[],
  agreeing: number,
  problem: string,
): Lookup {
  const knowing = opinions.filter(({ seen }) => seen !== null).length;
  if (knowing > 0) return unavailable(`${knowing} of ${agreeing} nodes that must agree; ${problem}`);
  return opinions.length > 0 ? { outcome: 'not_found' } : unavailable(problem);
}
