/** Payments as an operator reads them: one row a session, with its transaction where it has one. */
import type { ExpressionBuilder } from 'kysely';
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import { formatSteps, formatUsdt } from '../../base/values/usdt.js';
import { shownAddress } from '../../domain/notifications/address.js';
import { type SessionStatus, statusAt } from '../../domain/sessions/session.js';
import type { Db, SessionTable } from '../../store/schema/index.js';
import { notificationsInBrief } from '../../store/tables/notification-list.js';
import { olderThan, type Page } from '../../store/tables/place.js';
import { creditedProof } from '../../store/tables/proofs.js';
import { quotesOfSession } from '../../store/tables/quotes.js';
import { reviewsOfSession } from '../../store/tables/reviews.js';
import { feesView } from '../brands/brand-view.js';
import type { Core } from '../core/core.js';
import { pagesOf, wholeList } from '../input/pages.js';
import { requireBrand } from '../input/require-row.js';

export interface PaymentRow {
  readonly id: string;
  readonly gateway_reference: string;
  readonly brand: string;
  readonly status: SessionStatus;
  readonly reason: string;
  /** BDT, two decimals. */
  readonly amount: string;
  readonly channel: string | null;
  readonly transaction_id: string | null;
  readonly cus_name: string;
  /** ISO 8601 in Bangladesh time, as are the others. */
  readonly created_at: string;
  readonly expires_at: string;
  readonly closed_at: string | null;
  readonly flow: SessionTable['flow'];
  /** All that was paid and the fee in it, BDT with two decimals; null while nothing is credited. */
  readonly paid: string | null;
  readonly fee: string | null;
  /** Where the customer pays; null for a headless payment, and while the setting `publicUrl` is empty. */
  readonly payment_url: string | null;
}

export interface ListPayments {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  readonly status?: SessionStatus | undefined;
  /** Milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  /** May be infinite. */
  readonly limit: number;
}

function payments(db: Db) {
  return db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .leftJoin('transactions as t', 't.session_id', 's.id')
    .select([
      's.id',
      's.gateway_reference',
      's.status',
      's.reason',
      's.amount_paisa',
      's.cus_name',
      's.created_at',
      's.expires_at',
      's.closed_at',
      's.flow',
      's.success_url',
      's.cancel_url',
      's.webhook_url',
      's.return_type',
      's.fees',
      'b.name as brand',
      't.channel',
      't.reference',
      't.amount_paisa as paid_paisa',
      't.fee_paisa',
    ]);
}

type StoredPayment = Awaited<ReturnType<ReturnType<typeof payments>['execute']>>[number];

function paymentRow(core: Core, row: StoredPayment, now: number): PaymentRow {
  const { status, reason } = statusAt(row, now);
  return {
    id: row.id,
    gateway_reference: row.gateway_reference,
    brand: row.brand,
    status,
    reason,
    amount: formatTaka(row.amount_paisa),
    channel: row.channel,
    transaction_id: row.reference,
    cus_name: row.cus_name,
    created_at: dhakaIso(row.created_at),
    expires_at: dhakaIso(row.expires_at),
    closed_at: row.closed_at === null ? null : dhakaIso(row.closed_at),
    flow: row.flow,
    paid: row.paid_paisa === null ? null : formatTaka(row.paid_paisa),
    fee: row.fee_paisa === null ? null : formatTaka(row.fee_paisa),
    payment_url: row.flow === 'hosted' ? paymentUrl(core, row.id) : null,
  };
}

/** The command line knows no host by which it was called, as the daemon does. */
function paymentUrl({ settings }: Core, id: string): string | null {
  return settings.publicUrl === '' ? null : `${settings.publicUrl}${settings.basePath}/api/execute/${id}`;
}

