/** Payment sessions, their transactions, and their data for receipts. */
import { type ExpressionBuilder, type Insertable, sql } from 'kysely';
import { MFS_CHANNELS, type PayChannel } from '../../domain/accounts/channels.js';
import type { PaidPart } from '../../domain/sessions/payment-record.js';
import { prepared, preparedIn, type QueryParam } from '../compiled-query.js';
import { type Bind, locker, newInserter, runSql } from '../compiled-rows.js';
import type { Db, SessionTable } from '../schema/index.js';
import { CLAIMING_SESSION, completes } from './proofs.js';

/** Time until which a reference identifies an ended session `s` of brand `b`: money may still arrive. */
const NAMED_UNTIL = 's.closed_at + b.proof_window_hours * 3600000';

type NamedSession = Pick<SessionTable, 'id' | 'brand_id' | 'created_at'> & {
  readonly payment_reference: string;
};

/** Condition: another payment of the merchant, or of one paid to the same number, has the reference. */
const isInUse = (bind: Bind, { payment_reference, created_at, brand_id }: NamedSession) => `EXISTS (
  SELECT 1 FROM sessions AS s JOIN brands AS b ON b.id = s.brand_id
  WHERE s.payment_reference = ${bind(payment_reference)}
    AND (s.status = 'PENDING' OR ${NAMED_UNTIL} > ${bind(created_at)})
    AND EXISTS (
      SELECT 1 FROM brands AS own WHERE own.id = ${bind(brand_id)} AND (
        own.merchant_id = b.merchant_id OR EXISTS (
          SELECT 1 FROM accounts AS mine JOIN accounts AS other
            ON other.number = mine.number AND other.channel = mine.channel
          WHERE mine.brand_id = own.id AND other.brand_id = b.id))))`;

/**
 * Inserts a session, without its payment reference if that is in use. On PostgreSQL two concurrent database
 * transactions could both find it free; so a settlement by reference checks that it identifies only one
 * session (settlement/settle-waiting).
 * @returns true if it has its reference.
 */
export async function insertSession(
  db: Db,
  session: Insertable<SessionTable> & NamedSession,
): Promise<boolean> {
  const { payment_reference: reference, ...row } = session;
  const [written] = await runSql<{ named: string | null }>(
    db,
    (bind) => `INSERT INTO sessions (${Object.keys(row)}, payment_reference)
      VALUES (${Object.values(row).map(bind)},
        CASE WHEN ${isInUse(bind, session)} THEN NULL ELSE ${bind(reference)} END)
      RETURNING payment_reference AS named`,
  );
  return written?.named === reference;
}

/** Gives a session that has none a payment reference. @returns false where it is in use. */
export async function nameSession(db: Db, session: NamedSession): Promise<boolean> {
  const written = await runSql(
    db,
    (bind) => `UPDATE sessions SET payment_reference = ${bind(session.payment_reference)}
      WHERE id = ${bind(session.id)} AND NOT ${isInUse(bind, session)} RETURNING 1 AS one`,
  );
  return written.length > 0;
}

// Who hears of the move of a session: parts of statements that move one, or read one that is to be moved.

/** The address for notifications: the session's own, else its brand's, else none. @param s its alias. */
const notifiedAt = (s: string) =>
  sql<string | null>`coalesce(${sql.ref(`${s}.webhook_url`)},
    (SELECT b.webhook_url FROM brands AS b WHERE b.id = ${sql.ref(`${s}.brand_id`)}))`.as('notified_at');

/** True if an alert target wants alerts of payments. Checked in the same statement, at no extra cost. */
const isAwaited = sql<number | boolean>`EXISTS (
  SELECT 1 FROM alert_targets AS t WHERE t.removed_at IS NULL AND t.tells_payments = 1)`.as('awaited');

/** True if its payer may be sent a receipt. */
const isReceipted = (s: string) =>
  sql<number | boolean>`(${sql.ref(`${s}.flow`)} = 'hosted' AND EXISTS (
    SELECT 1 FROM brands AS b WHERE b.id = ${sql.ref(`${s}.brand_id`)} AND b.receipt_sms <> 'off'))`.as(
    'receipted',
  );

