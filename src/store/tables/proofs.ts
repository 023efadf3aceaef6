/** Proofs, the claims that wait for them, and their manual reviews. */
import { type JoinBuilder, sql } from 'kysely';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { MatchReview } from '../../domain/matching/matching.js';
import { prepared, preparedIn } from '../compiled-query.js';
import { upserter } from '../compiled-rows.js';
import type { ClaimState, Db, SessionTable, TransactionTable } from '../schema/index.js';

/** Joins the transaction `t` that has completed the session `s`; one that paid a part does not count. */
export const completes = (join: JoinBuilder<{ t: TransactionTable; s: SessionTable }, 't' | 's'>) =>
  join.onRef('t.session_id', '=', 's.id').on('t.rest_paisa', '=', 0);

/** A merchant's proof by its reference, and the session it has been credited to, if any. */
export const proofByReference = prepared<{ merchant: string; channel: PayChannel; reference: string }>()(
  (db, value) =>
    db.query
      .selectFrom('proofs as p')
      .leftJoin('transactions as t', 't.proof_id', 'p.id')
      .where('p.merchant_id', '=', value('merchant'))
      .where('p.channel', '=', value('channel'))
      .where('p.reference', '=', value('reference'))
      .select([
        'p.id',
        'p.merchant_id',
        'p.channel',
        'p.reference',
        'p.amount_paisa',
        'p.recipient',
        'p.kind',
      ])
      .select(['p.settle', 'p.at', 'p.created_at', 'p.scope', 'p.disputed_by'])
      .select(['t.session_id as credited_session']),
);

/** Sessions to which a reference is credited, and their merchants. @param beside a second scope. */
export const holdersWithin = prepared<{
  channel: PayChannel;
  reference: string;
  scope: string;
  beside: string;
}>()((db, value) =>
  db.query
    .selectFrom('transactions as t')
    .innerJoin('brands as b', 'b.id', 't.brand_id')
    .where('t.channel', '=', value('channel'))
    .where('t.reference', '=', value('reference'))
    .where('t.scope', 'in', [value('scope'), value('beside')])
    .select(['t.session_id', 'b.merchant_id']),
);

/** The sessions of a merchant that hold a reference, in whichever scope. */
export const holdersOfReference = prepared<{ merchant: string; channel: PayChannel; reference: string }>()(
  (db, value) =>
    db.query
      .selectFrom('transactions as t')
      .innerJoin('brands as b', 'b.id', 't.brand_id')
      .where('t.channel', '=', value('channel'))
      .where('t.reference', '=', value('reference'))
      .where('b.merchant_id', '=', value('merchant'))
      .select('t.session_id'),
);

/** Details of the proof credited to a session, where its reference is not enough. */
export const creditedProof = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('transactions as t')
    .innerJoin('proofs as p', 'p.id', 't.proof_id')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .where('t.session_id', '=', value('session'))
    .where('t.rest_paisa', '=', 0)
    .select(['p.payer', 'p.aliases', 'p.units', 'p.recipient', 's.gateway_reference']),
);

type ClaimRow = {
  id: string;
  session: string;
  merchant: string;
  channel: PayChannel;
  reference: string;
  state: ClaimState;
  reason: string;
  now: number;
  decidedAt: number | null;
  /** Amount due, if the claim names a payer's number or an id that can be guessed. */
  duePaisa: number | null;
  /** Digest of the client's address; null if a shop's server makes the claim. */
  addressMark: string | null;
};

/**
 * Inserts a claim, or updates the state of the existing one.
 * @returns id of the row: the given id if the claim is new.
 */
export const putClaim = prepared<ClaimRow>()((db, value) =>
  db.query
    .insertInto('claims')
    .values({
      id: value('id'),
      session_id: value('session'),
      merchant_id: value('merchant'),
      channel: value('channel'),
      reference: value('reference'),
      state: value('state'),
      reason: value('reason'),
      created_at: value('now'),
      decided_at: value('decidedAt'),
      due_paisa: value('duePaisa'),
      address_mark: value('addressMark'),
    })
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'channel', 'reference']).doUpdateSet({
        state: value('state'),
        reason: value('reason'),
        decided_at: value('decidedAt'),
        due_paisa: sql`coalesce(excluded.due_paisa, claims.due_paisa)`,
      }),
    )
    .returning('id'),
);

