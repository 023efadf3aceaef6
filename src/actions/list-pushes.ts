/** What banks have told, what of it has settled a payment, and of the rest why it has not. */
import { dhakaIso } from '../base/clock.js';
import { formatTaka } from '../base/money.js';
import { readShownPayer } from '../domain/payer.js';
import type { PushTable } from '../store/schema.js';
import { listedPushes } from '../store/tables/pushes.js';
import type { Core } from './core.js';
import { whyNoMoney } from './push-row.js';
import { requireMerchant } from './required.js';

export interface PushRow {
  readonly id: string;
  readonly received_at: string;
  readonly acquirer: string;
  /** `SETTLED`, `UNSETTLED` or `UNREAD`. */
  readonly state: PushTable['state'];
  /** The bank's own; null where it could not be read. */
  readonly reference: string | null;
  /** BDT, two decimals. */
  readonly amount: string | null;
  /** As the bank shows it. */
  readonly payer: string | null;
  readonly merchant_code: string | null;
  readonly bill: string | null;
  readonly paid_at: string | null;
  readonly status: string | null;
  /** The payment that it settled. */
  readonly payment: string | null;
  /** Why it settled none; null where it did. */
  readonly why: string | null;
  readonly body: string;
}

export interface ListPushes {
  /** Identifier or name; absent for all. */
  readonly merchant?: string | undefined;
  /** Only money that no payment was credited with. */
  readonly unmatched?: boolean | undefined;
  /** Only what could not be read. */
  readonly unread?: boolean | undefined;
  readonly sinceMs?: number | undefined;
  readonly limit: number;
}

/** Newest first. @throws KashboxError `not_found` */
export async function listPushes(core: Core, input: ListPushes): Promise<PushRow[]> {
  const rows = await core.store.read(async (db) => {
    const merchant = input.merchant === undefined ? null : await requireMerchant(db, input.merchant);
    return listedPushes(db, {
      unmatched: input.unmatched ?? false,
      unread: input.unread ?? false,
      merchantId: merchant?.id ?? null,
      since: input.sinceMs ?? 0,
      limit: input.limit,
    });
  });
  return rows.map((row) => ({
    id: row.id,
    received_at: dhakaIso(row.received_at),
    acquirer: row.acquirer,
    state: row.state,
    reference: row.reference,
    amount: row.amount_paisa === null ? null : formatTaka(row.amount_paisa),
    payer: row.payer,
    merchant_code: row.merchant_code,
    bill: row.bill,
    paid_at: row.paid_at === null ? null : dhakaIso(row.paid_at),
    status: row.status,
    payment: row.payment,
    why: row.payment === null ? whyNot(row) : null,
    body: row.body,
  }));
}

type ListedPush = Awaited<ReturnType<typeof listedPushes>>[number];

function whyNot(row: ListedPush): string {
  if (row.state !== 'SETTLED') return whyNoMoney(row);
  if (row.settle === 'review') {
    return 'it may have been counted before or taken back: a person decides when it is claimed';
  }
  if (row.bill_brand !== null && row.bill_status === 'COMPLETED') {
    return 'the payment whose code was scanned is completed already';
  }
  if (row.bill_brand !== null) {
    return 'it does not agree with the payment whose code was scanned, or that one is over';
  }
  if (row.payer === null) return 'it names neither a payment of ours nor a payer';
  if (readShownPayer(row.payer) === null) return 'what it shows of the payer is no mobile number';
  return 'no customer has claimed it with this amount and number';
}