/** Columns: notification address, whether alerts are sent or a receipt is due, and what is paid. */
export const notified = (s: string) =>
  [notifiedAt(s), isAwaited, isReceipted(s), sql.ref<number>(`${s}.paid_paisa`).as('paid_paisa')] as const;

/** Columns used to settle the sessions of a merchant that these payment references identify. */
export const sessionsWithReferences = preparedIn<{ merchant: string; now: number }>()(
  (db, value, references) =>
    db.query
      .selectFrom('sessions as s')
      .innerJoin('brands as b', 'b.id', 's.brand_id')
      .innerJoin('merchants as m', 'm.id', 'b.merchant_id')
      .where('s.payment_reference', 'in', references)
      .where('b.merchant_id', '=', value('merchant'))
      .where(sql<boolean>`(s.status = 'PENDING' OR ${sql.raw(NAMED_UNTIL)} > ${value('now')})`)
      .select(['s.payment_reference', 'm.status as merchant_status'])
      .select([...CLAIMING_SESSION]),
);

/** A session of that brand, with its credited reference if it has one, and when that claim was first made. */
export const claimedSession = prepared<{
  id: string;
  brand: string;
  channel: PayChannel;
  /** Null matches no claim. */
  reference: string | null;
}>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .leftJoin('transactions as t', completes)
    .leftJoin('claims as c', (join) =>
      join
        .onRef('c.session_id', '=', 's.id')
        .on('c.channel', '=', value('channel'))
        .on('c.reference', '=', value('reference')),
    )
    .where('s.id', '=', value('id'))
    .where('s.brand_id', '=', value('brand'))
    .select(['s.id', 's.brand_id', 's.gateway_reference', 's.status', 's.reason', 's.cus_name'])
    .select(['s.cus_email', 's.amount_paisa', 's.meta_data', 's.misses', 's.created_at', 's.expires_at'])
    .select(['s.fees', 's.takes_parts', 's.paid_paisa', 's.paid_fee_paisa', 's.refunded_paisa'])
    .select('s.delivery_paisa')
    .select(['t.channel as credited_channel', 't.reference as credited_reference'])
    .select(['c.created_at as claimed_at', 'c.address_mark']),
);

/**
 * Changes the state, if it is still `from`. Returns the notification address, whether alerts are sent and
 * whether the payer may get a receipt; undefined if the state differs.
 */
export const transitionSession = prepared<StatusChange>()((db, value) =>
  movedFrom(db, value).returning(notified('sessions')),
);

type StatusChange = {
  id: string;
  from: SessionTable['status'];
  to: SessionTable['status'];
  reason: string;
  closedAt: number | null;
};

const movedFrom = (db: Db, value: QueryParam<StatusChange>) =>
  db.query
    .updateTable('sessions')
    .set({ status: value('to'), reason: value('reason'), closed_at: value('closedAt') })
    .where('id', '=', value('id'))
    .where('status', '=', value('from'));

/**
 * Changes the state of a paid session. `was` is its reason as it was read: if it has come under review in the
 * meantime, the review must be closed, too.
 */
export const movePaidSession = prepared<StatusChange & { was: string }>()((db, value) =>
  movedFrom(db, value).where('reason', '=', value('was')).returning(notified('sessions')),
);

/** Keeps a session open that has been paid in part, as long as its brand keeps new ones open. */
export const movePartRow = prepared<{ id: string; was: string; reason: string; now: number }>()(
  (db, value) => {
    const until = sql<number>`(SELECT CAST(${value('now')} AS bigint) + b.session_minutes * 60000
    FROM brands AS b WHERE b.id = sessions.brand_id)`;
    return db.query
      .updateTable('sessions')
      .set({
        reason: value('reason'),
        expires_at: sql<number>`CASE WHEN expires_at < ${until} THEN ${until} ELSE expires_at END`,
      })
      .where('id', '=', value('id'))
      .where('status', '=', 'PENDING')
      .where('reason', '=', value('was'))
      .returning(notifiedAt('sessions'));
  },
);

/** The credit of a session under that reference. */
export const creditOfSession = prepared<{ session: string; channel: PayChannel; reference: string }>()(
  (db, value) =>
    db.query
      .selectFrom('transactions')
      .where('session_id', '=', value('session'))
      .where('channel', '=', value('channel'))
      .where('reference', '=', value('reference'))
      .select('id'),
);

