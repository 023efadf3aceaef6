/** Asks every node now what a payment would ask of it. Writes nothing, and counts nothing. */
import type { NodeFaultKind } from '../channels/bep20/types.js';
import type { NodeTable } from '../store/schema.js';
import { listedNodes } from '../store/tables/nodes.js';
import type { Core } from './core.js';
import { openNode } from './look-outside.js';

/** Scripts rely on these names. */
export interface CheckedNode {
  readonly id: string;
  readonly chain_id: number;
  readonly origin: string;
  readonly priority: number;
  /** `well`, or what is wrong; `unreadable` where its address cannot be opened with this key file. */
  readonly state: 'well' | 'unreadable' | NodeFaultKind;
  /** What is wrong, in words; empty of one that is well. */
  readonly detail: string;
  /** Height of its newest block. */
  readonly block: number | null;
  /** How old that is. */
  readonly head_age_s: number | null;
  /** How many blocks its `finalized` is behind; null where it does not tell what is final. */
  readonly finalized_lag: number | null;
  /** How long the question of one payment took. */
  readonly took_ms: number | null;
  /** Whether it took several questions in one request; null where that was not tried, or nothing answered. */
  readonly takes_batches: boolean | null;
}

/**
 * @param input.chainId absent for every chain.
 * @returns by chain, in the order in which they are asked.
 */
export async function checkNodes(
  core: Core,
  input: { readonly chainId?: number | undefined },
): Promise<CheckedNode[]> {
  const rows = await core.store.read((db) => listedNodes(db, input.chainId ?? null));
  return Promise.all(rows.map((row) => checkOne(core, row)));
}

async function checkOne(core: Core, row: NodeTable): Promise<CheckedNode> {
  const { id, chain_id, origin, priority } = row;
  const nothing = {
    block: null,
    head_age_s: null,
    finalized_lag: null,
    took_ms: null,
    takes_batches: null,
  };
  const named = { id, chain_id, origin, priority, ...nothing };
  const node = openNode(core, row);
  if (node === null) {
    return { ...named, state: 'unreadable', detail: 'its address cannot be opened with this secret.key' };
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
