/** Proofs, the claims that wait for them, and the reviews that a person decides. */
import { sql } from 'kysely';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { MatchReview } from '../../domain/matching/matching.js';
import { hot, hotIn } from '../compiled-query.js';
import type { ClaimState, Db } from '../schema/index.js';

/** A merchant's proof by its reference, and the session it has been credited to, if any. */
export const proofByReference = hot<{ merchant: string; channel: PayChannel; reference: string }>()(
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

/** The sessions that hold a reference, and whose they are. @param beside a second scope. */
export const holdersWithin = hot<{ channel: PayChannel; reference: string; scope: string; beside: string }>()(
  (db, value) =>
    db.query
      .selectFrom('transactions as t')
      .innerJoin('brands as b', 'b.id', 't.brand_id')
      .where('t.channel', '=', value('channel'))
      .where('t.reference', '=', value('reference'))
      .where('t.scope', 'in', [value('scope'), value('beside')])
      .select(['t.session_id', 'b.merchant_id']),
);

/** The sessions of a merchant that hold a reference, in whichever scope. */
export const holdersOfReference = hot<{ merchant: string; channel: PayChannel; reference: string }>()(
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
export const creditedProof = hot<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('transactions as t')
    .innerJoin('proofs as p', 'p.id', 't.proof_id')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .where('t.session_id', '=', value('session'))
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
  /** What the session costs where the claim names a payer's number or an id that can be guessed. */
  duePaisa: number | null;
  /** Of the client's address; null where a shop's server claims. */
  addressMark: string | null;
};

/**
 * Keeps a claim, or brings the state of the one that is there up to date.
 * @returns the id of the row: the given one if the claim is new.
 */
export const putClaim = hot<ClaimRow>()((db, value) =>
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

/** Brings the state of a claim that is there up to date. */
export const renewClaim = hot<ClaimRow>()((db, value) =>
  db.query
    .updateTable('claims')
    .set({ state: value('state'), reason: value('reason'), decided_at: value('decidedAt') })
    .set({ due_paisa: sql`coalesce(CAST(${value('duePaisa')} AS bigint), due_paisa)` })
    .where('session_id', '=', value('session'))
    .where('channel', '=', value('channel'))
    .where('reference', '=', value('reference')),
);

/** What became of a claim by now. */
export const claimOf = hot<{ session: string; channel: PayChannel; reference: string }>()((db, value) =>
  db.query
    .selectFrom('claims')
    .where('session_id', '=', value('session'))
    .where('channel', '=', value('channel'))
    .where('reference', '=', value('reference'))
    .select(['state', 'reason', 'created_at']),
);

/** Claims of a session that are asked for outside again, of which nothing was seen; given last, first. */
export const unmatchedClaims = hot<{ session: string }>()((db, value) =>
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
export const scheduleClaim = hot<{
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

/** A claim that is there is credited; the transaction says it all where the customer's first word was it. */
export const creditClaim = hot<{ session: string; channel: PayChannel; reference: string; now: number }>()(
  (db, value) =>
    db.query
      .updateTable('claims')
      .set({ state: 'CREDITED', reason: 'credited', decided_at: value('now') })
      .where('session_id', '=', value('session'))
      .where('channel', '=', value('channel'))
      .where('reference', '=', value('reference')),
);

/** What settling a claim must know of its session `s` and of that one's brand `b`. */
export const CLAIMING_SESSION = [
  ...(['s.id', 's.brand_id', 's.gateway_reference', 's.status', 's.reason', 's.amount_paisa'] as const),
  ...(['s.created_at', 's.expires_at', 's.fees'] as const),
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
 * For claims `c`. PostgreSQL is made to look up each id by itself: as long as it takes a table that has grown
 * for a small one, it would read all claims of the merchant.
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
 * Claims that wait for an SMS with one of these ids: those of open sessions first, then first come first.
 * None while the merchant is suspended.
 */
export const waitingClaims = hotIn<{ merchant: string }>()((db, value, references) =>
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
 * Lets claims wait again that a person was to decide for no other reason than these, now that the proofs of
 * these SMS say what was missing.
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
