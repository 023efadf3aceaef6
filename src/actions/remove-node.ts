/** Forgets a node: it is not asked again. What was read from it stays. */
import { KashboxError } from '../base/errors.js';
import { echoed } from '../base/text.js';
import type { NodeTable } from '../store/schema.js';
import { writeAudit } from '../store/tables/audit.js';
import { deleteNode, healthOf, listedNodes } from '../store/tables/nodes.js';
import type { Core } from './core.js';
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
    const row = onlyOne(await listedNodes(db, null), input.node.trim());
    const view = nodeView(row, await healthOf(db, row.id));
    await deleteNode(db, row.id);
    const { chain_id, origin, priority, batches } = row;
    await writeAudit(db, core.random, {
      at: core.clock.now(),
      who: input.who,
      action: 'node.remove',
      subject: row.id,
      before: { chain_id, origin, priority, batches },
    });
    return view;
  });
}

function onlyOne(rows: readonly NodeTable[], named: string): NodeTable {
  const [row, ...others] = rows.filter(({ id, origin }) => id === named || origin === named);
  if (row === undefined) {
    throw new KashboxError('not_found', {
      message: `There is no node "${echoed(named)}"`,
      hint: 'See them all with `kashbox nodes list`.',
    });
  }
  if (others.length === 0) return row;
  throw new KashboxError('invalid_input', {
    message: `Several nodes have the origin ${echoed(named)}`,
    hint: 'Name it by its id; see them all with `kashbox nodes list`.',
  });
}
