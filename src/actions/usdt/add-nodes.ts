/** Makes nodes of a chain known, from which payments in USDT are read. */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { newRowId } from '../../base/values/ids.js';
import type { Db, NodeTable } from '../../store/schema/index.js';
import { writeAudit } from '../../store/tables/audit.js';
import { insertNode, listedNodes } from '../../store/tables/nodes.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import { wholeField } from '../input/fields.js';
import { chainField, nodeAddress } from './node-input.js';
import { type NodeView, nodeView } from './node-view.js';

/** More would only make a transaction that nobody knows slower to deny. */
const MAX_NODES = 20;
const MAX_PRIORITY = 1_000;
/** One's own are asked before those of the public, unless told otherwise. */
const OWN_PRIORITY = 10;
const PUBLIC_PRIORITY = 100;

export interface AddNodes {
  readonly chainId: number;
  /** Absent for the well-known public nodes of the chain. */
  readonly url?: string | undefined;
  /** Small ones are asked first; those of one priority in the order in which they were added. */
  readonly priority?: number | undefined;
  readonly batches: boolean;
  readonly who: string;
}

/**
 * @returns those that were not there before: of the public nodes perhaps none.
 * @throws KashboxError `invalid_input`, `already_exists` (a node that was named is there), `state_refused`
 */
export async function addNodes(core: Core, input: AddNodes): Promise<NodeView[]> {
  const network = chainField(input.chainId);
  const usual = input.url === undefined ? PUBLIC_PRIORITY : OWN_PRIORITY;
  const priority = wholeField('priority', input.priority ?? usual, 0, MAX_PRIORITY);
  const batches = input.batches ? 1 : 0;
  const addresses = (input.url === undefined ? network.publicNodes : [input.url]).map(nodeAddress);
  return core.store.write(async (db) => {
    const there = (await listedNodes(db, network.chainId)).length;
    if (there + addresses.length > MAX_NODES) throw tooMany(network.chainId);
    const added: NodeView[] = [];
    // A millisecond apart, because nodes of one priority are asked in the order of their times.
    for (const [index, address] of addresses.entries()) {
      const at = core.clock.now() + index;
      const row = newNode(core, address, { chain_id: network.chainId, priority, batches }, at);
      if (await insert(core, db, row, input.who)) added.push(nodeView(row, undefined));
      else if (input.url !== undefined) throw alreadyThere(row.origin);
    }
    return added;
  });
}

function newNode(
  core: Core,
  url: URL,
  terms: Pick<NodeTable, 'chain_id' | 'priority' | 'batches'>,
  at: number,
): NodeTable {
  const id = newRowId(core.random, at, 'node');
  return {
    ...terms,
    id,
    origin: url.origin,
    url: core.secrets.seal(url.href, sealPurpose('node', id)),
    url_hash: hashKey(url.href),
    created_at: at,
  };
}

async function insert(core: Core, db: Db, row: NodeTable, who: string): Promise<boolean> {
  if (!(await insertNode(db, row))) return false;
  const { id, chain_id, origin, priority, batches, created_at: at } = row;
  const after = { chain_id, origin, priority, batches };
  await writeAudit(db, core.random, { at, who, action: 'node.add', subject: id, after });
  return true;
}

function alreadyThere(origin: string): KashboxError {
  return new KashboxError('already_exists', {
    message: `That node of ${origin} is there already`,
    hint: 'See it with `kashbox nodes list`; to change it, remove it and add it again.',
  });
}

function tooMany(chainId: number): KashboxError {
  return new KashboxError('state_refused', {
    message: `A chain has at most ${MAX_NODES} nodes`,
    hint: `Remove those that fail first: kashbox nodes check --chain ${chainId}`,
  });
}
