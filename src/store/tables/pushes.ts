/**
 * Messages of acquirers as they came, the money among them that pays nothing yet, and the claims by a payer's
 * number that wait for it. Knows no rule of the business.
 */
import { type JoinBuilder, sql } from 'kysely';
import { prepared } from '../compiled-query.js';
import { changer, inserter, newInserter } from '../compiled-rows.js';
import type { Db, ProofTable, PushTable, TransactionTable } from '../schema/index.js';
import { newestFirst, type Page } from './list-position.js';
import { CLAIMING_SESSION, claimsWithSessions } from './proofs.js';

/** Finds the original message of a push, and its acquirer. */
export function findPushText(db: Db, id: string) {
  return db.query
    .selectFrom('pushes as u')
    .innerJoin('acquirers as a', 'a.id', 'u.acquirer_id')
    .where('u.id', '=', id)
    .select(['a.name as acquirer', 'u.body'])
    .executeTakeFirst();
}

/** @returns false, and nothing is written, where that reference or that very body came before. */
export const insertPush = newInserter('pushes');

/** Finds an earlier push of the acquirer with that reference or an identical body. */
export async function pushBefore(
  db: Db,
  { acquirer_id, reference, dedupe_key }: Pick<PushTable, 'acquirer_id' | 'reference' | 'dedupe_key'>,
): Promise<PushTable | undefined> {
  const ofAcquirer = db.query.selectFrom('pushes').where('acquirer_id', '=', acquirer_id).selectAll();
  const sameReference =
    reference === null ? undefined : await ofAcquirer.where('reference', '=', reference).executeTakeFirst();
  return sameReference ?? ofAcquirer.where('dedupe_key', '=', dedupe_key).executeTakeFirst();
}

export const changePush = changer('pushes');

/** Messages without a proof, of acquirers that are not revoked, with the columns used to parse them. */
function unpaidPushes(db: Db) {
  return db.query
    .selectFrom('pushes as u')
    .innerJoin('acquirers as a', 'a.id', 'u.acquirer_id')
    .innerJoin('merchants as m', 'm.id', 'u.merchant_id')
    .where('u.state', 'in', ['UNREAD', 'UNSETTLED'])
    .where('a.revoked_at', 'is', null)
    .selectAll('u')
    .select(['a.rules', 'm.status as merchant_status']);
}

export type UnpaidPush = NonNullable<Awaited<ReturnType<typeof unpaidPush>>>;

export function unpaidPush(db: Db, id: string) {
  return unpaidPushes(db).where('u.id', '=', id).executeTakeFirst();
}

/** @param page.acquirer its id, or null for all. @returns pushes after that id, sorted by id. */
export function unpaidPage(
  db: Db,
  page: { readonly acquirer: string | null; readonly after: string; readonly limit: number },
) {
  let query = unpaidPushes(db).where('u.id', '>', page.after);
  if (page.acquirer !== null) query = query.where('u.acquirer_id', '=', page.acquirer);
  return query.orderBy('u.id').limit(page.limit).execute();
}

/** Joins a transaction `t` that has spent the money `p`, whichever of its proofs it was credited by. */
export const isSpent = (join: JoinBuilder<{ t: TransactionTable; p: ProofTable }, 't' | 'p'>) =>
  join
    .onRef('t.channel', '=', 'p.channel')
    .onRef('t.reference', '=', 'p.reference')
    .onRef('t.scope', '=', 'p.scope');

/** Money of a merchant's acquirers of that very amount that no session was credited with. */
export const freePushes = prepared<{ merchant: string; paisa: number; since: number }>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .innerJoin('pushes as u', 'u.id', 'p.source_id')
    .leftJoin('transactions as t', isSpent)
    .leftJoin('sessions as s', 's.gateway_reference', 'u.bill')
    .leftJoin('brands as b', (join) =>
      join.onRef('b.id', '=', 's.brand_id').onRef('b.merchant_id', '=', 'p.merchant_id'),
    )
    .where('p.merchant_id', '=', value('merchant'))
    .where('p.kind', '=', 'bank_push')
    .where('p.amount_paisa', '=', value('paisa'))
    .where('p.at', '>=', value('since'))
    .where('t.id', 'is', null)
    .select([
      'p.id',
      'p.reference',
      'p.scope',
      'p.payer',
      'p.recipient',
      'p.at',
      'p.settle',
      'u.paid_at',
      'u.received_at',
      's.id as bill_session',
      // Null where the bill is that of another merchant's session, which is nobody's here.
      'b.id as bill_brand',
    ]),
);

/**
 * Proofs of a merchant with that reference, ignoring case: two acquirers of one merchant may have issued the
 * same one. Scans all pushes, so it is for operators only.
 */
export function pushesOfReference(db: Db, merchant: string, reference: string) {
  return db.query
    .selectFrom('proofs as p')
    .leftJoin('acquirers as a', 'a.id', 'p.scope')
    .leftJoin('transactions as t', isSpent)
    .where('p.merchant_id', '=', merchant)
    .where('p.channel', '=', 'qr_interbank')
    .where(sql`upper(p.reference)`, '=', reference.toUpperCase())
    .orderBy('a.name')
    .select(['p.id', 'p.channel', 'p.reference', 'p.scope', 'p.amount_paisa', 'p.payer', 'p.kind'])
    .select(['a.name as acquirer', 't.session_id as credited_session'])
    .execute();
}

