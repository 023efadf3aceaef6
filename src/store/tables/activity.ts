/** How many rows a span of time has brought: payments, changes, SMS. Each query reads that span alone. */
import { firstRowId } from '../../base/values/ids.js';
import type { AuditTable, Db } from '../schema/index.js';
import type { Count, Span } from './span.js';
import { isLiveBrand, isLiveSession } from './test-brands.js';

/** Payments that were opened in it, by flow. */
export function openedIn(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('sessions')
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where(isLiveBrand('brand_id'))
    .groupBy('flow')
    .select(({ fn }) => ['flow', fn.countAll<Count>().as('count')])
    .execute();
}

/** Changes of these kinds that were made in it, by kind. */
export function changesIn(db: Db, { from, to }: Span, actions: readonly AuditTable['action'][]) {
  return (
    db.query
      .selectFrom('audit')
      .where('id', '>=', firstRowId('audit', from))
      .where('id', '<', firstRowId('audit', to))
      .where('action', 'in', actions)
      // All of these are about a payment.
      .where(isLiveSession('subject'))
      .groupBy('action')
      .select(({ fn }) => ['action', fn.countAll<Count>().as('count')])
      .execute()
  );
}

/** SMS that were stored in it, by what they were read as. */
export function smsStoredIn(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('sms')
    .where('stored_at', '>=', from)
    .where('stored_at', '<', to)
    .where('source', '!=', 'played')
    .groupBy('kind')
    .select(({ fn }) => ['kind', fn.countAll<Count>().as('count')])
    .execute();
}
