/** Lists bank pushes with the payment that each settled, or the reason why not. */
import { listMerchantIds } from '../../channels/qr-interbank/emv.js';
import { parseAccountDetails } from '../../domain/accounts/account-details.js';
import { parseShownPayer } from '../../domain/matching/payer.js';
import type { Db } from '../../store/schema/index.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import type { Page } from '../../store/tables/list-position.js';
import { listedPushes } from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import { collectAll, cursorBy, type PagedInput, paginate } from '../input/pages.js';
import { idOfMerchant } from '../input/require-row.js';
import { defineView } from '../input/view.js';
import { whyNoMoney } from './push-row.js';

export type PushRow = ReturnType<typeof pushView>;

type ListedPush = Awaited<ReturnType<typeof listedPushes>>[number];

/** Takes the QR codes that brands currently accept payments on. */
export const pushView = defineView<ListedPush, readonly PaidCode[]>()(({ same, times, taka }) => ({
  ...same('id'),
  ...times('received_at'),
  // The reference is the bank's own; null where it could not be read.
  ...same('acquirer', 'state', 'reference'),
  amount: taka('amount_paisa'),
  // The payer as the bank shows it.
  ...same('payer', 'merchant_code', 'bill'),
  ...times('paid_at'),
  // The payment is the one that it settled.
  ...same('status', 'payment'),
  /** Reason why it settled no payment; null if it did. */
  why: (row, codes) => (row.payment === null ? whyNot(row, codes) : null),
  ...same('body'),
}));

interface ListPushes extends PagedInput {
  /** Identifier or name; absent for all. */
  readonly merchant?: string | undefined;
  /** Lists only money that was not credited to a payment. */
  readonly unmatched?: boolean | undefined;
  /** Lists only pushes that could not be parsed. */
  readonly unread?: boolean | undefined;
}

/** Newest first, in pages. @throws KashboxError `not_found` */
export async function* pushPages(core: Core, input: ListPushes): AsyncGenerator<PushRow[]> {
  const { unmatched = false, unread = false, sinceMs: since = 0 } = input;
  const codes = await core.store.read(paidCodes);
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const merchantId = await idOfMerchant(db, input.merchant);
      return listedPushes(db, { unmatched, unread, merchantId, since, ...page });
    });
  yield* paginate(input, read, cursorBy('received_at'), (row) => pushView(row, codes));
}

export const listPushes = collectAll(pushPages);

/** QR code that a brand currently accepts payments on. */
interface PaidCode {
  readonly brand: string;
  readonly merchantId: string;
  /** Ids that a bank may use for the merchant. */
  readonly ids: readonly string[];
}

async function paidCodes(db: Db): Promise<PaidCode[]> {
  const accounts = await listedAccounts(db, null, false);
  return accounts.map(({ brand, merchant_id: merchantId, details, ...account }) => ({
    brand,
    merchantId,
    ids: listMerchantIds({ ...account, details: parseAccountDetails(details) }),
  }));
}

function whyNot(row: ListedPush, codes: readonly PaidCode[]): string {
  if (row.state !== 'SETTLED') return whyNoMoney(row);
  if (row.settle === 'review') {
    return 'it may be a duplicate or reversed: it needs manual review when it is claimed';
  }
  if (row.bill_brand !== null && row.bill_status === 'COMPLETED') {
    return 'the payment whose code was scanned is already completed';
  }
  if (row.bill_brand !== null) {
    return 'it does not match the payment whose code was scanned, or that payment is over';
  }
  const code = row.merchant_code;
  const mine = codes.filter(({ merchantId }) => merchantId === row.merchant_id);
  const brands = code === null ? [] : mine.filter(({ ids }) => ids.includes(code)).map(({ brand }) => brand);
  if (code !== null && brands.length === 0) return isNobody(code);
  if (row.payer === null) return 'it names neither a known payment nor a payer';
  if (parseShownPayer(row.payer) === null) return 'its payer is not a mobile number';
  const whose = brands.length === 0 ? '' : ` of ${brands.join(' or ')}`;
  return `no customer${whose} has claimed it with this amount and number`;
}

/** A push that was read stays as it was read: another map helps only those that are still to come. */
const isNobody = (code: string) =>
  `the merchant id ${code} is in no QR code of a brand: set the code that has it with \`kashbox accounts ` +
  'set`, or correct `merchant` in the map for future pushes';
