/**
 * Lists payments, one row per session with its transaction if there is one; shows one; follows what
 * happens.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { firstRowId } from '../../base/values/ids.js';
import { echoed } from '../../base/values/text.js';
import { formatSteps, formatUsdt } from '../../base/values/usdt.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import { shownAddress } from '../../domain/notifications/address.js';
import { type SessionStatus, statusAt } from '../../domain/sessions/session.js';
import { type Question, readQuestion } from '../../domain/why/question.js';
import type { Db } from '../../store/schema/index.js';
import { paymentMoves } from '../../store/tables/audit.js';
import { holds, olderThan, type Page } from '../../store/tables/list-position.js';
import { notificationsInBrief } from '../../store/tables/notifications.js';
import { creditedProof } from '../../store/tables/proofs.js';
import { quotesOfSession } from '../../store/tables/quotes.js';
import { reviewsOfSession } from '../../store/tables/reviews.js';
import { inStatus } from '../../store/tables/sessions.js';
import { feesView } from '../brands/brand-view.js';
import type { Core } from '../core/core.js';
import { by, type PagedInput, pagesOf, whole } from '../input/pages.js';
import { idOfBrand, idOfLink, requireBrand } from '../input/require-row.js';
import { viewOf } from '../input/view.js';
import { linkOf } from './payment-link.js';

interface ListPayments extends PagedInput {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  readonly status?: SessionStatus | undefined;
  /** Those that were paid on it. */
  readonly channel?: PayChannel | undefined;
  /** Payments of test brands alone. Without it and without `brand` they are left out. */
  readonly test?: boolean | undefined;
  /** Id or address of the payment link that has opened them. */
  readonly link?: string | undefined;
  /**
   * Of a payment: its number, id, reference or transaction, an id that was claimed, the amount, the
   * payer, the beginning of the amount, or a part of the customer's name, e-mail or `meta_data`.
   */
  readonly search?: string | undefined;
}

/** Sessions `s` with brands `b`, transactions `t` and what their links have opened, `l`. */
function payments(db: Db) {
  return db.query
    .selectFrom('sessions as s')
    .innerJoin('brands as b', 'b.id', 's.brand_id')
    .leftJoin('transactions as t', 't.session_id', 's.id')
    .leftJoin('link_payments as l', 'l.session_id', 's.id')
    .select([
      's.id',
      's.brand_id',
      's.gateway_reference',
      's.payment_reference',
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
      'b.test_of',
      't.channel',
      't.reference',
      't.amount_paisa as paid_paisa',
      't.fee_paisa',
      'l.link_id',
    ]);
}

/** Only those that somebody looks for by one of their names. */
function searched(query: ReturnType<typeof payments>, { text, paisa, phone }: Question) {
  const spellings = [...new Set([text, text.toUpperCase(), text.toLowerCase()])];
  return query.where((is) =>
    is.or([
      is('s.id', '=', text.toLowerCase()),
      is('s.gateway_reference', '=', text.toUpperCase()),
      is('s.payment_reference', '=', text.toUpperCase()),
      is('t.reference', 'in', spellings),
      ...(paisa === null ? [] : [is('s.amount_paisa', '=', paisa), is('t.amount_paisa', '=', paisa)]),
      is.exists(
        is
          .selectFrom('claims as c')
          .whereRef('c.session_id', '=', 's.id')
          .where('c.reference', 'in', [...spellings, ...(phone === null ? [] : [phone])])
          .select('c.id'),
      ),
      is.exists(
        is
          .selectFrom('proofs as p')
          .whereRef('p.id', '=', 't.proof_id')
          .where('p.payer', 'in', [text, ...(phone === null ? [] : [phone])])
          .select('p.id'),
      ),
      ...(/^\d+$/.test(text)
        ? [sql<boolean>`CAST(${sql.ref('s.amount_paisa')} / 100 AS TEXT) LIKE ${`${text}%`}`]
        : []),
      ...['s.cus_name', 's.cus_email', 's.meta_data'].map((column) => holds(column, text)),
    ]),
  );
}