/** Serializes database transactions that count claims of one session and then change its state. */
export const lockSession = locker('sessions');

export const countMiss = prepared<{ id: string }>()((db, value) =>
  db.query
    .updateTable('sessions')
    .set((column) => ({ misses: column('misses', '+', 1) }))
    .where('id', '=', value('id')),
);

/** Adds a credit to the sum of its session. Returns nothing where the sum is not as it was read. */
export const addPaid = prepared<{ session: string; was: number; paisa: number; feePaisa: number }>()(
  (db, value) =>
    db.query
      .updateTable('sessions')
      .set((column) => ({
        paid_paisa: column('paid_paisa', '+', value('paisa')),
        paid_fee_paisa: column('paid_fee_paisa', '+', value('feePaisa')),
      }))
      .where('id', '=', value('session'))
      .where('paid_paisa', '=', value('was'))
      .returning('id'),
);

/** Credits of a session, oldest first: each leaves a smaller rest. */
export const creditsOfSession = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('transactions as t')
    .innerJoin('proofs as p', 'p.id', 't.proof_id')
    .where('t.session_id', '=', value('session'))
    .orderBy('t.rest_paisa', 'desc')
    .select(['t.channel', 't.reference', 't.amount_paisa', 't.fee_paisa', 't.credited_at', 't.rest_paisa'])
    .select(['p.named', 'p.aliases']),
);

/** @returns the credits of a session that was paid in parts; none if one credit has paid it, or nothing. */
export async function partsOf(
  db: Db,
  { id, takes_parts }: Pick<SessionTable, 'id'> & { readonly takes_parts: number },
): Promise<PaidPart[]> {
  if (takes_parts === 0) return [];
  return toParts(await creditsOfSession.all(db, { session: id }));
}

/** @returns the credits as parts of a payment; none if the first one has paid all. */
export function toParts(credits: Awaited<ReturnType<typeof creditsOfSession.all>>): PaidPart[] {
  if (credits[0]?.rest_paisa === 0) return [];
  return credits.map(({ channel, reference, amount_paisa, fee_paisa, credited_at }) => ({
    transactionId: reference,
    channel,
    paisa: amount_paisa - fee_paisa,
    paidAt: credited_at,
  }));
}

/** Marks the reference as spent, permanently and globally. @returns false if it was spent before. */
export const insertTransaction = newInserter('transactions');

/**
 * Expires open sessions, oldest first, and returns them; a session under review does not expire. The
 * condition is checked again at the update: a session may come under review in the meantime.
 */
export const expireOverdueSessions = prepared<{
  now: number;
  limit: number;
  to: SessionTable['status'];
  reason: string;
}>()((db, value) =>
  db.query
    .updateTable('sessions')
    .set({ status: value('to'), reason: value('reason'), closed_at: value('now') })
    .where('status', '=', 'PENDING')
    .where('reason', '!=', 'review')
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('sessions')
        .where('status', '=', 'PENDING')
        .where('reason', '!=', 'review')
        .where('expires_at', '<=', value('now'))
        .orderBy('expires_at')
        .limit(value('limit'))
        .select('id'),
    )
    .returning(['id', 'paid_paisa', notifiedAt('sessions')]),
);

/** Number of payments opened since then that can still be paid, and the time until which they can. */
export const openPaymentsSince = prepared<{ brand: string; since: number; now: number }>()((db, value) =>
  db.query
    .selectFrom('sessions')
    .where('status', '=', 'PENDING')
    .where('brand_id', '=', value('brand'))
    .where('created_at', '>=', value('since'))
    .where((either) => either.or([either('expires_at', '>', value('now')), either('reason', '=', 'review')]))
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.max<number | null>('expires_at').as('until'),
    ]),
);

/**
 * Condition for sessions `s` whose `statusAt` (domain/sessions/session) is that status. The rule exists there
 * for memory and here for the store; a test compares the two.
 */
