/** Everything that stands sealed in the store, with whose it is. Opens nothing. */
import type { Db } from '../schema/index.js';

export interface Sealed {
  readonly kind: 'webhook' | 'exchange' | 'node' | 'acquirer' | 'alert' | 'pairing';
  /** Identifier of the row that the secret belongs to. */
  readonly id: string;
  /** What people know it by. */
  readonly name: string;
  readonly text: string;
}

/** @param now milliseconds since the epoch: what is over or gone by then needs no key. */
export async function sealedTexts({ query }: Db, now: number): Promise<Sealed[]> {
  const webhooks = await query
    .selectFrom('brands')
    .select(['id', 'name', 'webhook_secret as text'])
    .execute();
  const exchanges = await query
    .selectFrom('accounts as a')
    .innerJoin('brands as b', 'b.id', 'a.brand_id')
    .where('a.secret', 'is not', null)
    .where('a.active', '=', 1)
    .select(['a.id', 'b.name', 'a.secret as text'])
    .$narrowType<{ text: string }>()
    .execute();
  const nodes = await query.selectFrom('nodes').select(['id', 'origin as name', 'url as text']).execute();
  const acquirers = await query
    .selectFrom('acquirers')
    .where('revoked_at', 'is', null)
    .select(['id', 'name', 'secret as text'])
    .execute();
  const alerts = await query
    .selectFrom('alert_targets')
    .where('removed_at', 'is', null)
    .select(['id', 'hint as name', 'secret as text'])
    .execute();
  const pairings = await query
    .selectFrom('pairing_codes as p')
    .innerJoin('devices as d', 'd.id', 'p.device_id')
    .where('p.sealed_keys', 'is not', null)
    .where('p.expires_at', '>', now)
    .select(['d.id', 'd.name', 'p.sealed_keys as text'])
    .$narrowType<{ text: string }>()
    .execute();
  return [
    ...webhooks.map((row) => ({ kind: 'webhook' as const, ...row })),
    ...exchanges.map((row) => ({ kind: 'exchange' as const, ...row })),
    ...nodes.map((row) => ({ kind: 'node' as const, ...row })),
    ...acquirers.map((row) => ({ kind: 'acquirer' as const, ...row })),
    ...alerts.map((row) => ({ kind: 'alert' as const, ...row })),
    ...pairings.map((row) => ({ kind: 'pairing' as const, ...row })),
  ];
}
