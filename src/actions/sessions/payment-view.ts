/**
 * Views of a payment in lists, in full, on its sheet and for accounting, all from one row. A new column of
 * `sessions` is in that row automatically; this file names it for the list and for accounting.
 */

import { dhakaIso, minute } from '../../base/values/clock.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { counted, orDash } from '../../base/values/text.js';
import { formatSteps, formatUsdt } from '../../base/values/usdt.js';
import { channelText } from '../../domain/accounts/channels.js';
import { redactAddress } from '../../domain/notifications/address.js';
import { restOf } from '../../domain/sessions/fees.js';
import { itemTotal, storedItems } from '../../domain/sessions/order-items.js';
import { partFields } from '../../domain/sessions/payment-record.js';
import { statusAt } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { notificationsInBrief } from '../../store/tables/notifications.js';
import { chosenAccounts } from '../../store/tables/number-use.js';
import { completes } from '../../store/tables/proofs.js';
import { quotesOfSession } from '../../store/tables/quotes.js';
import { reviewsOfSession } from '../../store/tables/reviews.js';
import { partsOf } from '../../store/tables/sessions.js';
import { feesText, feesView } from '../brands/brand-view.js';
import type { Core } from '../core/core.js';
import { defineView, type Makers, type SheetEntry } from '../input/view.js';
import { findPaymentLink } from './payment-link.js';

/** Sessions `s` with brands `b`, transactions `t`, their proofs `p`, and what links have opened, `l`. */
export function payments(db: Db) {
  return db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .leftJoin('transactions as t', completes)
    .leftJoin('proofs as p', 'p.id', 't.proof_id')
    .leftJoin('link_payments as l', 'l.session_id', 's.id')
    .selectAll('s')
    .select(['b.name as brand', 'b.test_of', 'l.link_id'])
    .select(['t.channel', 't.reference'])
    .select(['t.credited_at', 't.credited_by', 'p.recipient', 'p.payer', 'p.units']);
}

export type PaymentRow = Awaited<ReturnType<ReturnType<typeof payments>['execute']>>[number];

