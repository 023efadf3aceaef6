/** Refunds, and transfers that belong to none, as operators and shops see them. */
import { KashboxError } from '../../base/errors/errors.js';
import { formatTaka } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import { formatUsdt } from '../../base/values/usdt.js';
import { REFUND_STATES } from '../../domain/refunds/refund-plan.js';
import type { Db } from '../../store/schema/index.js';
import type { Page } from '../../store/tables/list-position.js';
import { findRefund, listFreeSent, listRefundRows, type RefundRow } from '../../store/tables/refunds.js';
import type { Core } from '../core/core.js';
import { collectAll, cursorBy, type PagedInput, paginate } from '../input/pages.js';
import { idOfBrand } from '../input/require-row.js';
import { defineView, isoOrNull } from '../input/view.js';

export type RefundView = ReturnType<typeof refundView>;

const usdtOf = (units: string | null) => (units === null ? null : formatUsdt(BigInt(units)));

export const refundView = defineView<RefundRow>()(({ same, times, taka }) => ({
  ...same('id'),
  /** Gateway reference of the payment; null, like its id, for money that paid for nothing. */
  payment: (row) => row.gateway_reference,
  ...same('session_id'),
  /** Id of the money that goes back. */
  transaction_id: (row) => row.money_reference,
  amount: (row) => formatTaka(row.amount_paisa),
  /** USDT to send; null for taka. */
  amount_usdt: (row) => usdtOf(row.units),
  payment_method: (row) => row.channel,
  /** Number, account or address that must get it; null until an operator completes it. */
  pay_to: (row) => row.payee,
  /** Payer as the proof shows it. */
  pay_to_shown: (row) => row.shown,
  status: (row) => row.state,
  ...same('note'),
  /** What sending it cost the shop. */
  fee: taka('fee_paisa'),
  /** Id of the transfer that completed it. */
  refund_transaction_id: (row) => row.reference,
  ...times('created_at'),
  completed_at: (row) => (row.state === 'COMPLETED' ? isoOrNull(row.closed_at) : null),
  /** Account of the shop that received the money. */
  pay_from: (row) => row.recipient,
  /** Kind of the text that reported the money. */
  money_kind: (row) => row.money_kind,
  ...same('brand', 'created_by', 'closed_by'),
  /** Id of a transfer of that sum that completes no refund and may be this one, while it is pending. */
  ...same('seen_transfer'),
}));

interface ListRefunds extends PagedInput {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  /** Lists only refunds that still have to be sent. */
  readonly pending?: boolean | undefined;
}

/** Pages of refunds, newest first. @throws KashboxError `not_found` */
export function refundPages(core: Core, input: ListRefunds): AsyncGenerator<RefundView[]> {
  const { brand, pending = false, sinceMs: since = null } = input;
  const states = pending ? (['PENDING'] as const) : REFUND_STATES;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const brandId = await idOfBrand(db, brand);
      return listRefundRows(db, { brandId, states, since, ...page });
    });
  return paginate(input, read, cursorBy('created_at'), (row) => refundView(row));
}

export const listRefunds = collectAll(refundPages);

/** @throws KashboxError `not_found` */
export async function requireRefund(db: Db, id: string): Promise<RefundRow> {
  const row = await findRefund(db, id.trim());
  if (row !== undefined) return row;
  throw new KashboxError('not_found', {
    message: `No refund has the id "${echoed(id)}"`,
    hint: 'List them with `kashbox refunds list`.',
  });
}

/** @throws KashboxError `not_found` */
export async function showRefund(core: Core, id: string): Promise<RefundView> {
  return refundView(await core.store.read((db) => requireRefund(db, id)));
}

export type ListedTransfer = ReturnType<typeof sentView>;

export const sentView = defineView<Awaited<ReturnType<typeof listFreeSent>>[number]>()(
  ({ same, times, taka }) => ({
    ...same('id'),
    ...times('at'),
    payment_method: (row) => row.channel,
    transaction_id: (row) => row.reference,
    amount: taka('amount_paisa'),
    amount_usdt: (row) => usdtOf(row.units),
    /** Account of the shop that it left. */
    from: (row) => row.sender,
    to: (row) => row.payee,
    fee: taka('fee_paisa'),
    /** Reason why it completes no refund automatically, or null. */
    ...same('reason'),
  }),
);

/** Pages of transfers that completed no refund and that nobody has closed, newest first. */
export function sentPages(core: Core, input: PagedInput): AsyncGenerator<ListedTransfer[]> {
  const read = (page: Page) => core.store.read((db) => listFreeSent(db, page));
  return paginate(input, read, cursorBy('at'), (row) => sentView(row));
}