/** Updates the state of an existing claim. */
export const renewClaim = prepared<ClaimRow>()((db, value) =>
  db.query
    .updateTable('claims')
    .set({ state: value('state'), reason: value('reason'), decided_at: value('decidedAt') })
    .set({ due_paisa: sql`coalesce(CAST(${value('duePaisa')} AS bigint), due_paisa)` })
    .where('session_id', '=', value('session'))
    .where('channel', '=', value('channel'))
    .where('reference', '=', value('reference')),
);

export const findClaim = prepared<{ session: string; channel: PayChannel; reference: string }>()(
  (db, value) =>
    db.query
      .selectFrom('claims')
      .where('session_id', '=', value('session'))
      .where('channel', '=', value('channel'))
      .where('reference', '=', value('reference'))
      .select(['state', 'reason', 'created_at']),
);

/** Claims of a session that are looked up again and were not found yet; last claimed first. */
export const unmatchedClaims = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('claims')
    .where('session_id', '=', value('session'))
    .where('state', '=', 'WAITING')
    .where('next_at', 'is not', null)
    .where('block', 'is', null)
    .orderBy('next_at', 'desc')
    .orderBy('id', 'desc')
    .select(['channel', 'reference']),
);

/** Says when a claim is looked at again. */
export const scheduleClaim = prepared<{
  session: string;
  channel: PayChannel;
  reference: string;
  nextAt: number | null;
  block: number | null;
}>()((db, value) =>
  db.query
    .updateTable('claims')
    .set({ next_at: value('nextAt'), block: value('block') })
    .where('session_id', '=', value('session'))
    .where('channel', '=', value('channel'))
    .where('reference', '=', value('reference')),
);

/** Does nothing without a claim: a first claim credited directly is recorded by the transaction. */
export const creditClaim = prepared<{
  session: string;
  channel: PayChannel;
  reference: string;
  now: number;
}>()((db, value) =>
  db.query
    .updateTable('claims')
    .set({ state: 'CREDITED', reason: 'credited', decided_at: value('now') })
    .where('session_id', '=', value('session'))
    .where('channel', '=', value('channel'))
    .where('reference', '=', value('reference')),
);

/** Columns of session `s` and of its brand `b` used to settle a claim. */
export const CLAIMING_SESSION = [
  ...(['s.id', 's.brand_id', 's.gateway_reference', 's.status', 's.reason', 's.amount_paisa'] as const),
  ...(['s.created_at', 's.expires_at', 's.fees'] as const),
  ...(['s.takes_parts', 's.paid_paisa', 's.paid_fee_paisa'] as const),
  ...(['b.merchant_id', 'b.proof_window_hours', 'b.accounts_stamp'] as const),
] as const;

/** Claims `c` with their sessions `s` and the brands `b` of these. */
export function claimsWithSessions(db: Db) {
  return db.query
    .selectFrom('claims as c')
    .innerJoin('sessions as s', 's.id', 'c.session_id')
    .innerJoin('brands as b', 'b.id', 's.brand_id');
}

/**
 * Condition for claims `c`. On PostgreSQL it forces a look-up per id: while the planner's statistics still
 * show a small table, it would read all claims of the merchant.
 */
const isWaitingFor = (db: Db, merchant: string, references: readonly string[]) =>
  db.engine === 'postgres'
    ? sql<boolean>`c.id = ANY (ARRAY(
        SELECT w.id FROM unnest(ARRAY[${sql.join(references)}]::text[]) AS r (reference)
        CROSS JOIN LATERAL (
          SELECT x.id FROM claims AS x
          WHERE x.merchant_id = ${merchant} AND x.reference = r.reference AND x.state = 'WAITING' OFFSET 0
        ) AS w))`
    : sql<boolean>`(c.merchant_id = ${merchant} AND c.reference IN (${sql.join(references)})
        AND c.state = 'WAITING')`;

/**
 * Claims that wait for an SMS with one of these ids: those of open sessions first, then in order of arrival.
 * None while the merchant is suspended.
 */
