/** What phones brought and sent in a span of time, counted by phone. Knows no rule of the business. */

import { sql } from 'kysely';
import { firstRowId } from '../../base/values/ids.js';
import { isCredit, KNOWN_WITHOUT_FORMAT, SMS_KINDS } from '../../domain/wallets/format.js';
import type { Db } from '../schema/index.js';
import { phones } from './devices.js';
import type { Count, Span } from './span.js';

const MONEY_KINDS = SMS_KINDS.filter(isCredit);

/** SMS by when they were stored: of wallets those that money came in with, and those that no format reads. */
export function smsByDevice(db: Db, { from, to }: Span) {
  const money = sql<boolean>`format IS NOT NULL AND kind IN (${sql.join(MONEY_KINDS)})`;
  const known = sql.join(KNOWN_WITHOUT_FORMAT);
  const unread = sql<boolean>`format IS NULL AND channel IS NOT NULL AND kind NOT IN (${known})`;
  return db.query
    .selectFrom('sms')
    .where('stored_at', '>=', from)
    .where('stored_at', '<', to)
    .where('device_id', 'is not', null)
    .groupBy('device_id')
    .select(({ fn }) => ['device_id', fn.countAll<Count>().as('count')])
    .select(sql<Count>`sum(CASE WHEN ${money} THEN 1 ELSE 0 END)`.as('money'))
    .select(sql<Count>`sum(CASE WHEN ${unread} THEN 1 ELSE 0 END)`.as('unread'))
    .execute();
}

/** Payments by when they were credited, each by the phone that brought its SMS. */
export function creditedByDevice(db: Db, { from, to }: Span) {
  return (
    db.query
      .selectFrom('transactions as t')
      .innerJoin('proofs as p', 'p.id', 't.proof_id')
      .innerJoin('sms as s', 's.id', 'p.source_id')
      // Ids begin with the time at which money was credited.
      .where('t.id', '>=', firstRowId('transaction', from))
      .where('t.id', '<', firstRowId('transaction', to))
      .where('s.device_id', 'is not', null)
      .groupBy('s.device_id')
      .select(({ fn }) => ['s.device_id', fn.countAll<Count>().as('count')])
      .select(({ fn }) => fn.sum<Count>('t.amount_paisa').as('paid'))
      .execute()
  );
}

/** Outbound SMS by when they were queued. */
export function dispatchesByDevice(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('dispatches')
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .groupBy(['device_id', 'state'])
    .select(({ fn }) => ['device_id', 'state', fn.countAll<Count>().as('count')])
    .execute();
}

/** Gaps by when they were found. */
export function gapsByDevice(db: Db, { from, to }: Span) {
  return db.query
    .selectFrom('sms_gaps')
    .where('found_at', '>=', from)
    .where('found_at', '<', to)
    .where('device_id', 'is not', null)
    .groupBy('device_id')
    .select(({ fn }) => ['device_id', fn.countAll<Count>().as('count')])
    .select(sql<Count>`sum(CASE WHEN closed_at IS NULL THEN 1 ELSE 0 END)`.as('open'))
    .execute();
}

/** When a phone was silent in the span, as alerts have noted it. */
export function silencesOf(db: Db, device: string, { from, to }: Span) {
  return db.query
    .selectFrom('alerts')
    .where('device_id', '=', device)
    .where('kind', '=', 'device.offline')
    .where('at', '<', to)
    .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>', from)]))
    .select(['detail', 'at', 'ended_at'])
    .execute();
}

/** Phones with their merchants, revoked ones too. @param merchantId null for all. */
export function reportedDevices(db: Db, merchantId: string | null) {
  const query = phones(db)
    .orderBy('d.name')
    .orderBy('d.id')
    .select(['d.id', 'd.name', 'd.revoked_at', 'd.last_seen_at', 'm.name as merchant']);
  return merchantId === null ? query.execute() : query.where('d.merchant_id', '=', merchantId).execute();
}
