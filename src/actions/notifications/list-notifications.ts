/** Lists notifications with their state and all delivery attempts. */
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { echoed } from '../../base/values/text.js';
import { shownAddress } from '../../domain/notifications/address.js';
import type { AttemptOutcome, NotificationState } from '../../domain/notifications/notification.js';
import type { Db } from '../../store/schema/index.js';
import type { Page } from '../../store/tables/list-position.js';
import {
  attemptsOf,
  findNotification,
  findPaymentRow,
  listedNotifications,
  type NotificationRow,
  notificationsOfSession,
} from '../../store/tables/notification-list.js';
import type { Core } from '../core/core.js';
import { by, type PagedInput, pagesOf, whole } from '../input/pages.js';
import { idOfBrand } from '../input/require-row.js';
import { isoOrNull, viewOf } from '../input/view.js';

export type NotificationView = ReturnType<typeof notificationView>;

const isUnderWay = (row: NotificationRow, now: number) =>
  row.state === 'DUE' && row.lease !== null && row.next_at > now;

/** Given the time now in milliseconds. */
export const notificationView = viewOf<NotificationRow, number>()(({ same, times }) => ({
  // The id is the `webhook-id`.
  ...same('id', 'event'),
  /** Session id of the payment; null for a test, as is the gateway reference. */
  payment: (row) => row.session_id,
  // The sequence is the place among those of its payment, from 1; a replay begins with no tries.
  ...same('gateway_reference', 'brand', 'state', 'sequence', 'tries'),
  /** Whether an attempt is being made now. */
  under_way: isUnderWay,
  /** When it is due next; null unless it is due. */
  next_at: (row, now) => isoOrNull(row.state === 'DUE' && !isUnderWay(row, now) ? row.next_at : null),
  ...same('endpoint'),
  /** Without the values of its query, among which keys have been seen. */
  url: (row) => shownAddress(row.url),
  ...same('format'),
  // The last attempt; null before the first.
  ...times('created_at', 'closed_at', 'last_at'),
  ...same('last_outcome', 'last_status', 'last_detail'),
}));

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

interface ListNotifications extends PagedInput {
  /** Identifier or name. */
  readonly brand?: string | undefined;
  /** Session id or gateway reference. */
  readonly payment?: string | undefined;
  readonly state?: NotificationState | undefined;
  /** Only those of payments that were given up, or tried without success so far. */
  readonly failed: boolean;
}

/** The newest first, in pages. @throws KashboxError `not_found` if there is no such brand or payment */
export function notificationPages(core: Core, input: ListNotifications): AsyncGenerator<NotificationView[]> {
  const { state = null, failed, sinceMs = null } = input;
  const read = (page: Page) =>
    core.store.read(async (db) => {
      const brandId = await idOfBrand(db, input.brand);
      const payment = input.payment === undefined ? null : await requirePayment(db, input.payment);
      const about = { brandId, sessionId: payment?.id ?? null };
      return listedNotifications(db, { ...about, state, failed, sinceMs, ...page });
    });
  return pagesOf(input, read, by('created_at'), (row) => notificationView(row, core.clock.now()));
}

export const listNotifications = whole(notificationPages);

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
    throw noNotifications(payment.gateway_reference);
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
export function noNotifications(payment: string): KashboxError {
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
