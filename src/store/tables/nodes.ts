/** Nodes of chains, and how they and exchanges have answered so far. */
import { prepared } from '../compiled-query.js';
import { newInserter, upserter } from '../compiled-rows.js';
import type { Db, NodeTable, SourceHealthTable } from '../schema/index.js';

/** Columns used to query the nodes of one chain, in query order. */
export const nodesOfChain = prepared<{ chain: number }>()((db, value) =>
  db.query
    .selectFrom('nodes')
    .where('chain_id', '=', value('chain'))
    .orderBy('priority')
    .orderBy('created_at')
    .orderBy('id')
    .select(['id', 'url', 'batches']),
);

/** Lists nodes in query order. @param chainId null for all chains. */
export function listedNodes(db: Db, chainId: number | null): Promise<NodeTable[]> {
  let query = db.query.selectFrom('nodes').selectAll();
  if (chainId !== null) query = query.where('chain_id', '=', chainId);
  return query.orderBy('chain_id').orderBy('priority').orderBy('created_at').orderBy('id').execute();
}

/** @returns false where the chain has that address already. */
export const insertNode = newInserter('nodes', 'chain_id', 'url_hash');

export async function deleteNode(db: Db, id: string): Promise<void> {
  await db.query.deleteFrom('nodes').where('id', '=', id).execute();
  await db.query.deleteFrom('source_health').where('source_id', '=', id).execute();
}

export function listedHealth(db: Db): Promise<SourceHealthTable[]> {
  return db.query.selectFrom('source_health').selectAll().execute();
}

export function findSourceHealth(db: Db, source: string): Promise<SourceHealthTable | undefined> {
  return db.query.selectFrom('source_health').where('source_id', '=', source).selectAll().executeTakeFirst();
}

const HEALTH = ['calls', 'failures', 'last_ok_at'] as const;
const LAST_FAILURE = [
  'last_failure_at',
  'last_failure_kind',
  'last_failure_detail',
  'failing_since',
] as const;

export const putHealth = upserter('source_health', {
  key: ['source_id'],
  news: [...HEALTH, ...LAST_FAILURE],
  returning: 'source_id',
}).all;

/** Sources whose last call failed, with their display names. */
export function failingSources(db: Db) {
  return db.query
    .selectFrom('source_health as h')
    .leftJoin('nodes as n', 'n.id', 'h.source_id')
    .leftJoin('accounts as a', 'a.id', 'h.source_id')
    .leftJoin('brands as b', 'b.id', 'a.brand_id')
    .where('h.failing_since', 'is not', null)
    .select(['h.source_id', 'h.failing_since', 'h.last_failure_at', 'h.last_failure_kind'])
    .select(['n.origin', 'b.name as brand', 'b.merchant_id', 'a.active', 'a.channel'])
    .$narrowType<{ failing_since: number }>()
    .execute();
}
