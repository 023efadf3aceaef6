/** The nodes from which payments in USDT are read, and how they have answered so far. */
import { listedHealth, listedNodes } from '../../store/tables/nodes.js';
import type { Core } from '../core/core.js';
import { type NodeView, nodeView } from './node-view.js';

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
