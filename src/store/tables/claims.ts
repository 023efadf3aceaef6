/** Waiting claims: of ids that can be guessed, and of payments to look up at a chain or exchange. */
import type { PayChannel } from '../../domain/accounts/channels.js';
import { prepared, type QueryParam } from '../compiled-query.js';
import type { Db } from '../schema/index.js';
import { claimsWithSessions } from './proofs.js';

// Claims of ids that strangers can guess, by the price that they are claimed for.

/** Claims of a merchant and a channel that are made for one price. */
type ClaimPrice = { merchant: string; channel: PayChannel; paisa: number };

/**
 * Waiting claims and claims under review, of sessions in any state, newest first. Of the wallets' claims only
 * those with ids that can be guessed have a price.
 */
export const pricedClaims = prepared<ClaimPrice & { since: number; limit: number }>()((db, value) =>
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

/** Variant of `pricedClaims` for a wallet: claims with ids of which no SMS has arrived. */
export const unmatchedClaims = prepared<ClaimPrice & { since: number; limit: number }>()((db, value) =>
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

/** Ids held for that price until it is known which is a guess. */
export const heldClaims = prepared<ClaimPrice>()((db, value) =>
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

/** Held claims whose hold has expired; those of suspended merchants wait until they are active again. */
export const overdueHolds = prepared<{ now: number; limit: number }>()((db, value) =>
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

/** Clears past holds, as for a session paid otherwise, so that they are not due. @param ids not empty. */
export async function clearHolds(db: Db, ids: readonly string[], now: number): Promise<void> {
  await db.query
    .updateTable('claims')
    .set({ next_at: null })
    .where('id', 'in', ids)
    .where('state', '=', 'WAITING')
    .where('next_at', '<=', now)
    .execute();
}

// Claims whose proofs must be asked for outside, and when they are due.

type DueBefore = { now: number; limit: number };

/** DueBefore claims with all that asking for them needs, the longest due first. */
function dueClaims(db: Db, value: QueryParam<DueBefore>) {
  return claimsWithSessions(db)
    .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
    .innerJoin('quotes as q', (join) =>
      join.onRef('q.session_id', '=', 's.id').onRef('q.channel', '=', 'c.channel'),
    )
    .innerJoin('accounts as a', 'a.id', 'q.account_id')
    .where('c.state', '=', 'WAITING')
    .where('c.next_at', '<=', value('now'))
    .orderBy('c.next_at')
    .limit(value('limit'))
    .select(['c.id', 'c.session_id', 'c.merchant_id', 'q.channel', 'c.reference', 'c.tries', 'c.block'])
    .select(['s.brand_id', 's.created_at', 's.expires_at', 'b.proof_window_hours', 'b.accounts_stamp'])
    .select(['m.status as merchant_status', 'q.receiver', 'q.rate', 'q.amount'])
    .select(['a.id as account_id', 'a.type', 'a.details', 'a.secret']);
}

/** Due claims whose transfer was observed in a block that is not final. */
export const dueObservedClaims = prepared<DueBefore>()((db, value) =>
  dueClaims(db, value).where('c.block', 'is not', null),
);

/** Due claims that have not been looked up again yet. */
export const dueFresh = prepared<DueBefore>()((db, value) =>
  dueClaims(db, value).where('c.block', 'is', null).where('c.tries', '=', 0),
);

/** Due claims that earlier lookups did not find. */
export const dueOlder = prepared<DueBefore>()((db, value) =>
  dueClaims(db, value).where('c.block', 'is', null).where('c.tries', '>', 0),
);

export type DueClaim = Awaited<ReturnType<typeof dueObservedClaims.all>>[number];

/** Time at which the first claim is due. */
export const nextDue = prepared<Record<never, never>>()((db) =>
  db.query
    .selectFrom('claims')
    .where('state', '=', 'WAITING')
    .where('next_at', 'is not', null)
    .orderBy('next_at')
    .limit(1)
    .select('next_at'),
);

/**
 * Leases the claims still due by moving their time, so that only one of several processes looks each up.
 * @param ids at least one. @returns ids of the leased claims.
 */
export async function leaseClaims(
  db: Db,
  ids: readonly string[],
  { now, until }: { readonly now: number; readonly until: number },
): Promise<string[]> {
  const leased = await db.query
    .updateTable('claims')
    .set({ next_at: until })
    .where('id', 'in', ids)
    .where('state', '=', 'WAITING')
    .where('next_at', '<=', now)
    .returning('id')
    .execute();
  return leased.map(({ id }) => id);
}

/** Schedules the next lookup of a claim. @param nextAt null for no further lookup. */
export const rescheduleClaim = prepared<{ id: string; nextAt: number | null; tries: number }>()((db, value) =>
  db.query
    .updateTable('claims')
    .set({ next_at: value('nextAt'), tries: value('tries') })
    .where('id', '=', value('id'))
    .where('state', '=', 'WAITING'),
);