type StoredPayment = Awaited<ReturnType<ReturnType<typeof payments>['execute']>>[number];

type PaymentRow = ReturnType<typeof paymentView>;

/** Given the core and the time now in milliseconds. */
export const paymentView = viewOf<StoredPayment, { readonly core: Core; readonly now: number }>()(
  ({ same, times, taka }) => ({
    ...same('id', 'gateway_reference', 'payment_reference', 'brand'),
    status: (row, { now }) => statusAt(row, now).status,
    reason: (row, { now }): string => statusAt(row, now).reason,
    amount: taka('amount_paisa'),
    ...same('channel'),
    transaction_id: (row) => row.reference,
    ...same('cus_name'),
    ...times('created_at', 'expires_at', 'closed_at'),
    ...same('flow'),
    /** All that was paid and the fee in it; null while nothing is credited. */
    paid: taka('paid_paisa'),
    fee: taka('fee_paisa'),
    /** The payment link that has opened it. */
    link: (row) => row.link_id,
    /** Where the customer pays; null for a headless payment, and while the setting `publicUrl` is empty. */
    payment_url: (row, { core }) => (row.flow === 'hosted' ? paymentUrl(core, row.id) : null),
    /** Whether it is of a test brand, and so no money. */
    test: (row) => row.test_of !== null,
  }),
);

/** The command line knows no host by which it was called, as the daemon does. */
function paymentUrl({ settings }: Core, id: string): string | null {
  return settings.publicUrl === '' ? null : `${settings.publicUrl}${settings.basePath}/api/execute/${id}`;
}

/** Newest first, in pages. @throws KashboxError `not_found` if there is no such brand or link */
export function paymentPages(core: Core, input: ListPayments): AsyncGenerator<PaymentRow[]> {
  const { status, sinceMs } = input;
  const now = core.clock.now();
  const read = ({ after, limit }: Page) =>
    core.store.read(async (db) => {
      const brand = await idOfBrand(db, input.brand);
      const link = await idOfLink(db, input.link);
      let query = payments(db).orderBy('s.created_at', 'desc').orderBy('s.id', 'desc').limit(limit);
      if (brand !== null) query = query.where('s.brand_id', '=', brand);
      if (input.test === true) query = query.where('b.test_of', 'is not', null);
      else if (brand === null) query = query.where('b.test_of', 'is', null);
      if (status !== undefined) query = query.where(inStatus(status, now));
      if (input.channel !== undefined) query = query.where('t.channel', '=', input.channel);
      if (link !== null) query = query.where('l.link_id', '=', link);
      if (input.search !== undefined) query = searched(query, readQuestion(input.search));
      if (sinceMs !== undefined) query = query.where('s.created_at', '>=', sinceMs);
      if (after !== null) query = query.where(olderThan('s.created_at', 's.id', after));
      return query.execute();
    });
  return pagesOf(input, read, by('created_at'), (row) => paymentView(row, { core, now }));
}

