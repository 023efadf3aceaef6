/** What shops were told, whether they heard it, and every attempt to tell them, as an operator reads it. */

import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { echoed } from '../../base/values/text.js';
import { shownAddress } from '../../domain/notifications/address.js';
import type {
  AttemptOutcome,
  NotificationEvent,
  NotificationState,
  WebhookFormat,
} from '../../domain/notifications/notification.js';
import type { Db } from '../../store/schema/index.js';
import {
  attemptsOf,
  findNotification,
  findPaymentRow,
  listedNotifications,
  type NotificationRow,
  notificationsOfSession,
} from '../../store/tables/notification-list.js';
import type { Page } from '../../store/tables/place.js';
import type { Core } from '../core/core.js';
import { pagesOf, wholeList } from '../input/pages.js';
import { requireBrand } from '../input/require-row.js';

export interface NotificationView {
  /** The `webhook-id`. */
  readonly id: string;
  readonly event: NotificationEvent;
  /** Session id and gateway reference of the payment; null for a test. */
  readonly payment: string | null;
  readonly gateway_reference: string | null;
  readonly brand: string;
  readonly state: NotificationState;
  /** Place among the notifications of its payment, from 1. */
  readonly sequence: number;
  /** Attempts of the present schedule; a replay begins with 0. */
  readonly tries: number;
  /** Whether an attempt is being made now. */
  readonly under_way: boolean;
  /** When it is due next; null unless it is due. ISO 8601 in Bangladesh time, as are the others. */
  readonly next_at: string | null;
  readonly endpoint: string;
  /** Without the values of its query, among which keys have been seen. */
  readonly url: string;
  readonly format: WebhookFormat;
  readonly created_at: string;
  readonly closed_at: string | null;
  /** The last attempt; null before the first. */
  readonly last_at: string | null;
  readonly last_outcome: AttemptOutcome | null;
  readonly last_status: number | null;
  readonly last_detail: string | null;
}

export interface AttemptView {
  readonly id: string;
  readonly at: string;
  readonly outcome: AttemptOutcome;
  /** HTTP status, null where there was no answer. */
  readonly status: number | null;
  readonly ms: number;
  readonly detail: string;
  /** The beginning of the answer, at most 1 KiB. */
  readonly answer: string | null;
  /** `schedule`, or who asked for it. */
  readonly asked_by: string;
}

export interface NotificationInFull extends NotificationView {
  /** The body, as it is signed and sent. */
  readonly content: string;
  /** The oldest first. */
  readonly attempts: readonly AttemptView[];
}

function notificationView(row: NotificationRow, now: number): NotificationView {
  const isDue = row.state === 'DUE';
  const underWay = isDue && row.lease !== null && row.next_at > now;
  return {
    id: row.id,
    event: row.event,
    payment: row.session_id,
    gateway_reference: row.gateway_reference,
    brand: row.brand,
    state: row.state,
    sequence: row.sequence,
    tries: row.tries,
    under_way: underWay,
    next_at: isDue && !underWay ? dhakaIso(row.next_at) : null,
    endpoint: row.endpoint,
    url: shownAddress(row.url),
    format: row.format,
    created_at: dhakaIso(row.created_at),
    closed_at: row.closed_at === null ? null : dhakaIso(row.closed_at),
    last_at: row.last_at === null ? null : dhakaIso(row.last_at),
    last_outcome: row.last_outcome,
    last_status: row.last_status,
    last_detail: row.last_detail,
  };
}

export interface ListNotifications {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  /** Session id or gateway reference. */
  readonly payment?: string | undefined;
  readonly state?: NotificationState | undefined;
  /** Only those of payments that were given up, or tried without success so far. */
  readonly failed: boolean;
  /** Milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  /** May be infinite. */
  readonly limit: number;
}

/** The newest first, in pages. @throws KashboxError `not_found` if there is no such brand or payment */
export async function* notificationPages(
  core: Core,
  input: ListNotifications,
): AsyncGenerator<NotificationView[]> {
  const { state = null, failed, sinceMs = null } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const brand = input.brand === undefined ? null : await requireBrand(db, input.brand);
      const payment = input.payment === undefined ? null : await requirePayment(db, input.payment);
      const about = { brandId: brand?.id ?? null, sessionId: payment?.id ?? null };
      return listedNotifications(db, { ...about, state, failed, sinceMs, ...page });
    });
  for await (const rows of pagesOf(input.limit, read, ({ created_at: at, id }) => ({ at, id }))) {
    yield rows.map((row) => notificationView(row, core.clock.now()));
  }
}

/** The same as one list. */
export function listNotifications(core: Core, input: ListNotifications): Promise<NotificationView[]> {
  return wholeList(notificationPages(core, input));
}

/**
 * @param named id of a notification, or session id or gateway reference of a payment.
 * @returns the one, or all of the payment in their order.
 * @throws KashboxError `not_found`, also where the payment has none
 */
export async function showNotifications(
  core: Core,
  named: string,
): Promise<NotificationInFull | NotificationInFull[]> {
  return core.store.read(async (db) => {
    const now = core.clock.now();
    const inFull = async (row: NotificationRow) => ({
      ...notificationView(row, now),
      content: row.content,
      attempts: (await attemptsOf(db, row.id)).map((attempt) => ({ ...attempt, at: dhakaIso(attempt.at) })),
    });
    const id = named.trim();
    if (id.startsWith('ntf_')) {
      const row = await findNotification(db, id);
      if (row === undefined) throw noNotification(named);
      return inFull(row);
    }
    const payment = await requirePayment(db, id);
    const all: NotificationInFull[] = [];
    for (const row of await notificationsOfSession(db, payment.id)) all.push(await inFull(row));
    if (all.length > 0) return all;
    throw nothingTold(payment.gateway_reference);
  });
}

/** @param named session id or gateway reference. @throws KashboxError `not_found` */
export async function requirePayment(db: Db, named: string) {
  const typed = named.trim();
  const found = await findPaymentRow(db, { id: typed.toLowerCase(), reference: typed.toUpperCase() });
  if (found !== undefined) return found;
  throw new KashboxError('not_found', {
    message: `There is no notification and no payment "${echoed(named)}"`,
    hint: 'See them with `kashbox webhooks list` and `kashbox payments list`.',
  });
}

/** @param payment its gateway reference. */
export function nothingTold(payment: string): KashboxError {
  return new KashboxError('not_found', {
    message: `Nothing was to be told of payment ${payment} so far`,
    hint: 'A shop hears of payments once its brand has an address: kashbox brands update --webhook-url.',
  });
}

export function noNotification(named: string): KashboxError {
  return new KashboxError('not_found', {
    message: `There is no notification "${echoed(named)}"`,
    hint: 'See them with `kashbox webhooks list`.',
  });
}