/** The sessions that `paymentRow` shows in that state. */
function inStatus(status: SessionStatus, now: number) {
  return (either: ExpressionBuilder<{ s: SessionTable }, 's'>) => {
    const isOver = either.and([
      either('s.status', '=', 'PENDING'),
      either('s.reason', '!=', 'review'),
      either('s.expires_at', '<=', now),
    ]);
    switch (status) {
      case 'PENDING':
        return either.and([either('s.status', '=', status), either.not(isOver)]);
      case 'FAILED':
        return either.or([either('s.status', '=', status), isOver]);
      case 'COMPLETED':
        return either('s.status', '=', status);
      default:
        return status satisfies never;
    }
  };
}

/** Newest first, in pages. @throws KashboxError `not_found` if there is no such brand */
export async function* paymentPages(core: Core, input: ListPayments): AsyncGenerator<PaymentRow[]> {
  const { status, sinceMs } = input;
  const now = core.clock.now();
  const read = ({ after, limit }: Page) =>
    core.store.read(async (db) => {
      const brand = input.brand === undefined ? undefined : await requireBrand(db, input.brand);
      let query = payments(db).orderBy('s.created_at', 'desc').orderBy('s.id', 'desc').limit(limit);
      if (brand !== undefined) query = query.where('s.brand_id', '=', brand.id);
      if (status !== undefined) query = query.where(inStatus(status, now));
      if (sinceMs !== undefined) query = query.where('s.created_at', '>=', sinceMs);
      if (after !== null) query = query.where(olderThan('s.created_at', 's.id', after));
      return query.execute();
    });
  for await (const rows of pagesOf(input.limit, read, ({ created_at: at, id }) => ({ at, id }))) {
    yield rows.map((row) => paymentRow(core, row, now));
  }
}

/** The same as one list. */
export function listPayments(core: Core, input: ListPayments): Promise<PaymentRow[]> {
  return wholeList(paymentPages(core, input));
}

/**
 * @param reference session id or gateway reference.
 * @throws KashboxError `not_found`
 */
export async function showPayment(core: Core, reference: string) {
  const found = await core.store.read(async (db) => {
    const row = await payments(db)
      .where((either) =>
        either.or([
          either('s.id', '=', reference.toLowerCase()),
          either('s.gateway_reference', '=', reference.toUpperCase()),
        ]),
      )
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const claims = await db.query
      .selectFrom('claims')
      .where('session_id', '=', row.id)
      .orderBy('created_at')
      .select(['channel', 'reference', 'state', 'reason', 'created_at'])
      .execute();
    const notifications = await notificationsInBrief(db, row.id);
    const quotes = await quotesOfSession.all(db, { session: row.id });
    const proof = row.reference === null ? undefined : await creditedProof.first(db, { session: row.id });
    return { row, claims, reviews: await reviewsOfSession(db, row.id), notifications, quotes, proof };
  });
  if (found === undefined) {
    throw new KashboxError('not_found', {
      message: `There is no payment "${echoed(reference)}"`,
      hint: 'See them with `kashbox payments list`.',
    });
  }
  const { row, proof } = found;
  return {
    ...paymentRow(core, row, core.clock.now()),
    /** What it costs in USDT, by channel: as it was quoted when the payment was opened. */
    usdt: found.quotes.map(({ channel, receiver, rate, amount }) => ({
      channel,
      receiver,
      amount_usdt: formatSteps(amount),
      dollar_rate: formatSteps(rate),
    })),
    paid_usdt: usdtOf(proof?.units ?? null),
    payer: proof?.payer ?? null,
    success_url: row.success_url,
    cancel_url: row.cancel_url,
    webhook_url: row.webhook_url === null ? null : shownAddress(row.webhook_url),
    return_type: row.return_type,
    fees: feesView(row.fees),
    claims: found.claims.map(dated),
    reviews: found.reviews.map(dated),
    notifications: found.notifications.map(dated),
  };
}

/** @param units base units as digits, or null. */
function usdtOf(units: string | null): string | null {
  return units === null ? null : formatUsdt(BigInt(units));
}

function dated<Row extends { readonly created_at: number }>(row: Row) {
  return { ...row, created_at: dhakaIso(row.created_at) };
}
