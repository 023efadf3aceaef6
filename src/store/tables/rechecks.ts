/** Claims whose proofs must be asked for outside, and when they are due. */
import { type Given, hot } from '../compiled-query.js';
import type { Db } from '../schema/index.js';
import { claimsWithSessions } from './proofs.js';

type Due = { now: number; limit: number };

/** Due claims with all that asking for them needs, the longest due first. */
function dueClaims(db: Db, value: Given<Due>) {
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

/** Those whose transfer was seen in a block that was not final. */
export const dueObservedClaims = hot<Due>()((db, value) =>
  dueClaims(db, value).where('c.block', 'is not', null),
);

/** Those that nobody has asked for again yet. */
export const dueFresh = hot<Due>()((db, value) =>
  dueClaims(db, value).where('c.block', 'is', null).where('c.tries', '=', 0),
);

/** Those that were asked for in vain before. */
export const dueOlder = hot<Due>()((db, value) =>
  dueClaims(db, value).where('c.block', 'is', null).where('c.tries', '>', 0),
);

export type DueClaim = Awaited<ReturnType<typeof dueObservedClaims.all>>[number];

/** When the first is due. */
export const nextDue = hot<Record<never, never>>()((db) =>
  db.query
    .selectFrom('claims')
    .where('state', '=', 'WAITING')
    .where('next_at', 'is not', null)
    .orderBy('next_at')
    .limit(1)
    .select('next_at'),
);

/**
 * Puts off those of the claims that are still due, so that of several processes one asks for each.
 * @param ids at least one. @returns the ids of those that were.
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

/** After it was asked for once more. @param nextAt null for never again. */
export const rescheduleClaim = hot<{ id: string; nextAt: number | null; tries: number }>()((db, value) =>
  db.query
    .updateTable('claims')
    .set({ next_at: value('nextAt'), tries: value('tries') })
    .where('id', '=', value('id'))
    .where('state', '=', 'WAITING'),
);
