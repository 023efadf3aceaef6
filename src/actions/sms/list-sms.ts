/** SMS as an operator reads them, and above all those that no payment has used yet. */
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import type { Db } from '../../store/schema/index.js';
import { olderThan, type Page } from '../../store/tables/place.js';
import type { Core } from '../core/core.js';
import { pagesOf, wholeList } from '../input/pages.js';

export interface SmsRow {
  readonly id: string;
  readonly received_at: string;
  readonly device: string | null;
  readonly sender: string;
  readonly recipient: string | null;
  readonly channel: string | null;
  readonly kind: string;
  readonly settle: string;
  /** BDT, two decimals. */
  readonly amount: string | null;
  readonly from: string | null;
  readonly trx_id: string | null;
  readonly reasons: readonly string[];
  /** The payment that this SMS settled. */
  readonly payment: string | null;
  readonly body: string;
}

export interface ListSms {
  /** Only money that no payment has used. */
  readonly unmatched?: boolean | undefined;
  /** Only texts of a wallet that no format consumed: they may be money in words not described yet. */
  readonly unparsed?: boolean | undefined;
  readonly sinceMs?: number | undefined;
  /** May be infinite. */
  readonly limit: number;
}

/** What needs no format to be known for what it is. */
const NEVER_MONEY = ['otp', 'spoofed'];

/** Newest first, in pages. */
export async function* smsPages(core: Core, input: ListSms): AsyncGenerator<SmsRow[]> {
  const read = (page: Page) => core.store.read((db) => listedSms(db, input, page));
  for await (const rows of pagesOf(input.limit, read, ({ stored_at: at, id }) => ({ at, id }))) {
    yield rows.map(smsRow);
  }
}

/** The same as one list. */
export function listSms(core: Core, input: ListSms): Promise<SmsRow[]> {
  return wholeList(smsPages(core, input));
}

function listedSms(db: Db, { unmatched, unparsed, sinceMs }: ListSms, { after, limit }: Page) {
  let query = db.query
    .selectFrom('sms as s')
    .leftJoin('devices as d', 'd.id', 's.device_id')
    .selectAll('s')
    .select('d.name as device')
    // A text in which two messages were joined has two proofs; it is one line all the same.
    .select((select) =>
      select
        .selectFrom('proofs as p')
        .innerJoin('transactions as t', 't.proof_id', 'p.id')
        .whereRef('p.source_id', '=', 's.id')
        .select((one) => one.fn.min('t.session_id').as('session'))
        .as('payment'),
    )
    .orderBy('s.stored_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit);
  if (unmatched) {
    query = query.where((either) =>
      either.exists(
        either
          .selectFrom('proofs as p')
          .leftJoin('transactions as t', 't.proof_id', 'p.id')
          .whereRef('p.source_id', '=', 's.id')
          .where('t.id', 'is', null)
          .select('p.id'),
      ),
    );
  }
  if (unparsed) {
    query = query
      .where('s.format', 'is', null)
      .where('s.channel', 'is not', null)
      .where('s.kind', 'not in', NEVER_MONEY);
  }
  if (sinceMs !== undefined) query = query.where('s.stored_at', '>=', sinceMs);
  if (after !== null) query = query.where(olderThan('s.stored_at', 's.id', after));
  return query.execute();
}

type StoredSms = Awaited<ReturnType<typeof listedSms>>[number];

function smsRow(row: StoredSms): SmsRow {
  return {
    id: row.id,
    received_at: dhakaIso(row.received_at),
    device: row.device,
    sender: row.sender,
    recipient: row.recipient,
    channel: row.channel,
    kind: row.kind,
    settle: row.settle,
    amount: row.amount_paisa === null ? null : formatTaka(row.amount_paisa),
    from: row.payer,
    trx_id: row.trx_id,
    reasons: JSON.parse(row.reasons) as string[],
    payment: row.payment,
    body: row.body,
  };
}
