/** Rows by the beginning of their identifier. All of a kind are equally long, so an index finds them. */
import { sql } from 'kysely';
import type { Db } from '../schema/index.js';
import { isLiveMerchant } from './brands.js';

/** The tables whose rows people name, by the letters before the identifier. */
const TABLE_OF = {
  mer: 'merchants',
  brd: 'brands',
  key: 'brand_keys',
  acc: 'accounts',
  dev: 'devices',
  rev: 'reviews',
  ntf: 'notifications',
  nod: 'nodes',
  acq: 'acquirers',
  dsp: 'dispatches',
  tgt: 'alert_targets',
  gap: 'sms_gaps',
  rfd: 'refunds',
} as const;

/** Range of the texts with a prefix: the lowest and the highest, both included. */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

/** @param kind letters before an id. @returns the lowest ids, or null where nobody names such rows. */
export async function idsBetween(db: Db, kind: string, { from, to }: IdRange, limit: number) {
  const table = Object.hasOwn(TABLE_OF, kind) ? TABLE_OF[kind as keyof typeof TABLE_OF] : null;
  if (table === null) return null;
  const rows = await db.query
    // Which table it is, only the letters know; each has an id.
    .selectFrom(table as 'devices')
    .where('id', '>=', from)
    .where('id', '<=', to)
    // Merchants of test brands are shown to nobody.
    .$if(table === 'merchants', (query) => query.where(isLiveMerchant('id')))
    .select('id')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Payments by the beginning of their number, or of their session's id; two questions, each to an index. */
export async function referencesBetween(db: Db, reference: IdRange, session: IdRange | null, limit: number) {
  const among = (column: 'id' | 'gateway_reference', { from, to }: IdRange) =>
    db.query
      .selectFrom('sessions')
      .where(column, '>=', from)
      .where(column, '<=', to)
      .select('gateway_reference')
      .orderBy(sql.ref(column))
      .limit(limit)
      .execute();
  const found = await among('gateway_reference', reference);
  const more = session === null ? [] : await among('id', session);
  return [...new Set([...found, ...more].map((row) => row.gateway_reference))];
}