/**
 * Money of the merchant's under that reference which is of another acquirer, or was seen by an operator.
 * @param upper the reference in capitals, as an operator's is kept.
 */
export const sameReferenceElsewhere = prepared<{
  merchant: string;
  reference: string;
  upper: string;
  scope: string;
}>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .leftJoin('transactions as t', isSpent)
    .where('p.merchant_id', '=', value('merchant'))
    .where('p.channel', '=', 'qr_interbank')
    .where('p.reference', 'in', [value('reference'), value('upper')])
    .where('p.scope', '!=', value('scope'))
    .select(['p.amount_paisa', 'p.payer', 't.id as credited']),
);

/** Claims by a payer's number, of that very amount, that wait since then or are under review; in order. */
export const claimsByPayer = prepared<{ merchant: string; paisa: number; since: number }>()((db, value) =>
  claimsWithSessions(db)
    .where('c.merchant_id', '=', value('merchant'))
    .where('c.due_paisa', '=', value('paisa'))
    .where('c.state', 'in', ['WAITING', 'REVIEW'])
    .where('c.created_at', '>=', value('since'))
    .where('c.channel', '=', 'qr_interbank')
    .where('s.status', 'in', ['PENDING', 'FAILED'])
    .orderBy('c.created_at')
    .orderBy('c.id')
    .select(['c.reference as typed', 'c.state', 'c.created_at as claimed_at', ...CLAIMING_SESSION]),
);

/** The session whose QR code has that reference, as crediting needs it. */
export const sessionOfBill = prepared<{ merchant: string; bill: string }>()((db, value) =>
  db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .where('s.gateway_reference', '=', value('bill'))
    .where('b.merchant_id', '=', value('merchant'))
    .select(CLAIMING_SESSION),
);

interface PushFilter extends Page {
  /** True to list only money that no session was credited with. */
  readonly unmatched: boolean;
  /** True to list only messages that could not be parsed. */
  readonly unread: boolean;
  readonly merchantId: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Newest first. */
export function listedPushes(db: Db, filter: PushFilter) {
  let query = db.query
    .selectFrom('pushes as u')
    .innerJoin('acquirers as a', 'a.id', 'u.acquirer_id')
    .leftJoin('proofs as p', 'p.source_id', 'u.id')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .leftJoin('sessions as s', 's.gateway_reference', 'u.bill')
    .leftJoin('brands as b', (join) =>
      join.onRef('b.id', '=', 's.brand_id').onRef('b.merchant_id', '=', 'u.merchant_id'),
    )
    .where('u.received_at', '>=', filter.since)
    .selectAll('u')
    .select(['a.name as acquirer', 't.session_id as payment', 's.status as bill_status', 'p.settle'])
    .select(['b.id as bill_brand'])
    .$call(newestFirst('u.received_at', 'u.id', filter));
  if (filter.unmatched) query = query.where('u.state', '=', 'SETTLED').where('t.id', 'is', null);
  if (filter.unread) query = query.where('u.state', '=', 'UNREAD');
  if (filter.merchantId !== null) query = query.where('u.merchant_id', '=', filter.merchantId);
  return query.execute();
}

// Acquirers as rows: hashes, hints and sealed secrets.

function acquirersWithMerchant(db: Db) {
  return db.query
    .selectFrom('acquirers as a')
    .innerJoin('merchants as m', 'm.id', 'a.merchant_id')
    .selectAll('a')
    .select('m.name as merchant');
}

/** @param named identifier, or name: acquirers of several merchants may have the same. */
export function findAcquirers(db: Db, named: string) {
  return acquirersWithMerchant(db)
    .where((either) => either.or([either('a.id', '=', named), either('a.name', '=', named)]))
    .execute();
}

/** The one of that name, revoked or not. */
export function acquirerOfMerchant(db: Db, merchantId: string, name: string) {
  return db.query
    .selectFrom('acquirers')
    .where('merchant_id', '=', merchantId)
    .where('name', '=', name)
    .selectAll()
    .executeTakeFirst();
}

/** Acquirers of one merchant or of all, the oldest first, revoked ones too. */
export function listedAcquirers(db: Db, merchantId: string | null) {
  let query = acquirersWithMerchant(db);
  if (merchantId !== null) query = query.where('a.merchant_id', '=', merchantId);
  return query.orderBy('a.created_at').orderBy('a.id').execute();
}

export const insertAcquirer = inserter('acquirers');

export const changeAcquirer = changer('acquirers');

/** The acquirer of a key that is not revoked. */
export const acquirerByKey = prepared<{ hash: string }>()((db, value) =>
  db.query
    .selectFrom('acquirers as a')
    .innerJoin('merchants as m', 'm.id', 'a.merchant_id')
    .where('a.key_hash', '=', value('hash'))
    .where('a.revoked_at', 'is', null)
    .select(['a.id', 'a.merchant_id', 'a.name', 'a.auth', 'a.secret', 'a.rules'])
    .select(['m.status as merchant_status']),
);
