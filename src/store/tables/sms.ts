/** SMS as they came, and the proofs that they are. */
import { prepared } from '../compiled-query.js';
import { insertMany, runSql } from '../compiled-rows.js';
import type { Db, PlainProof, SmsCentreTable, SmsTable } from '../schema/index.js';
import { holds } from './list-position.js';
import { NEWEST } from './why.js';

/**
 * Inserts SMS, and the proofs of those that are new.
 * @returns identifiers of the SMS and the proofs that were not there before.
 */
export async function insertSms(
  db: Db,
  sms: readonly { readonly row: SmsTable; readonly proofs: readonly PlainProof[] }[],
): Promise<{ readonly newSms: ReadonlySet<string>; readonly newProofs: ReadonlySet<string> }> {
  const rows = sms.map(({ row }) => row);
  const newSms = new Set(await insertMany(db, 'sms', rows, 'id'));
  const own = sms.flatMap(({ row, proofs }) => (newSms.has(row.id) ? proofs : []));
  return { newSms, newProofs: new Set(await insertMany(db, 'proofs', own, 'id')) };
}

/**
 * Stores new readings of SMS that are stored already, and their proofs.
 * @returns identifiers of the proofs that were not there before.
 */
export async function storeReadings(
  db: Db,
  sms: readonly { readonly row: SmsTable; readonly proofs: readonly PlainProof[] }[],
): Promise<ReadonlySet<string>> {
  for (const { row } of sms) {
    const { channel, kind, settle, amount_paisa, fee_paisa, balance_paisa, payer, payee, trx_id, at } = row;
    const { id, source_name, format, reasons } = row;
    await db.query
      .updateTable('sms')
      .set({
        channel,
        source_name,
        kind,
        settle,
        amount_paisa,
        fee_paisa,
        balance_paisa,
        payer,
        payee,
        trx_id,
        at,
        format,
        reasons,
      })
      .where('id', '=', id)
      .execute();
  }
  const proofs = sms.flatMap((one) => one.proofs);
  return new Set(await insertMany(db, 'proofs', proofs, 'id'));
}

/** Newest SMS of a sender that a phone delivered since then (ms since the epoch), at most ten. */
export function latestOfSender(
  db: Db,
  of: Pick<SmsTable, 'merchant_id' | 'device_id' | 'sender'> & { readonly since: number },
): Promise<SmsTable[]> {
  return db.query
    .selectFrom('sms')
    .where('stored_at', '>=', of.since)
    .where('merchant_id', '=', of.merchant_id)
    .where('device_id', '=', of.device_id)
    .where('sender', '=', of.sender)
    .orderBy('stored_at', 'desc')
    .orderBy('id', 'desc')
    .limit(10)
    .selectAll()
    .execute();
}

/** Finds the sender, text and reasons of an SMS. */
export function findSms(db: Db, id: string) {
  return db.query
    .selectFrom('sms')
    .where('id', '=', id)
    .select(['sender', 'body', 'reasons'])
    .executeTakeFirst();
}

/**
 * Fills in the receiving number of SMS, and of their proofs, that were stored without it.
 * @param recipients receiving number by dedupe key. @returns the SMS that were completed.
 */
export async function completeRecipients(
  db: Db,
  recipients: ReadonlyMap<string, string>,
): Promise<{ readonly id: string; readonly dedupe_key: string }[]> {
  if (recipients.size === 0) return [];
  const lacking = await db.query
    .selectFrom('sms')
    .where('dedupe_key', 'in', [...recipients.keys()])
    .where('recipient', 'is', null)
    .select(['id', 'dedupe_key', 'source_name'])
    .execute();
  for (const { id, dedupe_key, source_name } of lacking) {
    const recipient = recipients.get(dedupe_key) ?? null;
    await db.query.updateTable('sms').set({ recipient }).where('id', '=', id).execute();
    // The money of a source is in the account that its file names, whichever SIM received the text.
    if (source_name !== null) continue;
    await db.query.updateTable('proofs').set({ recipient }).where('source_id', '=', id).execute();
  }
  return lacking;
}

/** Finds a proof under review that nobody has credited, disputed, closed or decided on, with its SMS. */
export function doubtedProof(db: Db, { merchant_id: merchant, channel, reference }: PlainProof) {
  return db.query
    .selectFrom('proofs as p')
    .innerJoin('sms as m', 'm.id', 'p.source_id')
    .leftJoin('transactions as t', 't.proof_id', 'p.id')
    .where('p.merchant_id', '=', merchant)
    .where('p.channel', '=', channel)
    .where('p.reference', '=', reference)
    .where('p.settle', '=', 'review')
    .where('p.disputed_by', 'is', null)
    .where('p.closed_note', 'is', null)
    .where('t.id', 'is', null)
    .where(({ not, exists, selectFrom }) => {
      const reviews = selectFrom('reviews as r').whereRef('r.proof_id', '=', 'p.id');
      return not(exists(reviews.where('r.state', '!=', 'OPEN').select('r.id')));
    })
    .select(['p.id', 'p.amount_paisa', 'p.recipient', 'm.body', 'm.reasons'])
    .executeTakeFirst();
}

