/** How a node of a chain looks from outside: of its address, which may hold a key, only where it begins. */
import { dhakaIso } from '../../base/values/clock.js';
import { networkOf } from '../../channels/bep20/networks.js';
import type { NodeTable, SourceHealthTable } from '../../store/schema/index.js';
import { listedHealth, listedNodes } from '../../store/tables/nodes.js';
import type { Core } from '../core/core.js';
import { isoOrNull, viewOf } from '../input/view.js';

export type NodeView = ReturnType<typeof nodeView>;

/** Given how it has answered so far, where it was asked. */
export const nodeView = viewOf<NodeTable, SourceHealthTable | undefined>()(({ same, times }) => ({
  ...same('id', 'chain_id'),
  network: (row) => networkOf(row.chain_id)?.name ?? '',
  ...same('origin', 'priority'),
  batches: (row) => row.batches === 1,
  /** Questions that daemons and commands have put to it. */
  calls: (_, health) => health?.calls ?? 0,
  /** How often it failed, by what was wrong. */
  failures: (_, health) => JSON.parse(health?.failures ?? '{}') as Readonly<Record<string, number>>,
  last_ok_at: (_, health) => isoOrNull(health?.last_ok_at ?? null),
  last_failure: (_, health) => lastFailure(health),
  ...times('created_at'),
  /** Its last word counts: `failing` where it has failed since it was last well. */
  state: (_, health) => stateOf(health),
}));

function stateOf(health: SourceHealthTable | undefined): 'ok' | 'failing' | 'never_asked' {
  const { last_ok_at: ok = null, last_failure_at: failure = null } = health ?? {};
  if (failure !== null && failure > (ok ?? 0)) return 'failing';
  return ok === null ? 'never_asked' : 'ok';
}

function lastFailure(health: SourceHealthTable | undefined) {
  if (health === undefined || health.last_failure_at === null) return null;
  const { last_failure_at: at, last_failure_kind: kind, last_failure_detail: detail } = health;
  return { at: dhakaIso(at), kind: kind ?? '', detail: detail ?? '' };
}

/**
 * @param input.chainId absent for every chain.
 * @returns by chain, in the order in which they are asked.
 */
export async function listNodes(
  core: Core,
  input: { readonly chainId?: number | undefined },
): Promise<NodeView[]> {
  return core.store.read(async (db) => {
    const health = new Map((await listedHealth(db)).map((row) => [row.source_id, row]));
    const rows = await listedNodes(db, input.chainId ?? null);
    return rows.map((row) => nodeView(row, health.get(row.id)));
  });
}
