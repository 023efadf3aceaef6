/**
 * Adds, removes and lists the nodes of a chain, from which payments in USDT are read. An address may contain
 * a key, so only its origin is ever shown.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId } from '../../base/values/ids.js';
import { findNetwork, NETWORKS, type Network } from '../../channels/bep20/networks.js';
import { mayCall } from '../../channels/sources.js';
import type { Db, NodeTable, SourceHealthTable } from '../../store/schema/index.js';
import { audit, writeAudit } from '../../store/tables/audit.js';
import {
  deleteNode,
  findSourceHealth,
  insertNode,
  listedHealth,
  listedNodes,
} from '../../store/tables/nodes.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import { MAX_URL, validateInteger } from '../input/fields.js';
import { requireNode } from '../input/require-row.js';
import { defineView, isoOrNull } from '../input/view.js';

export type NodeView = ReturnType<typeof nodeView>;

/** Takes the recorded health of the node, if it was queried before. */
export const nodeView = defineView<NodeTable, SourceHealthTable | undefined>()(({ same, times }) => ({
  ...same('id', 'chain_id'),
  network: (row) => findNetwork(row.chain_id)?.name ?? '',
  ...same('origin', 'priority'),
  batches: (row) => row.batches === 1,
  /** Questions that daemons and commands have put to it. */
  calls: (_, health) => health?.calls ?? 0,
  /** Number of failures by kind. */
  failures: (_, health) => JSON.parse(health?.failures ?? '{}') as Readonly<Record<string, number>>,
  last_ok_at: (_, health) => isoOrNull(health?.last_ok_at ?? null),
  last_failure: (_, health) => lastFailure(health),
  ...times('created_at'),
  /** State after the last query: `failing` if the last failure is newer than the last success. */
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

/** @param input.chainId absent for all chains. @returns nodes by chain, in query order. */
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

/** Maximum number per chain: more would only make it slower to reject an unknown transaction. */
const MAX_NODES = 20;
const MAX_PRIORITY = 1_000;
/** Default priority of own nodes, which are queried before public ones. */
const OWN_PRIORITY = 10;
const PUBLIC_PRIORITY = 100;

interface AddNodes {
  readonly chainId: number;
  /** Absent for the well-known public nodes of the chain. */
  readonly url?: string | undefined;
  /** Priority: lower numbers are queried first, and equal ones in the order in which they were added. */
  readonly priority?: number | undefined;
  readonly batches: boolean;
  readonly who: string;
}

/**
 * @returns the nodes that are new; may be empty for the public nodes.
 * @throws KashboxError `invalid_input`, `already_exists` (a node that was named exists), `state_refused`
 */
export async function addNodes(core: Core, input: AddNodes): Promise<NodeView[]> {
  const network = chainField(input.chainId);
  const usual = input.url === undefined ? PUBLIC_PRIORITY : OWN_PRIORITY;
  const priority = validateInteger('priority', input.priority ?? usual, 0, MAX_PRIORITY);
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
    message: `That node of ${origin} already exists`,
    hint: 'See it with `kashbox nodes list`; to change it, remove it and add it again.',
  });
}

function tooMany(chainId: number): KashboxError {
  return new KashboxError('state_refused', {
    message: `A chain has at most ${MAX_NODES} nodes`,
    hint: `Remove those that fail first: kashbox nodes check --chain ${chainId}`,
  });
}

/** @throws KashboxError `invalid_input` */
function chainField(chainId: number): Network {
  const network = findNetwork(chainId);
  if (network !== undefined) return network;
  throw new KashboxError('invalid_input', {
    message: `chain ${chainId} is unknown`,
    hint: `Give one of these: ${NETWORKS.map(({ chainId: id, name }) => `${id} (${name})`).join(', ')}.`,
  });
}

/** The address is never repeated in an error: it may hold a key. @throws KashboxError `invalid_input` */
function nodeAddress(typed: string): URL {
  const text = typed.trim();
  const isPlain = text.length <= MAX_URL && /^[a-z]+:\/\/[^\s\\/?#]+[^\s\\]*$/i.test(text);
  if (!isPlain || !URL.canParse(text)) {
    throw refusal('is not an address', 'Copy all of it from your provider: https://… on one line.');
  }
  const url = new URL(text);
  if (url.protocol === 'ws:' || url.protocol === 'wss:') {
    throw refusal('is a websocket address', 'Your provider has an https address of the same node; use that.');
  }
  if (mayCall(url)) return url;
  throw refusal(
    'must be https',
    'Plain http is for a node on this machine (http://127.0.0.1:8545). Elsewhere anyone on the network ' +
      'path could invent payments.',
  );
}

function refusal(fault: string, hint: string): KashboxError {
  return new KashboxError('invalid_input', { message: `url ${fault}`, hint });
}

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
    const view = nodeView(row, await findSourceHealth(db, row.id));
    await deleteNode(db, row.id);
    const { chain_id, origin, priority, batches } = row;
    const before = { chain_id, origin, priority, batches };
    await audit(core, db, input.who, 'node.remove', row.id, { before });
    return view;
  });
}