export function inStatus(status: SessionTable['status'], now: number) {
  return ({ eb, and, or, not }: ExpressionBuilder<{ s: SessionTable }, 's'>) => {
    const stored = eb('s.status', '=', status);
    if (status === 'COMPLETED') return stored;
    const isOver = and([
      eb('s.status', '=', 'PENDING'),
      eb('s.reason', '!=', 'review'),
      eb('s.expires_at', '<=', now),
    ]);
    return status === 'FAILED' ? or([stored, isOver]) : and([stored, not(isOver)]);
  };
}

/** @param number a gateway reference, in letters of either case. @returns the id of its session, if any. */
export async function sessionNamed(db: Db, number: string): Promise<string | undefined> {
  const named = db.query.selectFrom('sessions').where('gateway_reference', '=', number.toUpperCase());
  return (await named.select('id').executeTakeFirst())?.id;
}

// The keys under which shops repeat a create, each with what was answered the first time.

/**
 * Takes an idempotency key, also an expired one. Of concurrent callers one gets it, and the others wait until
 * its transaction ends.
 * @returns undefined if the key is taken.
 */
export const takeKey = prepared<{ key: string; request: string; now: number; over: number }>()((db, value) =>
  db.query
    .insertInto('idempotency_keys')
    .values({ key_hash: value('key'), request_hash: value('request'), answer: '', created_at: value('now') })
    .onConflict((conflict) =>
      conflict
        .column('key_hash')
        .doUpdateSet({ request_hash: value('request'), answer: '', created_at: value('now') })
        .where('idempotency_keys.created_at', '<=', value('over')),
    )
    .returning('key_hash'),
);

export const answerOfKey = prepared<{ key: string }>()((db, value) =>
  db.query
    .selectFrom('idempotency_keys')
    .where('key_hash', '=', value('key'))
    .select(['request_hash', 'answer']),
);

/** Stores the response for a key that was taken in the same database transaction. */
export const keepAnswer = prepared<{ key: string; answer: string }>()((db, value) =>
  db.query
    .updateTable('idempotency_keys')
    .set({ answer: value('answer') })
    .where('key_hash', '=', value('key')),
);

// What is read of a payment for its receipt by SMS, and the phone that may send it.

/** A payment that has just been credited. */
export const paymentForReceipt = prepared<{ session: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .innerJoin('transactions as t', completes)
    .innerJoin('proofs as p', 'p.id', 't.proof_id')
    .where('s.id', '=', value('session'))
    .select(['s.gateway_reference', 'b.name as brand', 'b.merchant_id', 'b.receipt_sms'])
    .select(['t.channel', 't.reference', 's.paid_paisa', 's.delivery_paisa', 'p.payer', 'p.kind']),
);

/** The phone of a merchant that called last, of those that can send; it has called since then. */
export const sendingPhone = prepared<{ merchant: string; since: number }>()((db, value) =>
  db.query
    .selectFrom('devices')
    .where('merchant_id', '=', value('merchant'))
    .where('revoked_at', 'is', null)
    .where('last_seen_at', '>', value('since'))
    .where('agent', 'in', ['relay', 'app'])
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .select(['id', 'name', 'last_seen_at']),
);

// Payments for which the wallet is played, and the ids that were invented for them.

export type SimulatedSession = NonNullable<Awaited<ReturnType<typeof simulatedSession.first>>>;

/** Finds a session by its id or its gateway reference, with the data of its brand. */
export const simulatedSession = prepared<{ id: string; reference: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .where((is) => is.or([is('s.id', '=', value('id')), is('s.gateway_reference', '=', value('reference'))]))
    .select(['s.id', 's.gateway_reference', 's.brand_id', 's.status', 's.reason', 's.amount_paisa', 's.fees'])
    .select(['s.takes_parts', 's.paid_paisa', 's.paid_fee_paisa'])
    .select(['s.created_at', 's.expires_at', 's.misses', 's.payment_reference'])
    .select(['b.name as brand', 'b.merchant_id', 'b.accounts_stamp', 'b.proof_window_hours', 'b.test_of']),
);

/**
 * Finds which of these transaction ids were invented for a test brand of that merchant. Ids invented for
 * tests of other merchants are no evidence about its money.
 */
export const playedReferences = preparedIn<{ merchant: string }>()((db, value, references) => {
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
