/**
 * A pool of nodes with remembered health. A failed node is skipped and retried in the background, so that no
 * request waits for it again. Does not know the questions.
 */
import {
  type BackOff,
  createSemaphore,
  createSharedCalls,
  createTallies,
  type Rest,
  restAfter,
  type Semaphore,
  type SourceTally,
} from '../sources.js';
import { NO_HASH, type NodeAnswer, type queryNode } from './query-node.js';
import type { ChainNode, NodeFault, NodeFaultKind } from './types.js';

interface NodeHealth {
  /** Current fault and back-off; null if the node is healthy. A new node counts as healthy until it fails. */
  readonly down: Rest<NodeFault> | null;
  /** Height of the newest block that it was seen with. */
  readonly head: number | null;
}

const UNTRIED: NodeHealth = { down: null, head: null };

export const NODE_BACK_OFF: BackOff = {
  usual: { firstMs: 1_000, longestMs: 30_000 },
  // The limits of public nodes count over minutes.
  limited: { firstMs: 5_000, longestMs: 120_000 },
};

/** Maximum lag of a healthy node behind another one: a minute and a half of blocks. */
const FAR_BLOCKS = 200;

/**
 * Faults that do not predict the next answer: a huge receipt is caused by its sender, and of two nodes that
 * disagree either can be wrong.
 */
const HARMLESS: ReadonlySet<NodeFaultKind> = new Set(['too_large', 'disagreeing']);

/** Conversations with one node at a time. */
const PLACES = 64;

interface PoolOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a monotonic clock, used for back-off. */
  steadyMs(): number;
  /** Time limit of one series of requests to one node. */
  readonly nodeMs: number;
  readonly ask: typeof queryNode;
}

/** Nodes of one chain, in the order in which they are queried. */
export interface Nodes {
  readonly chainId: number;
  readonly all: readonly ChainNode[];
}

type PoolAnswer =
  | NodeAnswer
  /** Request not sent: no slot became free in time, or the node failed other callers in the meantime. */
  | { readonly outcome: 'not_asked' };

export interface NodePool {
  /** Lists healthy nodes in order; if none, tries all not suspended until one answers or all failed. */
  ready(nodes: Nodes): Promise<readonly ChainNode[]>;
  /** @param deadlineMs for waiting in line and this conversation, if that is less than every one has. */
  ask(nodes: Nodes, node: ChainNode, hashes: readonly string[], deadlineMs: number): Promise<PoolAnswer>;
  /** Records a fault found later in a valid answer. */
  recordFault(node: string, fault: NodeFault): void;
  /** Reason why no node is usable, for logs. */
  problem(nodes: Nodes): string;
  tallies(): SourceTally[];
}

