/**
 * Queries every node as a payment would, and reports which chains have too few healthy nodes to confirm
 * payments. Writes nothing, and does not change the statistics of the nodes.
 */
import type { NodeFaultKind } from '../../channels/bep20/types.js';
import { isOnChain } from '../../domain/accounts/channels.js';
import type { Db, NodeTable } from '../../store/schema/index.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import { listedNodes } from '../../store/tables/nodes.js';
import type { Core } from '../core/core.js';
import { openNode } from './query-sources.js';

/** Scripts rely on these names. */
export interface CheckedNode {
  readonly id: string;
  readonly chain_id: number;
  readonly origin: string;
  readonly priority: number;
  /** State: `well` (healthy), a fault kind, or `unreadable` if this key file cannot decrypt the address. */
  readonly state: 'well' | 'unreadable' | NodeFaultKind;
  /** Description of the fault; empty for a healthy node. */
  readonly detail: string;
  /** Height of its newest block. */
  readonly block: number | null;
  /** Age of that block, seconds. */
  readonly head_age_s: number | null;
  /** Number of blocks that its `finalized` is behind; null if the node does not report a final block. */
  readonly finalized_lag: number | null;
  /** Duration of the query for one payment, ms. */
  readonly took_ms: number | null;
  /** True if it accepted several queries in one request; null if not tried or nothing was answered. */
  readonly takes_batches: boolean | null;
}

/** Chain with fewer usable nodes than payments need. */
interface ChainShortage {
  readonly chainId: number;
  /** True if an active account is paid on this chain. */
  readonly isPaid: boolean;
  /** Nodes of that chain, well or not. */
  readonly known: number;
  readonly usable: number;
  readonly needed: number;
}

interface NodesChecked {
  /** Nodes by chain, in query order. */
  readonly nodes: readonly CheckedNode[];
  readonly shortages: readonly ChainShortage[];
}

/** @param input.chainId absent for every chain. */
export async function checkNodes(
  core: Core,
  input: { readonly chainId?: number | undefined },
): Promise<NodesChecked> {
  const { chainId } = input;
  const { rows, paid } = await core.store.read(async (db) => ({
    rows: await listedNodes(db, chainId ?? null),
    paid: (await paidChains(db)).filter((chain) => chainId === undefined || chain === chainId),
  }));
  const nodes = await Promise.all(rows.map((row) => checkOne(core, row)));
  return { nodes, shortages: shortagesOf(nodes, new Set(paid), core.settings.agreeingNodes) };
}

/** The chains on which active accounts are paid. */
async function paidChains(db: Db): Promise<number[]> {
  const accounts = (await listedAccounts(db, null, false)).filter(({ channel }) => isOnChain(channel));
  return accounts.map(({ details }) =>
    Number((JSON.parse(details) as { readonly chain_id: string }).chain_id),
  );
}

/** Finds chains with too few usable nodes; one is enough on a chain without an active account. */
function shortagesOf(
  nodes: readonly CheckedNode[],
  paid: ReadonlySet<number>,
  agreeing: number,
): ChainShortage[] {
  const chains = new Set([...paid, ...nodes.map(({ chain_id }) => chain_id)]);
  const counted = [...chains].map((chainId): ChainShortage => {
    const known = nodes.filter(({ chain_id }) => chain_id === chainId);
    const isPaid = paid.has(chainId);
    const usable = known.filter(isUsable).length;
    return { chainId, isPaid, known: known.length, usable, needed: isPaid ? agreeing : 1 };
  });
  return counted.filter(({ usable, needed }) => usable < needed).sort((a, b) => a.chainId - b.chainId);
}

/** True if payments can use it: sent several queries at once, a node that accepts only one answers none. */
function isUsable({ state, takes_batches }: CheckedNode): boolean {
  return state === 'well' && takes_batches !== false;
}

export function shortageText({ isPaid, usable, needed }: ChainShortage): string {
  const why = needed > 1 ? ', because this many must agree (KASHBOX_AGREEING_NODES)' : '';
  const what = isPaid ? 'no transfer can be confirmed' : 'no transfer could be confirmed';
  return `${usable} usable, ${needed} needed${why}: ${what}`;
}

export function shortageRemedy({ chainId, known, needed }: ChainShortage): string {
  const add = `kashbox nodes add --chain ${chainId} --public`;
  const own = 'or --url with the address of a provider of yours';
  const fewer = needed > 1 ? '; or lower KASHBOX_AGREEING_NODES' : '';
  if (known < needed) return `Add what is missing: ${add}, ${own}${fewer}.`;
  return `Fix those that fail (kashbox nodes check), or add others: ${add}, ${own}${fewer}.`;
}

async function checkOne(core: Core, row: NodeTable): Promise<CheckedNode> {
  const { id, chain_id, origin, priority } = row;
  const nothing = { block: null, head_age_s: null, finalized_lag: null, took_ms: null, takes_batches: null };
  const named = { id, chain_id, origin, priority, ...nothing };
  const node = openNode(core, row);
  if (node === null) {
    return { ...named, state: 'unreadable', detail: 'its address cannot be decrypted with this secret.key' };
  }
  const check = await (await core.outside.chain()).check(node, chain_id);
  if (check.outcome === 'fault') return { ...named, state: check.fault.kind, detail: check.fault.detail };
  const { latest, finalized, tookMs, takesBatches } = check;
  return {
    ...named,
    state: 'well',
    detail: '',
    block: latest.number,
    head_age_s: Math.max(0, Math.round((core.clock.now() - latest.at) / 1_000)),
    finalized_lag: finalized === null ? null : Math.max(0, latest.number - finalized.number),
    took_ms: tookMs,
    takes_batches: row.batches === 1 ? takesBatches : null,
  };
}
