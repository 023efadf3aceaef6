/** Quotes of sessions in USDT, and the amounts held for them. */
import type { PulledChannel } from '../../domain/accounts/channels.js';
import { prepared, preparedIn, type QueryParam } from '../compiled-query.js';
import { newInserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';

/** Address at which amounts are held, per merchant: other merchants may use the same address. */
type HeldAt = { merchant: string; receiver: string };

function heldQuotes(db: Db, value: QueryParam<HeldAt>) {
  return db.query
    .selectFrom('quotes as q')
    .where('q.merchant_id', '=', value('merchant'))
    .where('q.receiver', '=', value('receiver'))
    .where('q.held_until', 'is not', null);
}

/** Held quotes of other sessions, joined with the sessions `s`. */
function heldQuotesOfOthers(db: Db, value: QueryParam<HeldAt & { session: string }>) {
  return heldQuotes(db, value)
    .innerJoin('sessions as s', 's.id', 'q.session_id')
    .where('q.session_id', '!=', value('session'));
}

/** Inserts a quote. @returns false if another session of the merchant holds that amount at that receiver. */
export const insertQuote = newInserter('quotes');

/**
 * Releases an amount whose session was paid on another channel, because nobody will pay it. A transaction on
 * this channel would mean that the amount was paid; then it stays held until `held_until`.
 */
export const releasePaidElsewhere = prepared<HeldAt & { amount: number }>()((db, value) =>
  db.query
    .updateTable('quotes')
    .set({ held_until: null })
    .where('merchant_id', '=', value('merchant'))
    .where('receiver', '=', value('receiver'))
    .where('amount', '=', value('amount'))
    .where('held_until', 'is not', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('transactions as t')
          .whereRef('t.session_id', '=', 'quotes.session_id')
          .whereRef('t.channel', '!=', 'quotes.channel')
          .select('t.id'),
      ),
    )
    .returning('session_id'),
);

/**
 * First free amount from a held one upwards: not held, or only by a session paid on another channel. The
 * index scan stops there, so it passes only as many sessions as have the same amount.
 */
export const nextFreeAmount = prepared<HeldAt & { amount: number }>()((db, value) =>
  heldQuotes(db, value)
    .leftJoin('transactions as t', 't.session_id', 'q.session_id')
    .where('q.amount', '>=', value('amount'))
    .where((where) =>
      where.or([
        where('t.channel', '!=', where.ref('q.channel')),
        where.not(
          where.exists(
            where
              .selectFrom('quotes as n')
              .whereRef('n.merchant_id', '=', 'q.merchant_id')
              .whereRef('n.receiver', '=', 'q.receiver')
              .where('n.held_until', 'is not', null)
              .where((next) => next('n.amount', '=', next('q.amount', '+', 1)))
              .select('n.session_id'),
          ),
        ),
      ]),
    )
    .orderBy('q.amount')
    .limit(1)
    .select((column) =>
      column
        .case()
        .when('t.channel', '!=', column.ref('q.channel'))
        .then(column.ref('q.amount'))
        .else(column('q.amount', '+', 1))
        .end()
        .as('amount'),
    ),
);

/** All amounts of those receivers that are held and not free for others, in order. Not for requests. */
export function heldAmounts(db: Db, receivers: readonly string[]) {
  return db.query
    .selectFrom('quotes as q')
    .leftJoin('transactions as t', 't.session_id', 'q.session_id')
    .where('q.receiver', 'in', receivers)
    .where('q.held_until', 'is not', null)
    .where((where) =>
      where.or([where('t.channel', 'is', null), where('t.channel', '=', where.ref('q.channel'))]),
    )
    .orderBy('q.merchant_id')
    .orderBy('q.receiver')
    .orderBy('q.amount')
    .select(['q.merchant_id', 'q.receiver', 'q.amount'])
    .execute();
}

/** A session's quotes with the accounts that were shown then, also those that are out of use by now. */
export const quotesOn = prepared<{ session: string; channel: PulledChannel }>()((db, value) =>
  db.query
    .selectFrom('quotes as q')
    .innerJoin('accounts as a', 'a.id', 'q.account_id')
    .where('q.session_id', '=', value('session'))
    .where('q.channel', '=', value('channel'))
    .orderBy('a.type')
    .select(['q.receiver', 'q.rate', 'q.amount', 'a.id as account_id', 'a.type', 'a.details', 'a.secret']),
);

export const quotesOfSession = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('quotes')
    .where('session_id', '=', value('session'))
    .select(['channel', 'receiver', 'rate', 'amount', 'account_id']),
);

/** Amounts that other sessions hold. @param amounts integer numbers of steps as text, at least one. */
export const heldByOthers = preparedIn<HeldAt & { session: string }>()((db, value, amounts) =>
  heldQuotesOfOthers(db, value)
    .where('q.amount', 'in', amounts as unknown as number[])
    .select(['q.amount', 's.status']),
);

/**
 * Finds another session that a transfer to that receiver may have been meant for: it still waits for its
 * payment, or has failed and may be paid late.
 * @param before milliseconds since the epoch; sessions opened from then on are excluded.
 */
export const heldByCompetitor = prepared<HeldAt & { session: string; before: number }>()((db, value) =>
  heldQuotesOfOthers(db, value)
    .where('s.status', '!=', 'COMPLETED')
    .where('s.created_at', '<', value('before'))
    .limit(1)
    .select('q.session_id'),
);

/** Releases amounts whose hold has expired. @returns number of released amounts. */
export async function releaseAmounts(db: Db, now: number): Promise<number> {
  const { numUpdatedRows } = await db.query
    .updateTable('quotes')
    .set({ held_until: null })
    .where('held_until', '<=', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Gives all quotes of an account to another one, which has its details. */
export const moveQuotes = prepared<{ from: string; to: string }>()((db, value) =>
  db.query
    .updateTable('quotes')
    .set({ account_id: value('to') })
    .where('account_id', '=', value('from')),
);