export const listPayments = whole(paymentPages);

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
      .select(['s.cus_email', 's.meta_data'])
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
    const entered = row.link_id === null ? null : await linkOf(db, row.id);
    const reviews = await reviewsOfSession(db, row.id);
    return { row, claims, reviews, notifications, quotes, proof, entered };
  });
  if (found === undefined) {
    throw new KashboxError('not_found', {
      message: `There is no payment "${echoed(reference)}"`,
      hint: 'See them with `kashbox payments list`.',
    });
  }
  const { row, proof } = found;
  return {
    ...paymentView(row, { core, now: core.clock.now() }),
    /** What it costs in USDT, by channel: as it was quoted when the payment was opened. */
    usdt: found.quotes.map(({ channel, receiver, rate, amount }) => ({
      channel,
      receiver,
      amount_usdt: formatSteps(amount),
      dollar_rate: formatSteps(rate),
    })),
    paid_usdt: usdtOf(proof?.units ?? null),
    payer: proof?.payer ?? null,
    cus_email: row.cus_email,
    /** The shop's own data, such as its order number. */
    meta_data: row.meta_data === null ? null : (JSON.parse(row.meta_data) as unknown),
    success_url: row.success_url,
    cancel_url: row.cancel_url,
    webhook_url: row.webhook_url === null ? null : shownAddress(row.webhook_url),
    return_type: row.return_type,
    fees: feesView(row.fees),
    /** What was entered on the link's page, with the labels that stood there. */
    entered: found.entered?.values ?? [],
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

type PaymentEvent = 'opened' | 'completed' | 'review' | 'failed';

const EVENTS: Readonly<Record<string, PaymentEvent>> = {
  'payment.credit': 'completed',
  'payment.approve': 'completed',
  'payment.review': 'review',
  'payment.cancel': 'failed',
  'payment.expire': 'failed',
  'payment.reject': 'failed',
};

interface Happened {
  /** Of the audit entry, or of the session that was opened: what is told once. */
  readonly key: string;
  readonly at: number;
  readonly event: PaymentEvent;
  readonly session: string;
}

/** One line of `kashbox payments tail`: what happened, and the payment as it is now. */
export const happenedView = viewOf<Happened, ReturnType<typeof paymentView>>()(({ same, times }) => ({
  ...times('at'),
  ...same('event'),
  payment: (_, payment) => payment,
}));

/** Another process may commit a row after one that it had numbered later. */
const OVERLAP_MS = 10_000;

interface FollowPayments {
  /** Identifier or name; undefined for all but test brands. */
  readonly brand?: string | undefined;
  /** Milliseconds since the epoch: what has happened since is told first. */
  readonly sinceMs: number;
  /** How long to wait before the store is asked again, milliseconds. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

/** Ends when the signal says so. Everything is told once, in its order. @throws KashboxError `not_found` */
export async function* followPayments(core: Core, input: FollowPayments) {
  const { brand, sinceMs, everyMs, signal } = input;
  const brandId =
    brand === undefined ? null : await core.store.read(async (db) => (await requireBrand(db, brand)).id);
  let told = new Set<string>();
  for (let from = sinceMs; !signal.aborted; ) {
    // Before the reading: a reader that was stopped for a while must miss nothing of that time.
    const asked = core.clock.now();
    const news = await core.store.read((db) => happenedSince(db, from, brandId));
    const seen = new Set(news.map(({ key }) => key));
    for (const { row, ...one } of news) {
      if (told.has(one.key) || signal.aborted) continue;
      yield happenedView(one, paymentView(row, { core, now: core.clock.now() }));
    }
    told = seen;
    from = Math.max(sinceMs, asked - OVERLAP_MS);
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}

async function happenedSince(db: Db, from: number, brandId: string | null) {
  const moves = (await paymentMoves(db, firstRowId('audit', from))).flatMap(
    ({ id, at, action, subject }): Happened[] => {
      const event = EVENTS[action];
      return event === undefined ? [] : [{ key: id, at, event, session: subject }];
    },
  );
  const opened = await payments(db).where('s.created_at', '>=', from).execute();
  const known = new Map<string, StoredPayment>(opened.map((row) => [row.id, row]));
  const others = [...new Set(moves.map(({ session }) => session))].filter((id) => !known.has(id));
  for (const row of others.length === 0 ? [] : await payments(db).where('s.id', 'in', others).execute())
    known.set(row.id, row);
  const all: Happened[] = [
    ...opened.map(({ id, created_at: at }) => ({ key: id, at, event: 'opened' as const, session: id })),
    ...moves,
  ];
  return all
    .sort((one, other) => one.at - other.at)
    .flatMap((one) => {
      const row = known.get(one.session);
      if (row === undefined) return [];
      const isWanted = brandId === null ? row.test_of === null : row.brand_id === brandId;
      return isWanted ? [{ ...one, row }] : [];
    });
}
