/** Payments for which the wallet is played, and the ids that were invented for them. */
import { sql } from 'kysely';
import { MFS_CHANNELS } from '../../domain/accounts/channels.js';
import { hot, hotIn } from '../compiled-query.js';

export type PlayedSession = NonNullable<Awaited<ReturnType<typeof playedSession.first>>>;

/** By its id or its gateway reference, with what its brand says of it. */
export const playedSession = hot<{ id: string; reference: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .where((is) => is.or([is('s.id', '=', value('id')), is('s.gateway_reference', '=', value('reference'))]))
    .select(['s.id', 's.gateway_reference', 's.brand_id', 's.status', 's.reason', 's.amount_paisa', 's.fees'])
    .select(['s.created_at', 's.expires_at', 's.misses', 's.payment_reference'])
    .select(['b.name as brand', 'b.merchant_id', 'b.accounts_stamp', 'b.proof_window_hours', 'b.test_of']),
);

/**
 * Which of these transaction ids were invented for a brand for tests of that merchant. What the tests of
 * others invent says nothing of its money.
 */
export const playedReferences = hotIn<{ merchant: string }>()((db, value, references) => {
  const merchants = db.query
    .selectFrom('brands')
    .where('test_of', '=', value('merchant'))
    .select('merchant_id');
  // A list: PostgreSQL would rather read all proofs than look for a merchant whose number it does not know.
  const isPlayed =
    db.engine === 'postgres'
      ? sql<boolean>`p.merchant_id = ANY (ARRAY(${merchants}))`
      : sql<boolean>`p.merchant_id IN (${merchants})`;
  return db.query
    .selectFrom('proofs as p')
    .where(isPlayed)
    .where('p.channel', 'in', [...MFS_CHANNELS])
    .where('p.reference', 'in', references)
    .select(['p.channel', 'p.reference']);
});
