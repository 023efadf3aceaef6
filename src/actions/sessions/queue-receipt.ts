/**
 * Queues the receipt of a payment as an SMS, inside the unit of work that completes it: a payment is
 * completed once, so its receipt is sent at most once. Whatever is missing, the payment settles without it.
 */
import { CHANNEL, mobileNumber, type PayChannel } from '../../domain/accounts/channels.js';
import { OFFLINE_AFTER_MS } from '../../domain/devices/device-state.js';
import { receiptText } from '../../domain/dispatches/receipt-text.js';
import type { Db } from '../../store/schema/index.js';
import { countWaiting, insertDispatch } from '../../store/tables/dispatches.js';
import { receiptOf, sendingPhone } from '../../store/tables/receipts.js';
import type { Means } from '../core/core.js';
import { checkDispatch, newDispatch } from '../dispatches/send-dispatch.js';

/** A phone with more SMS to send has no time for receipts. */
const MOST_WAITING = 50;
/** Codes to log in, and whatever else a shop sends, go first. */
const PRIORITY = -10;
const TTL_S = 1_800;
/** Money that an agent pays in for a customer: the number is the agent's. */
const BY_AGENT = 'cash_in';

/** @param session has just been completed. */
export async function queueReceipt(core: Means, db: Db, session: string): Promise<void> {
  const row = await receiptOf.first(db, { session });
  if (row === undefined || row.receipt_sms === 'off') return;
  const { brand, channel, reference, amount_paisa: paisa, gateway_reference: paymentNo } = row;
  const number = row.kind === BY_AGENT ? null : mobileNumber(row.payer ?? '');
  if (number === null) return;
  const now = core.clock.now();
  const phone = await sendingPhone.first(db, { merchant: row.merchant_id, since: now - OFFLINE_AFTER_MS });
  if (phone === undefined) return;
  const waiting = await countWaiting.first(db, { device: phone.id, now });
  if (Number(waiting?.waiting ?? 0) >= MOST_WAITING) return;
  const method = CHANNEL[channel].name[row.receipt_sms];
  const receipt = { brand, paisa, method, idName: idNameOf(channel), reference, paymentNo };
  const message = receiptText(row.receipt_sms, receipt);
  // Without a key of its own, which a program's could equal: that would refuse the whole unit of work.
  const checked = checkDispatch({ number, message, ttlSeconds: TTL_S, priority: PRIORITY });
  const { id: deviceId, name, last_seen_at: lastSeenAt } = phone;
  const gateway = { deviceId, merchantId: row.merchant_id, name, lastSeenAt };
  const { device: _device, ...columns } = newDispatch(core, gateway, checked);
  await insertDispatch(db, columns);
}

function idNameOf(channel: PayChannel): string {
  const row = CHANNEL[channel];
  return row.kind === 'sms' ? row.wallet.ids.name : 'ID';
}