export function createNodePool({ now, steadyMs, nodeMs, ask: askOne }: PoolOptions): NodePool {
  const members = new Map<string, { health: NodeHealth; readonly places: Semaphore }>();
  const shared = createSharedCalls<boolean>();
  const tallies = createTallies();
  const memberOf = (id: string) => {
    const member = members.get(id) ?? { health: UNTRIED, places: createSemaphore(PLACES) };
    members.set(id, member);
    return member;
  };
  const healthOf = (id: string) => memberOf(id).health;
  const fail = (id: string, fault: NodeFault) => {
    if (HARMLESS.has(fault.kind)) return;
    const member = memberOf(id);
    const down = restAfter(member.health.down, fault, steadyMs(), NODE_BACK_OFF);
    member.health = { ...member.health, down };
  };

  const ask: NodePool['ask'] = async (nodes, node, hashes, deadlineMs) => {
    const endsAt = steadyMs() + deadlineMs;
    const { places } = memberOf(node.id);
    if (!(await places.acquire(deadlineMs))) return { outcome: 'not_asked' };
    try {
      // It may have failed those before in the line.
      if (healthOf(node.id).down !== null) return { outcome: 'not_asked' };
      return await converse(nodes, node, hashes, endsAt - steadyMs());
    } finally {
      places.release();
    }
  };

  const converse = async (nodes: Nodes, node: ChainNode, hashes: readonly string[], leftMs: number) => {
    const deadlineMs = Math.min(leftMs, nodeMs);
    const others = () => nodes.all.filter(({ id }) => id !== node.id).map(({ id }) => healthOf(id));
    const answer = comparedWith(others, await askOne(node, nodes.chainId, hashes, { deadlineMs, now }));
    if (answer.outcome === 'said')
      memberOf(node.id).health = { down: null, head: answer.heads.latest.number };
    // Given less time than every one has, it may well be sound.
    else if (answer.fault.kind !== 'timeout' || deadlineMs === nodeMs) fail(node.id, answer.fault);
    tallies.called(node.id);
    if (answer.outcome === 'said') tallies.succeeded(node.id, now());
    else tallies.failed(node.id, answer.fault, now());
    return answer;
  };

  /** Tries a node, once at a time: concurrent callers share the result. */
  const trial = (nodes: Nodes, node: ChainNode): Promise<boolean> =>
    shared(node.id, async () => (await converse(nodes, node, [NO_HASH], nodeMs)).outcome === 'said');
  const well = ({ all }: Nodes) => all.filter(({ id }) => healthOf(id).down === null);

  return {
    ask,
    async ready(nodes) {
      const at = steadyMs();
      const ready = well(nodes);
      if (ready.length > 0) {
        for (const node of nodes.all) if (isDue(healthOf(node.id), at)) void trial(nodes, node);
        return ready;
      }
      const available = nodes.all.filter(({ id }) => !isSuspended(healthOf(id), at));
      await firstTrue(available.map((node) => trial(nodes, node)));
      return well(nodes);
    },
    recordFault(node, fault) {
      fail(node, fault);
      tallies.failed(node, fault, now());
    },
    problem: (nodes) => describeProblem(nodes, healthOf),
    tallies: tallies.take,
  };
}

/** True if its rest is over and it may be retried. */
function isDue({ down }: NodeHealth, now: number): boolean {
  return down !== null && now >= down.retryAt;
}

/** True if the node must not be queried before its back-off ends, even if no other node is left. */
function isSuspended({ down }: NodeHealth, now: number): boolean {
  return down !== null && down.fault.kind === 'rate_limited' && now < down.retryAt;
}

/**
 * Compares block heights, because timestamps of blocks can be wrong.
 * @param others remembered health of the chain's other nodes; unhealthy nodes are ignored.
 * @returns the fault of a node whose newest block has this height, or null.
 */
export function heightFault(height: number, others: readonly NodeHealth[]): NodeFault | null {
  const best = Math.max(0, ...others.map(({ down, head }) => (down === null ? (head ?? 0) : 0)));
  if (height >= best - FAR_BLOCKS) return null;
  return { kind: 'lagging', detail: `its newest block is ${best - height} blocks behind another node's` };
}

/** @param others returns the remembered health of the chain's other nodes when the answer has arrived. */
function comparedWith(others: () => readonly NodeHealth[], answer: NodeAnswer): NodeAnswer {
  if (answer.outcome === 'fault') return answer;
  const fault = heightFault(answer.heads.latest.number, others());
  return fault === null ? answer : { outcome: 'fault', fault };
}

function describeProblem({ chainId, all }: Nodes, healthOf: (id: string) => NodeHealth): string {
  if (all.length === 0) return `no node is set up for chain ${chainId}`;
  return `nodes of chain ${chainId}: ${all.map(({ id }) => healthOf(id).down?.fault.kind ?? 'well').join(', ')}`;
}

/** Ends with the first that is true, or when none is left. */
async function firstTrue(trials: readonly Promise<boolean>[]): Promise<void> {
  const successes = trials.map(async (trial) => {
    if (!(await trial)) throw new Error('not this one');
  });
  await Promise.any(successes).catch(() => {});
}
