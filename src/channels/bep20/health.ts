/**
 * Decides which nodes are asked, and when a failed one is retried. Pure: functions of the remembered health
 * and a monotonic time.
 */
import type { NodeFault, NodeFaultKind } from './types.js';

export interface NodeHealth {
  /** Null of one that is well, as all are until they fail. */
  readonly down: { readonly kind: NodeFaultKind; readonly tries: number; readonly retryAt: number } | null;
  /** Height of the newest block that it was seen with. */
  readonly head: number | null;
}

export const UNTRIED: NodeHealth = { down: null, head: null };

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Asked too much: the limits of public nodes count over minutes. */
const LIMITED_WAIT_MS = 5_000;
const LONGEST_LIMITED_WAIT_MS = 120_000;
/** A minute and a half of blocks: more than a node that is well can be behind another. */
const FAR_BLOCKS = 200;

/**
 * Faults that say nothing of the next question: a huge receipt is its sender's doing, and which of two nodes
 * that disagree is wrong cannot be told.
 */
const HARMLESS: ReadonlySet<NodeFaultKind> = new Set(['too_large', 'disagreeing']);

export function afterAnswer(head: number): NodeHealth {
  return { down: null, head };
}

export function afterFault(health: NodeHealth, fault: NodeFault, now: number): NodeHealth {
  if (HARMLESS.has(fault.kind)) return health;
  const tries = (health.down?.tries ?? 0) + 1;
  return { ...health, down: { kind: fault.kind, tries, retryAt: now + waitMs(fault, tries) } };
}

function waitMs(fault: NodeFault, tries: number): number {
  if (fault.kind !== 'rate_limited') return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
  const own = Math.min(LIMITED_WAIT_MS * 2 ** (tries - 1), LONGEST_LIMITED_WAIT_MS);
  return Math.max(own, Math.min(fault.retryAfterMs ?? 0, LONGEST_LIMITED_WAIT_MS));
}

/** True if its waiting time is over and it may be retried. */
export function isDue({ down }: NodeHealth, now: number): boolean {
  return down !== null && now >= down.retryAt;
}

/** True if it must not be asked before its waiting time is over, even without another node. */
export function isSuspended({ down }: NodeHealth, now: number): boolean {
  return down !== null && down.kind === 'rate_limited' && now < down.retryAt;
}

/**
 * Clocks of blocks can be wrong, so heights are compared, too.
 * @param others what is remembered of the chain's other nodes; those that are down do not count.
 * @returns what is wrong with a node whose newest block is that high, or null.
 */
export function heightFault(height: number, others: readonly NodeHealth[]): NodeFault | null {
  const best = Math.max(0, ...others.map(({ down, head }) => (down === null ? (head ?? 0) : 0)));
  if (height >= best - FAR_BLOCKS) return null;
  return { kind: 'lagging', detail: `its newest block is ${best - height} blocks behind another node's` };
}
