/** What banks have told, what of it has settled a payment, and of the rest why it has not. */
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { merchantIdsOf } from '../../channels/qr-interbank/merchant-ids.js';
import { readDetails } from '../../domain/accounts/account-details.js';
import { readShownPayer } from '../../domain/matching/payer.js';
import type { Db, PushTable } from '../../store/schema/index.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import type { Page } from '../../store/tables/place.js';
import { listedPushes } from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import { pagesOf, wholeList } from '../input/pages.js';
import { requireMerchant } from '../input/require-row.js';
import { whyNoMoney } from './push-row.js';

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
  /** May be infinite. */
  readonly limit: number;
}

/** Newest first, in pages. @throws KashboxError `not_found` */
export async function* pushPages(core: Core, input: ListPushes): AsyncGenerator<PushRow[]> {
  const { unmatched = false, unread = false, sinceMs: since = 0 } = input;
  const codes = await core.store.read(paidCodes);
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const merchant = input.merchant === undefined ? null : await requireMerchant(db, input.merchant);
      return listedPushes(db, { unmatched, unread, merchantId: merchant?.id ?? null, since, ...page });
    });
  for await (const rows of pagesOf(input.limit, read, ({ received_at: at, id }) => ({ at, id }))) {
    yield rows.map((row) => pushRow(row, codes));
  }
}

/** The same as one list. */
export function listPushes(core: Core, input: ListPushes): Promise<PushRow[]> {
  return wholeList(pushPages(core, input));
}

function pushRow(row: ListedPush, codes: readonly PaidCode[]): PushRow {
  return {
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
    why: row.payment === null ? whyNot(row, codes) : null,
    body: row.body,
  };
}

type ListedPush = Awaited<ReturnType<typeof listedPushes>>[number];

/** A QR code by which a brand is paid today. */
interface PaidCode {
  readonly brand: string;
  readonly merchantId: string;
  /** By which a bank may name the merchant. */
  readonly ids: readonly string[];
}

async function paidCodes(db: Db): Promise<PaidCode[]> {
  const accounts = await listedAccounts(db, null, false);
  return accounts.map(({ brand, merchant_id: merchantId, details, ...account }) => ({
    brand,
    merchantId,
    ids: merchantIdsOf({ ...account, details: readDetails(details) }),
  }));
}

function whyNot(row: ListedPush, codes: readonly PaidCode[]): string {
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
  const code = row.merchant_code;
  const mine = codes.filter(({ merchantId }) => merchantId === row.merchant_id);
  const brands = code === null ? [] : mine.filter(({ ids }) => ids.includes(code)).map(({ brand }) => brand);
  if (code !== null && brands.length === 0) return isNobody(code);
  if (row.payer === null) return 'it names neither a payment of ours nor a payer';
  if (readShownPayer(row.payer) === null) return 'what it shows of the payer is no mobile number';
  const whose = brands.length === 0 ? '' : ` of ${brands.join(' or ')}`;
  return `no customer${whose} has claimed it with this amount and number`;
}

/** A push that was read stays as it was read: another map helps only those that are still to come. */
const isNobody = (code: string) =>
  `the merchant id ${code} is in no QR code of a brand: set the code that has it with ` +
  '`kashbox accounts set`, or mend `merchant` in the map for pushes to come';