interface ViewContext {
  readonly core: Core;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Status and reason; an expired payment counts as failed even before the job has updated its row. */
const STATUS = {
  status: (row: PaymentRow, { now }: ViewContext) => statusAt(row, now).status,
  reason: (row: PaymentRow, { now }: ViewContext): string => statusAt(row, now).reason,
};

/** @returns null for zero. */
const takaIfAny = (paisa: Paisa) => (paisa === 0 ? null : formatTaka(paisa));

/** All that was paid and the fee in it; null while nothing is credited. */
const PAID = {
  paid: (row: PaymentRow) => takaIfAny(row.paid_paisa),
  fee: (row: PaymentRow) => (row.paid_paisa === 0 ? null : formatTaka(row.paid_fee_paisa)),
};

const PARTS = {
  /** Rest of a payment of which a part has come, without a fee; null if none is due any longer. */
  due: (row: PaymentRow, { now }: ViewContext) =>
    row.paid_paisa > 0 && statusAt(row, now).status === 'PENDING' ? takaIfAny(restOf(row)) : null,
  /** What is due on delivery, in addition to `amount`; null if nothing is. */
  due_on_delivery: (row: PaymentRow) => takaIfAny(row.delivery_paisa),
};

/** What was sent back to the customer; null if nothing was. */
const refunded = (row: PaymentRow) => takaIfAny(row.refunded_paisa);

const listed = ({ same, times, taka }: Makers<PaymentRow>) => ({
  ...same('id', 'gateway_reference', 'payment_reference', 'brand'),
  ...STATUS,
  amount: taka('amount_paisa'),
  ...same('channel'),
  transaction_id: (row: PaymentRow) => row.reference,
  ...same('cus_name'),
  ...times('created_at', 'expires_at', 'closed_at'),
  ...same('flow'),
  ...PAID,
  /** The payment link that has opened it. */
  link: (row: PaymentRow) => row.link_id,
  /** Address of the checkout page; null for a headless payment, and if the setting `publicUrl` is empty. */
  payment_url: (row: PaymentRow, { core }: ViewContext) =>
    row.flow === 'hosted' ? paymentUrl(core, row.id) : null,
  /** True if the payment belongs to a test brand, so that it is not real money. */
  test: (row: PaymentRow) => row.test_of !== null,
  ...PARTS,
  refunded,
});

export type PaymentView = ReturnType<typeof paymentView>;

export const paymentView = defineView<PaymentRow, ViewContext>()(listed);

/** Builds the checkout address from the settings only: the command line has no request with a host. */
function paymentUrl({ settings }: Core, id: string): string | null {
  return settings.publicUrl === '' ? null : `${settings.publicUrl}${settings.basePath}/api/execute/${id}`;
}

/** Row for accounting. Amounts are in BDT with two decimals, times in Bangladesh time. */
export const exportView = defineView<PaymentRow, ViewContext>()(({ same, times, time, taka }) => ({
  ...same('id', 'gateway_reference', 'brand'),
  ...STATUS,
  ...times('created_at'),
  completed_at: time('credited_at'),
  ...same('cus_name', 'cus_email'),
  /** Price; amount paid, its fee, and the rest. */
  amount: taka('amount_paisa'),
  ...PAID,
  net: (row) => (row.paid_paisa === 0 ? null : formatTaka(row.paid_paisa - row.paid_fee_paisa)),
  refunded,
  ...PARTS,
  usdt: (row) => usdtOf(row.units),
  ...same('channel'),
  transaction_id: (row) => row.reference,
  /** Receiving account and payer, as far as the proof contains them. */
  ...same('recipient', 'payer', 'credited_by'),
  /** JSON text sent by the shop; for a payment of a link, the values entered there. */
  ...same('meta_data'),
  link: (row) => row.link_id,
}));

/** @param units base units as digits, or null. */
function usdtOf(units: string | null): string | null {
  return units === null ? null : formatUsdt(BigInt(units));
}

type OtherRows = Awaited<ReturnType<typeof loadRelatedRows>>;

/** Loads claims, reviews, notifications, quotes, shown numbers, and the values entered on the link's page. */
export async function loadRelatedRows(db: Db, row: PaymentRow) {
  const { id, link_id } = row;
  const claims = await db.query
    .selectFrom('claims')
    .where('session_id', '=', id)
    .orderBy('created_at')
    .select(['channel', 'reference', 'state', 'reason', 'created_at'])
    .execute();
  const notifications = await notificationsInBrief(db, id);
  const quotes = await quotesOfSession.all(db, { session: id });
  const link = link_id === null ? null : await findPaymentLink(db, id);
  const reviews = await reviewsOfSession(db, id);
  const shown = await chosenAccounts.all(db, { session: id });
  const parts = await partsOf(db, row);
  return { claims, notifications, quotes, link, reviews, shown, parts };
}

export type PaymentInFull = ReturnType<typeof paymentInFull>;

export const paymentInFull = defineView<PaymentRow, ViewContext & OtherRows>()((make) => ({
  ...listed(make),
  /** Price in USDT by channel, as quoted when the payment was created. */
  usdt: (_, { quotes }) =>
    quotes.map(({ channel, receiver, rate, amount }) => ({
      channel,
      receiver,
      amount_usdt: formatSteps(amount),
      dollar_rate: formatSteps(rate),
    })),
  paid_usdt: (row) => usdtOf(row.units),
  /** Numbers that it shows, of wallets with several of one type. */
  shown_accounts: (_, { shown }) => shown.map(({ channel, type, number }) => ({ channel, type, number })),
  ...make.same('payer', 'cus_email'),
  /** What the shop says that the customer pays for; empty if it says nothing. */
  description: (row) => row.description ?? '',
  /** The order lines that the shop sent; `price` is for one piece. */
  items: (row) =>
    storedItems(row.items).map(({ name, quantity, pricePaisa }) => ({
      name,
      quantity,
      price: formatTaka(pricePaisa),
      total: formatTaka(itemTotal({ name, quantity, pricePaisa })),
    })),
  /** The shop's own data, such as its order number. */
  meta_data: (row) => (row.meta_data === null ? null : (JSON.parse(row.meta_data) as unknown)),
  ...make.same('success_url', 'cancel_url'),
  webhook_url: (row) => (row.webhook_url === null ? null : redactAddress(row.webhook_url)),
  ...make.same('return_type'),
  fees: (row) => feesView(row.fees),
  /** True if it may come in parts. */
  takes_parts: (row) => row.takes_parts === 1,
  /** The money that has come in parts, the oldest first: `amount` is without the fee. */
  parts: (_, { parts }) =>
    parts.map((part) => ({ ...partFields(part, formatTaka), paid_at: dhakaIso(part.paidAt) })),
  /** Values entered on the link's page, with the labels shown at that time. */
  entered: (_, { link }) => link?.values ?? [],
  claims: (_, { claims }) => claims.map(dated),
  reviews: (_, { reviews }) => reviews.map(dated),
  notifications: (_, { notifications }) => notifications.map(dated),
}));

function dated<Row extends { readonly created_at: number }>(row: Row) {
  return { ...row, created_at: dhakaIso(row.created_at) };
}

const sheetOfFields = paymentInFull.sheet({
  gateway_reference: 'Payment',
  id: 'Id',
  payment_reference: 'Reference',
  brand: 'Brand',
  test: ['Test', ({ test }) => (test ? 'TEST: simulated, no money was moved' : null)],
  cus_name: 'Customer',
  cus_email: ['E-mail', ({ cus_email }) => cus_email || null],
  description: ['Description', ({ description }) => description || null],
  items: ({ items }) =>
    items.map(({ name, quantity, total }): SheetEntry => {
      return ['Item', `${quantity === 1 ? '' : `${quantity} x `}${name}: ${total} BDT`];
    }),
  amount: ['Amount', ({ amount }) => `${amount} BDT`],
  usdt: ({ usdt }) =>
    usdt.map(({ amount_usdt, channel, receiver }): SheetEntry => {
      return ['Or', `${amount_usdt} USDT by ${channelText(channel)} to ${receiver}`];
    }),
  shown_accounts: ({ shown_accounts }) =>
    shown_accounts.map(({ channel, type, number }): SheetEntry => {
      return ['Shows', `${channelText(channel)} ${type} ${number}`];
    }),
  status: ['Status', ({ status, reason }) => `${status} (${reason})`],
  reason: null,
  channel: [
    'Paid by',
    ({ channel, transaction_id }) =>
      orDash(channel === null ? null : `${channelText(channel)} ${orDash(transaction_id)}`),
  ],
  transaction_id: null,
  paid_usdt: 'Paid in USDT',
  payer: 'Payer',
  paid: ['Paid', paidText],
  fee: null,
  takes_parts: null,
  parts: ({ parts }) =>
    parts.map(({ transaction_id, payment_method, amount }): SheetEntry => {
      return ['Part', `${amount} BDT by ${channelText(payment_method)} ${transaction_id}`];
    }),
  due: ['Due', ({ due }) => (due === null ? null : `${due} BDT`)],
  due_on_delivery: ['On delivery', ({ due_on_delivery: due }) => (due === null ? null : `${due} BDT`)],
  refunded: ['Refunded', ({ refunded }) => (refunded === null ? null : `${refunded} BDT`)],
  created_at: ['Created', ({ created_at }) => minute(created_at)],
  expires_at: ['Expires', ({ expires_at }) => minute(expires_at)],
  closed_at: ['Closed', ({ closed_at }) => minute(closed_at)],
  link: 'Link',
  // Of a payment link it stands below, with the labels that the customer saw.
  meta_data: [
    'Meta data',
    ({ meta_data, link }) => (meta_data === null || link !== null ? null : JSON.stringify(meta_data)),
  ],
  entered: ({ entered }) => entered.map(({ label, value }): SheetEntry => ['Entered', `${label}: ${value}`]),
  flow: hostedEntries,
  payment_url: null,
  fees: null,
  success_url: null,
  return_type: null,
  cancel_url: null,
  webhook_url: null,
  claims: ({ claims }) =>
    claims.map(({ channel, reference, state, reason }): SheetEntry => {
      return [
        'Claim',
        `${channelText(channel)} ${reference}: ${state.toLowerCase()} (${reason.replaceAll('_', ' ')})`,
      ];
    }),
  reviews: ({ reviews }) =>
    reviews.map(({ id, state, reason, channel, reference }): SheetEntry => {
      return [
        'Review',
        `${id} ${state} (${reason.replaceAll('_', ' ')}, ${channelText(channel)} ${reference})`,
      ];
    }),
  notifications: ({ notifications }) =>
    notifications.map((one): SheetEntry => ['Webhook', notificationText(one)]),
});

export function paymentSheet(view: PaymentInFull): SheetEntry[] {
  const open = view.reviews.filter(({ state }) => state === 'OPEN');
  const next = open.map(({ id }): SheetEntry => ['Next', `kashbox verifications show ${id}`]);
  return [...sheetOfFields(view), ...next];
}

function paidText({ paid, fee }: PaymentInFull): string | null {
  if (paid === null) return null;
  return fee === null || fee === '0.00' ? `${paid} BDT` : `${paid} BDT, including ${fee} fee`;
}

function notificationText({ id, event, state, tries }: PaymentInFull['notifications'][number]): string {
  const waits = tries === 0 ? 'waiting' : `waiting, tried ${counted(tries, 'time')}`;
  const words = { PENDING: waits, DELIVERED: 'delivered', FAILED: 'failed permanently' } as const;
  return `${event}: ${words[state]} (${id})`;
}

function hostedEntries(view: PaymentInFull): SheetEntry[] {
  if (view.flow === 'headless') return [];
  return [
    ['Checkout', view.payment_url ?? 'hosted; set KASHBOX_PUBLIC_URL to see its link here'],
    ['Fees', feesText(view.fees)],
    // A payment of a link has no shop to go back to.
    ['Success to', view.success_url === null ? null : `${view.success_url} by ${orDash(view.return_type)}`],
    ['Cancel to', view.cancel_url],
    ['Notify at', view.webhook_url],
  ];
}
