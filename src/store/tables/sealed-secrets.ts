/** All sealed secrets of the store, with their owners. Opens nothing. */
import type { Db } from '../schema/index.js';

export interface SealedSecret {
  readonly kind: 'webhook' | 'exchange' | 'node' | 'acquirer' | 'alert' | 'pairing';
  /** Identifier of the row that the secret belongs to. */
  readonly id: string;
  /** Name that people know it by. */
  readonly name: string;
  readonly text: string;
}

type SealedText = Omit<SealedSecret, 'kind'>;

async function all(
  kind: SealedSecret['kind'],
  found: { execute(): Promise<SealedText[]> },
): Promise<SealedSecret[]> {
  return (await found.execute()).map((row) => ({ kind, ...row }));
}

/** @param now milliseconds since the epoch; expired, revoked and removed rows need no key: left out. */
export async function sealedTexts({ query }: Db, now: number): Promise<SealedSecret[]> {
  const webhooks = query.selectFrom('brands').select(['id', 'name', 'webhook_secret as text']);
  const exchanges = query
    .selectFrom('accounts as a')
    .innerJoin('brands as b', 'b.id', 'a.brand_id')
    .where('a.secret', 'is not', null)
    .where('a.active', '=', 1)
    .select(['a.id', 'b.name', 'a.secret as text'])
    .$narrowType<{ text: string }>();
  const nodes = query.selectFrom('nodes').select(['id', 'origin as name', 'url as text']);
  const acquirers = query.selectFrom('acquirers').where('revoked_at', 'is', null);
  const alerts = query.selectFrom('alert_targets').where('removed_at', 'is', null);
  const pairings = query
    .selectFrom('pairing_codes as p')
    .innerJoin('devices as d', 'd.id', 'p.device_id')
    .where('p.sealed_keys', 'is not', null)
    .where('p.expires_at', '>', now)
    .select(['d.id', 'd.name', 'p.sealed_keys as text'])
    .$narrowType<{ text: string }>();
  return [
    ...(await all('webhook', webhooks)),
    ...(await all('exchange', exchanges)),
    ...(await all('node', nodes)),
    ...(await all('acquirer', acquirers.select(['id', 'name', 'secret as text']))),
    ...(await all('alert', alerts.select(['id', 'hint as name', 'secret as text']))),
    ...(await all('pairing', pairings)),
  ];
}
