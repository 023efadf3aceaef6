/**
 * Money that SMS and pushes have told of and that has paid nothing. No index says which that is, so it is
 * looked for among the newest: a store of a million payments answers as fast as a small one.
 */
import { sql } from 'kysely';
import { MFS_CHANNELS, QR } from '../../domain/accounts/channels.js';
import { hot } from '../compiled-query.js';
import type { Db } from '../schema/index.js';
import { isLiveMerchant } from './test-brands.js';

/** Days of a busy shop, and so few that they are looked through every three seconds. */
const NEWEST = 5_000;

const COLUMNS = [
  ...(['p.id', 'p.channel', 'p.reference', 'p.amount_paisa', 'p.payer', 'p.recipient'] as const),
  ...(['p.at', 'p.created_at', 'p.settle', 'd.name as device', 'a.name as acquirer'] as const),
] as const;

/**
 * The newest first; money that a person is asked about already is left out. `count` and `paisa` are those of
 * all that was found, in each row.
 */
export const newestUnclaimed = hot<{ limit: number }>()((db, value) => {
  const live = db.query.selectFrom('proofs').where(isLiveMerchant('merchant_id'));
  const newest = live.orderBy('id', 'desc').limit(NEWEST).selectAll();
  const free = db.query
    .selectFrom(newest.as('p'))
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .where('t.id', 'is', null)
    .where('p.closed_note', 'is', null)
    // All others are asked for when they are claimed, or stand for a person's word.
    .where('p.channel', 'in', [...MFS_CHANNELS, QR])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reviews as r')
            .whereRef('r.proof_id', '=', 'p.id')
            .where('r.state', '=', 'OPEN')
            .select('r.id'),
        ),
      ),
    )
    .orderBy('p.id', 'desc')
    .limit(value('limit'))
    .selectAll('p')
    .select([
      sql<number | string>`count(*) over ()`.as('count'),
      sql<number | string | null>`sum(p.amount_paisa) over ()`.as('paisa'),
    ]);
  return db.query
    .selectFrom(free.as('p'))
    .leftJoin('sms as s', 's.id', 'p.source_id')
    .leftJoin('devices as d', 'd.id', 's.device_id')
    .leftJoin('acquirers as a', 'a.id', 'p.scope')
    .orderBy('p.id', 'desc')
    .select(COLUMNS)
    .select(['p.count', 'p.paisa']);
});

/** The text that tells of the money, and the payment that it has paid by now. */
export function tellingText(db: Db, proof: string) {
  return db.query
    .selectFrom('proofs as p')
    .leftJoin('sms as s', 's.id', 'p.source_id')
    .leftJoin('pushes as u', 'u.id', 'p.source_id')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .leftJoin('sessions as x', 'x.id', 't.session_id')
    .leftJoin('devices as d', 'd.id', 's.device_id')
    .leftJoin('acquirers as a', 'a.id', 'p.scope')
    .where('p.id', '=', proof)
    .select(COLUMNS)
    .select(['s.sender', 'x.gateway_reference as payment'])
    .select(({ fn }) => fn.coalesce('s.body', 'u.body').as('body'))
    .executeTakeFirst();
}
