/** Of which payment and time credits, audit entries and payments are, for whoever reports them. */
import type { Db } from '../schema/index.js';

interface NamedRow {
  /** The gateway reference; null where the row is of none. */
  readonly payment: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly action?: string;
}

type Names = ReadonlyMap<string, NamedRow>;

const byId = (rows: readonly (NamedRow & { readonly id: string })[]): Names =>
  new Map(rows.map(({ id, ...row }) => [id, row]));

/** @param ids may be none; what is not there is not in the answer. */
export async function namedCredits(db: Db, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return byId([]);
  const rows = await db.query
    .selectFrom('transactions as t')
    .leftJoin('sessions as s', 's.id', 't.session_id')
    .where('t.id', 'in', ids)
    .select(['t.id', 't.credited_at as at', 's.gateway_reference as payment'])
    .execute();
  return byId(rows);
}

/** The same of audit entries, which are of a payment where that is what changed. */
export async function namedAudit(db: Db, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return byId([]);
  const rows = await db.query
    .selectFrom('audit as a')
    .leftJoin('sessions as s', 's.id', 'a.subject')
    .where('a.id', 'in', ids)
    .select(['a.id', 'a.at', 'a.action', 's.gateway_reference as payment'])
    .execute();
  return byId(rows);
}

/** The same of payments: when they were closed. */
export async function namedPayments(db: Db, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return byId([]);
  const rows = await db.query
    .selectFrom('sessions')
    .where('id', 'in', ids)
    .select(['id', 'created_at', 'closed_at', 'gateway_reference as payment'])
    .execute();
  return byId(
    rows.map(({ id, created_at, closed_at, payment }) => ({ id, payment, at: closed_at ?? created_at })),
  );
}
