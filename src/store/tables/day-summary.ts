/**
 * How one day was, for a summary. Rows are found by their identifiers, which begin with the time, so that a
 * day of a large store costs what that day holds.
 */
import { firstRowId } from '../../base/values/ids.js';
import type { Db } from '../schema/index.js';
import type { Count, Span } from './span.js';
import { isLiveMerchant } from './test-brands.js';

/** Money that came and neither completes a payment nor waits for a person. */
export function unclaimedIn(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('proofs as p')
    .where('p.id', '>=', firstRowId('proof', from))
    .where('p.id', '<', firstRowId('proof', to))
    .where(isLiveMerchant('p.merchant_id'))
    .where('p.closed_note', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('transactions as t').whereRef('t.proof_id', '=', 'p.id').select('t.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('reviews as r').whereRef('r.proof_id', '=', 'p.id').select('r.id'))),
    )
    .select(({ fn }) => [
      fn.countAll<Count>().as('count'),
      fn.sum<Count | null>('p.amount_paisa').as('paisa'),
    ])
    .executeTakeFirstOrThrow();
}

/** Phones that are offline, by their names. */
export async function phonesOffline(db: Db): Promise<string[]> {
  const rows = await db.query
    .selectFrom('alerts as a')
    .innerJoin('devices as d', 'd.id', 'a.device_id')
    .where('a.ended_at', 'is', null)
    .where('a.kind', '=', 'device.offline')
    .orderBy('d.name')
    .select('d.name')
    .execute();
  return rows.map(({ name }) => name);
}
