/**
 * Writes the notification of a session's state change, in the same database transaction: there is no credit
 * without its notification and no notification without its credit. Events that the shop's program would
 * misread are not sent (domain/plugins/plugins).
 */
import { newRowId } from '../../base/values/ids.js';
import { toDestination } from '../../domain/notifications/fair-share.js';
import {
  boundReference,
  type NotificationEvent,
  notificationContent,
  toNotificationEvent,
} from '../../domain/notifications/notification.js';
import { findPlugin, isNotified } from '../../domain/plugins/plugins.js';
import { feeOn, parseFees } from '../../domain/sessions/fees.js';
import { storedItems } from '../../domain/sessions/order-items.js';
import { toOrderDetails } from '../../domain/sessions/payment-record.js';
import { RetryableConflict } from '../../store/driver-errors.js';
import type { Db } from '../../store/schema/index.js';
import { insertNotification, notifiedPayment } from '../../store/tables/notifications.js';
import type { WriteDeps } from '../core/core.js';

/**
 * @param url address to notify.
 * @param news event to send; default: the event of the session's current state.
 * @throws RetryableConflict if another state change of the session was notified in the meantime.
 */
export async function recordNotification(
  core: WriteDeps,
  db: Db,
  session: string,
  url: string,
  news?: NotificationEvent,
): Promise<void> {
  const row = await notifiedPayment.first(db, { session });
  if (row === undefined) return;
  const event = news ?? toNotificationEvent(row.status);
  if (!isNotified(row.plugin, event)) return;
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'notification');
  const sequence = Number(row.told) + 1;
  const channel = row.paid_channel ?? row.claimed_channel;
  const reference = row.paid_reference ?? row.gateway_reference;
  const isBound = event === 'payment.completed' && findPlugin(row.plugin)?.binds === 'notification';
  const isPending = row.status === 'PENDING' && channel !== null;
  const feePaisa = isPending ? feeOn(parseFees(row.fees), channel, row.amount_paisa) : row.paid_fee_paisa;
  const content = notificationContent(
    row.webhook_format,
    { id, event, sequence, createdAt: now },
    {
      sessionId: session,
      flow: row.flow,
      status: row.status,
      ...toOrderDetails(row, row.test_of !== null),
      transactionId: isBound ? boundReference(reference, id) : reference,
      channel,
      metadataAs: row.metadata_as,
      statusAs: row.status_as,
      paidPaisa: row.paid_paisa - row.paid_fee_paisa,
      feePaisa,
      units: row.paid_units,
      receiver: row.paid_recipient,
      items: storedItems(row.items),
      description: row.description ?? '',
    },
  );
  const isNext = await insertNotification(db, {
    id,
    brand_id: row.brand_id,
    session_id: session,
    event,
    sequence,
    ...toDestination(row.brand_id, url),
    format: row.webhook_format,
    content,
    state: 'PENDING',
    tries: 0,
    next_at: now,
    lease: null,
    created_at: now,
    closed_at: null,
  });
  if (!isNext) throw new RetryableConflict('another move of the session was told a moment ago');
}