/** Replaces the values with another SMS's, the number only if it has one. Closed proofs stay. */
export async function replaceProof(db: Db, known: string, proof: PlainProof): Promise<void> {
  const { amount_paisa, recipient, payer, kind, settle, at, source_id, created_at, named } = proof;
  const number = recipient === null ? {} : { recipient };
  await db.query
    .updateTable('proofs')
    .set({ amount_paisa, payer, kind, settle, at, source_id, created_at, named, ...number })
    .where('id', '=', known)
    .where('closed_note', 'is', null)
    .execute();
}

/** SMS per phone that settle automatically without a receiving number, since then (ms since epoch). */
export async function simlessSms(
  db: Db,
  since: number,
): Promise<{ readonly device: string; readonly count: number }[]> {
  const rows = await db.query
    .selectFrom('sms as s')
    .innerJoin('devices as d', 'd.id', 's.device_id')
    .where('s.stored_at', '>', since)
    .where('s.recipient', 'is', null)
    .where('s.settle', '=', 'auto')
    .where('d.revoked_at', 'is', null)
    .groupBy(['d.id', 'd.name'])
    .orderBy('d.name')
    .select(({ fn }) => ['d.name as device', fn.countAll<number | string>().as('count')])
    .execute();
  return rows.map(({ device, count }) => ({ device, count: Number(count) }));
}

// Over which routes (SMS centre, and type of sender) the SMS of a wallet have come to a SIM before.

export const knownRoutes = prepared<{ merchant: string; sim: string; channel: string }>()((db, value) =>
  db.query
    .selectFrom('sms_centres')
    .where('merchant_id', '=', value('merchant'))
    .where('sim', '=', value('sim'))
    .where('channel', '=', value('channel'))
    .select(['route', 'seen']),
);

/** Counts one SMS more of a route, which is known from then on. */
export async function countRoute(db: Db, row: Omit<SmsCentreTable, 'seen'>): Promise<void> {
  await runSql(
    db,
    (bind) => `INSERT INTO sms_centres (${Object.keys(row)}, seen) VALUES (${Object.values(row).map(bind)}, 1)
      ON CONFLICT (merchant_id, sim, channel, route) DO UPDATE SET seen = sms_centres.seen + 1`,
  );
}

/** SMS of a proof, with the columns of its route. */
export const smsOfProof = prepared<{ proof: string }>()((db, value) =>
  db.query
    .selectFrom('proofs as p')
    .innerJoin('sms as s', 's.id', 'p.source_id')
    .where('p.id', '=', value('proof'))
    .select([
      's.merchant_id',
      's.device_id',
      's.sim_slot',
      's.recipient',
      's.channel',
      's.source_name',
      's.smsc',
      's.sender_type',
    ]),
);

// SMS that name an id in their text alone, such as forgeries. No index says which, so they are looked for
// among the newest: a store of a million SMS answers as fast as a small one.

/** Maximum number of words, as many as one payment may have claims. */
const WORDS = 30;
/** Number of the newest SMS to search, for queries that are repeated every few seconds. */
const NEWEST_ON_BOARD = 5_000;

const COLUMNS = [
  ...(['id', 'merchant_id', 'channel', 'kind', 'settle'] as const),
  ...(['sender', 'body', 'received_at', 'stored_at'] as const),
] as const;

/**
 * SMS among the newest that prove no money (`settle` is `never`) and contain one of these words, newest
 * first: the id in a forged SMS is found in its text only.
 */
export async function textsHolding(
  db: Db,
  given: { readonly merchants: readonly string[]; readonly words: readonly string[]; readonly since: number },
) {
  const { merchants, words, since } = given;
  if (words.length === 0) return [];
  const newest = db.query
    .selectFrom('sms')
    .where('stored_at', '>=', since)
    .orderBy('stored_at', 'desc')
    .limit(NEWEST)
    .select(COLUMNS);
  const found = await db.query
    .selectFrom(newest.as('s'))
    .where('s.settle', '=', 'never')
    .where((is) => is.or(words.slice(0, WORDS).map((word) => holds('s.body', word))))
    .orderBy('s.stored_at', 'desc')
    .selectAll('s')
    .execute();
  return found.filter(({ merchant_id }) => merchants.includes(merchant_id));
}

/**
 * SMS among the newest that have no parsed amount and contain one of these words, regardless of kind and
 * sender, newest first.
 */
export async function textsWithoutAmount(
  db: Db,
  given: { readonly merchants: readonly string[]; readonly words: readonly string[]; readonly since: number },
) {
  const { merchants, words, since } = given;
  const newest = db.query
    .selectFrom('sms')
    .where('stored_at', '>=', since)
    .orderBy('stored_at', 'desc')
    .limit(NEWEST)
    .select([...COLUMNS, 'amount_paisa']);
  const found = await db.query
    .selectFrom(newest.as('s'))
    .where('s.amount_paisa', 'is', null)
    .where((is) => is.or(words.map((word) => holds('s.body', word))))
    .orderBy('s.stored_at', 'desc')
    .selectAll('s')
    .execute();
  return found.filter(({ merchant_id }) => merchants.includes(merchant_id));
}

/** Forged SMS among the newest, newest first: few rows, because it is queried every few seconds. */
export function newestForgeries(db: Db) {
  const newest = db.query
    .selectFrom('sms')
    .orderBy('stored_at', 'desc')
    .limit(NEWEST_ON_BOARD)
    .select(COLUMNS);
  return db.query
    .selectFrom(newest.as('s'))
    .where('s.kind', '=', 'spoofed')
    .orderBy('s.stored_at', 'desc')
    .selectAll('s')
    .execute();
}
