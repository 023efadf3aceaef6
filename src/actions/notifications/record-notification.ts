/**
 * Writes the notification of a session's change, in the same database transaction: there is no credit
 * without its notification and no notification without its credit. Events that the shop's program would
 * misread are not sent (domain/plugins/plugins).
 */
import { newRowId } from '../../base/values/ids.js';
import { toDestination } from '../../domain/notifications/fair-share.js';
import {
  boundReference,
  type NotificationEvent,
  type NotificationFacts,
  notificationContent,
  type RefundFacts,
  toNotificationEvent,
} from '../../domain/notifications/notification.js';
import { findPlugin, isNotified } from '../../domain/plugins/plugins.js';
import { feeOn, parseFees } from '../../domain/sessions/fees.js';
import { storedItems } from '../../domain/sessions/order-items.js';
import { toOrderDetails } from '../../domain/sessions/payment-record.js';
import { RetryableConflict } from '../../store/driver-errors.js';
import type { Db } from '../../store/schema/index.js';
import { insertNotification, notifiedPayment } from '../../store/tables/notifications.js';
import { partsOf } from '../../store/tables/sessions.js';
import type { WriteDeps } from '../core/core.js';

/**
 * @param url address to notify; null for that of the payment, else of its brand, if there is one.
 * @param news event to send; default: the event of the session's current state.
 * @param refund of `payment.refunded`, after its amount was added to `refunded_paisa` of the session.
 * @throws RetryableConflict if another change of the session was notified in the meantime.
 */
export async function recordNotification(
  core: WriteDeps,
  db: Db,
  session: string,
  url: string | null,
  news?: NotificationEvent,
  refund?: RefundFacts,
): Promise<void> {
  const row = await notifiedPayment.first(db, { session });
  if (row === undefined) return;
  const address = url ?? row.webhook_url ?? row.brand_webhook_url;
  const event = news ?? toNotificationEvent(row.status);
  if (address === null || !isNotified(row.plugin, row.webhook_format, event)) return;
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'notification');
  const sequence = row.last_sequence + 1;
  const payment = await factsOf(db, row);
  const isBound = event === 'payment.completed' && findPlugin(row.plugin)?.binds === 'notification';
  const transactionId = isBound ? boundReference(payment.transactionId, id) : payment.transactionId;
  const isNext = await insertNotification(db, {
    id,
    brand_id: row.brand_id,
    session_id: session,
    event,
    sequence,
    ...toDestination(row.brand_id, address),
    format: row.webhook_format,
    content: notificationContent(
      row.webhook_format,
      { id, event, sequence, createdAt: now },
      { ...payment, transactionId, ...(refund === undefined ? {} : { refund }) },
    ),
    state: 'PENDING',
    tries: 0,
    next_at: now,
    lease: null,
    created_at: now,
    closed_at: null,
  });
  if (!isNext) throw new RetryableConflict('another change of the session was notified a moment ago');
}

type NotifiedPayment = NonNullable<Awaited<ReturnType<typeof notifiedPayment.first>>>;

async function factsOf(db: Db, row: NotifiedPayment): Promise<NotificationFacts> {
  const parts = await partsOf(db, row);
  const channel = row.paid_channel ?? row.claimed_channel ?? parts.at(-1)?.channel ?? null;
  const isPending = row.status === 'PENDING' && channel !== null;
  return {
    sessionId: row.id,
    flow: row.flow,
    status: row.status,
    ...toOrderDetails(row, row.test_of !== null),
    transactionId: row.paid_reference ?? row.gateway_reference,
    channel,
    metadataAs: row.metadata_as,
    statusAs: row.status_as,
    paidPaisa: row.paid_paisa - row.paid_fee_paisa,
    parts,
    feePaisa: isPending ? feeOn(parseFees(row.fees), channel, row.amount_paisa) : row.paid_fee_paisa,
    units: row.paid_units,
    receiver: row.paid_recipient,
    items: storedItems(row.items),
    description: row.description ?? '',
  };
}
