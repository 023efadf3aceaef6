/**
 * Merchants as rows: found by identifier or name, listed, put in, changed. Those that are made for a brand
 * for tests are nobody's to see. Knows no rule of the business.
 */
import { MFS_CHANNELS } from '../../domain/accounts/channels.js';
import { changer, newInserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';
import { isLiveMerchant } from './brands.js';
import { isSpent } from './pushes.js';

/** @param named identifier or name. */
export function findMerchant(db: Db, named: string) {
  return db.query
    .selectFrom('merchants')
    .where((either) => either.or([either('id', '=', named), either('name', '=', named)]))
    .where(isLiveMerchant('id'))
    .selectAll()
    .executeTakeFirst();
}

/** Every merchant, the oldest first. */
export function allMerchants(db: Db) {
  const merchants = db.query.selectFrom('merchants').where(isLiveMerchant('id')).selectAll();
  return merchants.orderBy('created_at').orderBy('id').execute();
}

/** @returns false, and nothing is written, where the name is taken. */
export const insertMerchant = newInserter('merchants', 'name');

export const changeMerchant = changer('merchants');

// What came for a merchant while they were suspended, and settled nothing: claims whose SMS is here, and
// money of banks for which somebody waits. For an operator, who has time.

interface SuspendedPage {
  readonly merchant: string;
  /** Id after which the page starts; rows are sorted by id. */
  readonly after: string;
  readonly limit: number;
}

/** Claims that wait although the SMS that they name is here. */
export function suspendedClaims(db: Db, { merchant, after, limit }: SuspendedPage) {
  return db.query
    .selectFrom('claims as c')
    .innerJoin('proofs as p', (join) =>
      join
        .onRef('p.merchant_id', '=', 'c.merchant_id')
        .onRef('p.channel', '=', 'c.channel')
        .onRef('p.reference', '=', 'c.reference'),
    )
    .innerJoin('sessions as s', 's.id', 'c.session_id')
    .where('c.merchant_id', '=', merchant)
    .where('c.state', '=', 'WAITING')
    .where('c.channel', 'in', MFS_CHANNELS)
    .where('s.status', 'in', ['PENDING', 'FAILED'])
    .where('c.id', '>', after)
    .orderBy('c.id')
    .limit(limit)
    .select(['c.id', 'c.reference'])
    .execute();
}

/**
 * Uncredited bank pushes whose code belongs to a session without a claim for it, or whose amount matches a
 * waiting claim with a payer's number created since `since`, milliseconds since the epoch.
 */
export function suspendedPushes(
  db: Db,
  { merchant, after, limit, since }: SuspendedPage & { readonly since: number },
) {
  return db.query
    .selectFrom('proofs as p')
    .innerJoin('pushes as u', 'u.id', 'p.source_id')
    .leftJoin('transactions as t', isSpent)
    .where('p.merchant_id', '=', merchant)
    .where('p.kind', '=', 'bank_push')
    .where('t.id', 'is', null)
    .where('p.id', '>', after)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('sessions as s')
            .innerJoin('brands as b', 'b.id', 's.brand_id')
            .leftJoin('claims as c', (join) =>
              join
                .onRef('c.session_id', '=', 's.id')
                .onRef('c.channel', '=', 'p.channel')
                .onRef('c.reference', '=', 'u.bill'),
            )
            .whereRef('s.gateway_reference', '=', 'u.bill')
            .whereRef('b.merchant_id', '=', 'p.merchant_id')
            .where('s.status', 'in', ['PENDING', 'FAILED'])
            // Of a code that did not pay while the merchant was active its own reference is the claim.
            .where('c.id', 'is', null)
            .select('s.id'),
        ),
        exists(
          selectFrom('claims as w')
            .whereRef('w.merchant_id', '=', 'p.merchant_id')
            .whereRef('w.due_paisa', '=', 'p.amount_paisa')
            .where('w.state', '=', 'WAITING')
            .where('w.created_at', '>=', since)
            .select('w.id'),
        ),
      ]),
    )
    .orderBy('p.id')
    .limit(limit)
    .select(['p.id', 'p.channel', 'p.reference', 'p.scope', 'p.amount_paisa', 'p.at', 'p.settle', 'u.bill'])
    .execute();
}
