/** SMS as they came, and the proofs that they are. */
import { insertMany } from '../compiled-rows.js';
import type { Db, PlainProof, SmsTable } from '../schema/index.js';

/**
 * Inserts SMS, and the proofs of those that are new.
 * @returns identifiers of the SMS and the proofs that were not there before.
 */
export async function insertSms(
  db: Db,
  rows: readonly SmsTable[],
  proofs: readonly PlainProof[],
): Promise<{ readonly fresh: ReadonlySet<string>; readonly known: ReadonlySet<string> }> {
  const fresh = new Set(await insertMany(db, 'sms', rows, 'id'));
  const own = proofs.filter(({ source_id }) => fresh.has(source_id));
  return { fresh, known: new Set(await insertMany(db, 'proofs', own, 'id')) };
}

/** What a phone has brought of one sender since then, in milliseconds; the newest first, at most ten. */
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

/** The text of one SMS, from whom it came, and what was read into it. */
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
    .select(['id', 'dedupe_key'])
    .execute();
  for (const { id, dedupe_key } of lacking) {
    const recipient = recipients.get(dedupe_key) ?? null;
    await db.query.updateTable('sms').set({ recipient }).where('id', '=', id).execute();
    await db.query.updateTable('proofs').set({ recipient }).where('source_id', '=', id).execute();
  }
  return lacking;
}

/** Money in doubt that nobody has credited, disputed or decided about, with its SMS. */
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

/** What another SMS says of money takes the place of what was read first; what it leaves open stays. */
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

/** Of each phone how many SMS that count came without their receiving number since then, in milliseconds. */
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
