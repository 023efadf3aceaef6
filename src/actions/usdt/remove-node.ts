/** Forgets a node: it is not asked again. What was read from it stays. */
import { audit } from '../../store/tables/audit.js';
import { deleteNode, healthOf } from '../../store/tables/nodes.js';
import type { Core } from '../core/core.js';
import { requireNode } from '../input/require-row.js';
import { type NodeView, nodeView } from './node-view.js';

/**
 * @param input.node its id, or its origin where no other has the same.
 * @returns the node as it was.
 * @throws KashboxError `not_found`, `invalid_input` (several have that origin)
 */
export async function removeNode(
  core: Core,
  input: { readonly node: string; readonly who: string },
): Promise<NodeView> {
  return core.store.write(async (db) => {
    const row = await requireNode(db, input.node);
    const view = nodeView(row, await healthOf(db, row.id));
    await deleteNode(db, row.id);
    const { chain_id, origin, priority, batches } = row;
    const before = { chain_id, origin, priority, batches };
    await audit(core, db, input.who, 'node.remove', row.id, { before });
    return view;
  });
}
