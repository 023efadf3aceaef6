/** Claims of ids that strangers can guess, by the price that they are claimed for. */
import type { PayChannel } from '../../domain/accounts/channels.js';
import { hot } from '../compiled-query.js';
import type { Db } from '../schema/index.js';

/** Claims of a merchant and a channel that are made for one price. */
type Priced = { merchant: string; channel: PayChannel; paisa: number };

/**
 * Claims that wait or are under review, of sessions in whatever state, the newest first: of wallets only
 * those with ids that can be guessed have a price.
 */
export const pricedClaims = hot<Priced & { since: number; limit: number }>()((db, value) =>
  db.query
    .selectFrom('claims')
    .where('merchant_id', '=', value('merchant'))
    .where('due_paisa', '=', value('paisa'))
    .where('state', 'in', ['WAITING', 'REVIEW'])
    .where('created_at', '>=', value('since'))
    .where('channel', '=', value('channel'))
    .orderBy('created_at', 'desc')
    .limit(value('limit'))
    .select(['reference', 'created_at as claimed_at']),
);

/** As `pricedClaims`, of a wallet: claims under whose ids no SMS has come. */
export const unmatchedClaims = hot<Priced & { since: number; limit: number }>()((db, value) =>
  db.query
    .selectFrom('claims as c')
    .where('c.merchant_id', '=', value('merchant'))
    .where('c.due_paisa', '=', value('paisa'))
    .where('c.state', '=', 'WAITING')
    .where('c.created_at', '>=', value('since'))
    .where('c.channel', '=', value('channel'))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('proofs as p')
            .whereRef('p.merchant_id', '=', 'c.merchant_id')
            .whereRef('p.channel', '=', 'c.channel')
            .whereRef('p.reference', '=', 'c.reference')
            .select('p.id'),
        ),
      ),
    )
    .orderBy('c.created_at', 'desc')
    .limit(value('limit'))
    .select(['c.reference', 'c.created_at as claimed_at', 'c.session_id', 'c.address_mark']),
);

/** When a claim was first made. */
export const claimedAt = hot<{ session: string; channel: PayChannel; reference: string }>()((db, value) =>
  db.query
    .selectFrom('claims')
    .where('session_id', '=', value('session'))
    .where('channel', '=', value('channel'))
    .where('reference', '=', value('reference'))
    .select('created_at'),
);

/** The ids that are held for that price until it is known who guesses. */
export const heldClaims = hot<Priced>()((db, value) =>
  db.query
    .selectFrom('claims')
    .where('merchant_id', '=', value('merchant'))
    .where('due_paisa', '=', value('paisa'))
    .where('state', '=', 'WAITING')
    .where('channel', '=', value('channel'))
    .where('reason', '=', 'held')
    .orderBy('created_at')
    .orderBy('id')
    .limit(500)
    .select('reference'),
);

/** Held claims whose time is over; those of suspended merchants wait until they are active again. */
export const overdueHolds = hot<{ now: number; limit: number }>()((db, value) =>
  db.query
    .selectFrom('claims as c')
    .innerJoin('merchants as m', 'm.id', 'c.merchant_id')
    .where('c.state', '=', 'WAITING')
    .where('c.next_at', '<=', value('now'))
    .where('c.reason', '=', 'held')
    .orderBy('c.next_at')
    .limit(value('limit'))
    .select(['c.id', 'c.merchant_id', 'c.reference', 'm.status as merchant_status']),
);

/** What is still held by then, as for a session that was paid otherwise, is not due again: at least one. */
export async function clearHolds(db: Db, ids: readonly string[], now: number): Promise<void> {
  await db.query
    .updateTable('claims')
    .set({ next_at: null })
    .where('id', 'in', ids)
    .where('state', '=', 'WAITING')
    .where('next_at', '<=', now)
    .execute();
}