export const waitingClaims = preparedIn<{ merchant: string }>()((db, value, references) =>
  claimsWithSessions(db)
    .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
    .where(isWaitingFor(db, value('merchant'), references))
    .where('m.status', '=', 'ACTIVE')
    .where('s.status', 'in', ['PENDING', 'FAILED'])
    .orderBy('s.status', 'desc')
    .orderBy('c.created_at')
    .orderBy('c.id')
    .select(['c.channel', 'c.reference', 'c.created_at as claimed_at', 'c.reason as claim_reason'])
    .select('c.address_mark')
    .select([...CLAIMING_SESSION]),
);

/**
 * Returns claims to the waiting state if they were under review for these reasons only, now that the proofs
 * of these SMS contain what was missing.
 */
export async function reopenClaims(
  db: Db,
  smsIds: readonly string[],
  reasons: readonly MatchReview[],
): Promise<void> {
  if (smsIds.length === 0) return;
  await db.query
    .updateTable('claims')
    .set({ state: 'WAITING', decided_at: null })
    .where('state', '=', 'REVIEW')
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('proofs as p')
        .innerJoin('reviews as r', 'r.proof_id', 'p.id')
        .innerJoin('claims as c', (join) =>
          join
            .onRef('c.session_id', '=', 'r.session_id')
            .onRef('c.channel', '=', 'r.channel')
            .onRef('c.reference', '=', 'r.reference'),
        )
        .where('p.source_id', 'in', smsIds)
        .where('r.state', '=', 'OPEN')
        .where('r.reason', 'in', reasons)
        .select('c.id'),
    )
    .execute();
}

// Proofs of observed payments, and the ids under which they were credited.

/** Finds an open review of a proof for another session of that merchant. */
export const openReviewOfProof = prepared<{
  merchant: string;
  channel: PayChannel;
  reference: string;
  scope: string;
  session: string;
}>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .innerJoin('reviews as r', 'r.proof_id', 'p.id')
    .where('p.merchant_id', '=', value('merchant'))
    .where('p.channel', '=', value('channel'))
    .where('p.reference', '=', value('reference'))
    .where('p.scope', '=', value('scope'))
    .where('r.session_id', '!=', value('session'))
    .where('r.state', '=', 'OPEN')
    .limit(1)
    .select('r.id'),
);

/** A session by its id or its gateway reference, whichever brand's it is. */
export const sessionNumbered = prepared<{ id: string; reference: string }>()((db, value) =>
  db.query
    .selectFrom('sessions')
    .where('id', '=', value('id'))
    .select('id')
    .unionAll(
      db.query.selectFrom('sessions').where('gateway_reference', '=', value('reference')).select('id'),
    )
    .limit(1),
);

/** The other ids of what the merchant of an account has seen under one. */
export const observedAliases = prepared<{ account: string; channel: PayChannel; reference: string }>()(
  (db, value) =>
    db.query
      .selectFrom('accounts as a')
      .innerJoin('brands as b', 'b.id', 'a.brand_id')
      .innerJoin('proofs as p', 'p.merchant_id', 'b.merchant_id')
      .where('a.id', '=', value('account'))
      .where('p.channel', '=', value('channel'))
      .where('p.reference', '=', value('reference'))
      .select('p.aliases'),
);

const MONEY = ['amount_paisa', 'recipient', 'payer', 'kind', 'settle', 'at'] as const;

/**
 * Stores an observed payment, or updates it if it was observed before: it may have moved to another block.
 */
export const putObservedProof = upserter('proofs', {
  key: ['merchant_id', 'channel', 'reference', 'scope'],
  kept: ['id', 'created_at'],
  news: [...MONEY, 'source_id', 'aliases', 'units', 'evidence'],
  returning: 'id',
});

/** Holders of these credited names. @param beside a second scope. @param names at least one. */
export const holdersOfNames = preparedIn<{ channel: PayChannel; scope: string; beside: string }>()(
  (db, value, names) =>
    db.query
      .selectFrom('credited_names as n')
      .innerJoin('brands as b', 'b.id', 'n.brand_id')
      .where('n.channel', '=', value('channel'))
      .where('n.scope', 'in', [value('scope'), value('beside')])
      .where('n.name', 'in', names)
      .select(['n.session_id', 'b.merchant_id']),
);
