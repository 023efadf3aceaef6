/** Payments with all that books want of them, a page at a time by index; those of tests are in no books. */
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { SessionStatus } from '../../domain/sessions/session.js';
import type { Db } from '../schema/index.js';
import { oldestFirst, type Page } from './list-position.js';
import { inStatus } from './sessions.js';

export interface ExportFilter {
  /** Null for all. */
  readonly brandId: string | null;
  readonly status: SessionStatus | null;
  /** That on which they were paid. */
  readonly channel: PayChannel | null;
  /** The payment link that has opened them. */
  readonly link: string | null;
  /** When they were opened, milliseconds since the epoch; the end is not part of it. */
  readonly from: number;
  readonly to: number;
}

export type ExportedPayment = Awaited<ReturnType<typeof exportedPayments>>[number];

/**
 * @param now milliseconds since the epoch, by which what has run out has failed.
 * @returns the oldest first.
 */
export function exportedPayments(db: Db, filter: ExportFilter, { after, limit }: Page, now: number) {
  const { brandId, status, channel, link, from, to } = filter;
  let query = db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .leftJoin('transactions as t', 't.session_id', 's.id')
    .leftJoin('proofs as p', 'p.id', 't.proof_id')
    .leftJoin('link_payments as l', 'l.session_id', 's.id')
    .where('s.created_at', '<', to)
    .where('b.test_of', 'is', null)
    .select(['s.id', 's.gateway_reference', 's.status', 's.reason', 's.amount_paisa', 's.cus_name'])
    .select(['s.cus_email', 's.created_at', 's.expires_at', 's.meta_data', 'b.name as brand'])
    .select(['t.channel', 't.reference', 't.amount_paisa as paid_paisa', 't.fee_paisa', 't.credited_at'])
    .select(['t.credited_by', 'p.recipient', 'p.payer', 'p.units', 'l.link_id as link']);
  if (brandId !== null) query = query.where('s.brand_id', '=', brandId);
  if (status !== null) query = query.where(inStatus(status, now));
  if (channel !== null) query = query.where('t.channel', '=', channel);
  if (link !== null) query = query.where('l.link_id', '=', link);
  // No identifier comes before the empty one. A second lower bound could be what the engine begins at.
  const page = { after: after ?? { at: from, id: '' }, limit };
  return query.$call(oldestFirst('s.created_at', 's.id', page)).execute();
}
