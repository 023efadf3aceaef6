/** Payments as lists, one row per session with its transaction if there is one; and one of them in full. */
import { sql } from 'kysely';
import { KashboxError } from '../../base/errors/errors.js';
import { echoed } from '../../base/values/text.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { SessionStatus } from '../../domain/sessions/session.js';
import { parseQuestion, type Question } from '../../domain/why/question.js';
import { holds, newestFirst, type Page } from '../../store/tables/list-position.js';
import { inStatus } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { collectAll, cursorBy, type PagedInput, paginate } from '../input/pages.js';
import { idOfBrand, idOfLink } from '../input/require-row.js';
import {
  loadRelatedRows,
  type PaymentInFull,
  type PaymentView,
  paymentInFull,
  payments,
  paymentView,
} from './payment-view.js';

interface ListPayments extends PagedInput {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  readonly status?: SessionStatus | undefined;
  /** Lists only payments that were paid on this channel. */
  readonly channel?: PayChannel | undefined;
  /** Payments of test brands alone. Without it and without `brand` they are left out. */
  readonly test?: boolean | undefined;
  /** Id or address of the payment link that has opened them. */
  readonly link?: string | undefined;
  /**
   * Search text: a payment's number, id, reference or transaction, a claimed id, the amount, the payer, the
   * first digits of the amount, or a part of the customer's name, e-mail or `meta_data`.
   */
  readonly search?: string | undefined;
}

/** Selects the payments that match the search text. */
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
      is('p.payer', 'in', [text, ...(phone === null ? [] : [phone])]),
      ...(/^\d+$/.test(text)
        ? [sql<boolean>`CAST(${sql.ref('s.amount_paisa')} / 100 AS TEXT) LIKE ${`${text}%`}`]
        : []),
      ...['s.cus_name', 's.cus_email', 's.meta_data'].map((column) => holds(column, text)),
    ]),
  );
}

interface PaymentFilter {
  /** Null for all, as is the link that has opened them. */
  readonly brandId: string | null;
  readonly link: string | null;
  readonly status?: SessionStatus | undefined;
  /** Channel on which they were paid. */
  readonly channel?: PayChannel | undefined;
}

/** @param now milliseconds since the epoch, at which expired payments count as failed. */
export function filtered(query: ReturnType<typeof payments>, filter: PaymentFilter, now: number) {
  const { brandId, link, status, channel } = filter;
  let some = query;
  if (brandId !== null) some = some.where('s.brand_id', '=', brandId);
  if (status !== undefined) some = some.where(inStatus(status, now));
  if (channel !== undefined) some = some.where('t.channel', '=', channel);
  if (link !== null) some = some.where('l.link_id', '=', link);
  return some;
}

/** Lists payments, newest first. @throws KashboxError `not_found` if there is no such brand or link */
export function paymentPages(core: Core, input: ListPayments): AsyncGenerator<PaymentView[]> {
  const { status, channel, sinceMs } = input;
  const now = core.clock.now();
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const brandId = await idOfBrand(db, input.brand);
      const link = await idOfLink(db, input.link);
      let query = filtered(payments(db), { brandId, link, status, channel }, now);
      if (input.test === true) query = query.where('b.test_of', 'is not', null);
      else if (brandId === null) query = query.where('b.test_of', 'is', null);
      if (input.search !== undefined) query = searched(query, parseQuestion(input.search));
      if (sinceMs !== undefined) query = query.where('s.created_at', '>=', sinceMs);
      return query.$call(newestFirst('s.created_at', 's.id', page)).execute();
    });
  return paginate(input, read, cursorBy('created_at'), (row) => paymentView(row, { core, now }));
}

export const listPayments = collectAll(paymentPages);

/** @param reference session id or gateway reference. @throws KashboxError `not_found` */
export async function showPayment(core: Core, reference: string): Promise<PaymentInFull> {
  const found = await core.store.read(async (db) => {
    const row = await payments(db)
      .where((either) =>
        either.or([
          either('s.id', '=', reference.toLowerCase()),
          either('s.gateway_reference', '=', reference.toUpperCase()),
        ]),
      )
      .executeTakeFirst();
    return row === undefined ? undefined : { row, others: await loadRelatedRows(db, row) };
  });
  if (found === undefined) {
    throw new KashboxError('not_found', {
      message: `There is no payment "${echoed(reference)}"`,
      hint: 'List them with `kashbox payments list`.',
    });
  }
  return paymentInFull(found.row, { core, now: core.clock.now(), ...found.others });
}
