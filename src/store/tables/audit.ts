/** The record of every change that an operator or a rule made. */
import type { Clock } from '../../base/values/clock.js';
import { firstRowId, newRowId, type RandomSource } from '../../base/values/ids.js';
import { inserter } from '../compiled-rows.js';
import type { Db } from '../schema/index.js';
import type { Page } from './list-position.js';

interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `cli:<user>` for an operator, `rule` for a decision of the code, `device:<id>` for a phone. */
  readonly who: string;
  /** Verb and noun: `merchant.suspend`, `payment.credit`. */
  readonly action: string;
  /** Identifier of the row that changed. */
  readonly subject: string;
  /** Values before and after the change; never a secret. */
  readonly before?: unknown;
  readonly after?: unknown;
}

const insertAudit = inserter('audit');

/** Writes an audit row in the database transaction of the change. */
export async function writeAudit(db: Db, random: RandomSource, entry: AuditEntry): Promise<void> {
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await insertAudit(db, {
    id: newRowId(random, entry.at, 'audit'),
    at: entry.at,
    who: entry.who,
    action: entry.action,
    subject: entry.subject,
    before: text(entry.before),
    after: text(entry.after),
  });
}

export interface AuditFilter {
  /** Identifier of the row that changed. */
  readonly subject?: string | undefined;
  readonly who?: string | undefined;
  /** Complete action, or its noun: `payment.credit`, `payment`. */
  readonly action?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
}

/** Lists audit entries, newest first: ids begin with the time. */
export function listedAudit(db: Db, filter: AuditFilter, { after, limit }: Page) {
  const { subject, who, action, sinceMs } = filter;
  let query = db.query
    .selectFrom('audit')
    .selectAll()
    .select((row) =>
      row
        .selectFrom('sessions as s')
        .whereRef('s.id', '=', 'audit.subject')
        .select('s.gateway_reference')
        .as('payment'),
    )
    .orderBy('id', 'desc')
    .limit(limit);
  if (subject !== undefined) query = query.where('subject', '=', subject);
  if (who !== undefined) query = query.where('who', '=', who);
  if (action !== undefined) {
    query = query.where((is) => is.or([is('action', '=', action), is('action', 'like', `${action}.%`)]));
  }
  if (sinceMs !== undefined) query = query.where('at', '>=', sinceMs);
  // A list that ends at a time begins behind no row, but behind that time.
  if (after !== null) query = query.where('id', '<', after.id || firstRowId('audit', after.at));
  return query.execute();
}

/** Lists payments' state changes in order. @param after an id, or the lower bound of ids */
export function paymentMoves(db: Db, after: string) {
  return db.query
    .selectFrom('audit')
    .where('id', '>', after)
    .where('action', 'like', 'payment.%')
    .orderBy('id')
    .select(['id', 'at', 'action', 'subject'])
    .execute();
}

/** Records a change at the current time. @param action verb and noun. @param subject id of the row. */
export function audit(
  { clock, random }: { readonly clock: Clock; readonly random: RandomSource },
  db: Db,
  who: string,
  action: string,
  subject: string,
  change: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> {
  return writeAudit(db, random, { at: clock.now(), who, action, subject, ...change });
}
