/**
 * Changes the state of sessions, with audit entry, notification and receipt, in the database transaction that
 * decides. All state changes go through this file.
 */
import { CHANNEL, mobileNumber, type PayChannel } from '../../domain/accounts/channels.js';
import { OFFLINE_AFTER_MS } from '../../domain/devices/device-state.js';
import { receiptText } from '../../domain/dispatches/receipt-text.js';
import {
  findTransition,
  isOpen,
  type SessionEvent,
  type SessionStatus,
  type SessionTimes,
} from '../../domain/sessions/session.js';
import { RetryableConflict } from '../../store/driver-errors.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { findOpenReview } from '../../store/tables/checkout.js';
import { countWaiting, insertDispatch } from '../../store/tables/dispatches.js';
import { releaseAmounts } from '../../store/tables/quotes.js';
import {
  expireOverdueSessions,
  movePaidSession,
  movePartRow,
  transitionSession as moveSessionRow,
  paymentForReceipt,
  sendingPhone,
} from '../../store/tables/sessions.js';
import { raisePaymentAlert, raiseUnfinishedAlert } from '../alerts/raise-alert.js';
import type { Core, WriteDeps } from '../core/core.js';
import { checkDispatch, newDispatch } from '../dispatches/send-dispatch.js';
import { recordNotification } from '../notifications/record-notification.js';

interface SessionMove {
  readonly session: { readonly id: string; readonly status: SessionStatus };
  readonly event: SessionEvent;
  /** `rule`, `customer` or `cli:<user>`. */
  readonly who: string;
  /** Data that the audit log stores in addition to the new status. */
  readonly about?: Readonly<Record<string, unknown>>;
  /** Reason of the session when it was read, if the change is valid only for that reason. */
  readonly was?: string;
}

/**
 * Changes the state of a session if it is still the state that was read. Otherwise the database transaction
 * must be rolled back and everything decided again.
 * @throws RetryableConflict
 */
export async function transitionSession(core: WriteDeps, db: Db, input: SessionMove): Promise<void> {
  const { session, event, was } = input;
  const move = rowMoveOf(core, input);
  if (move === null) throw sessionChanged(event);
  const told = await (was === undefined
    ? moveSessionRow.first(db, move)
    : movePaidSession.first(db, { ...move, was }));
  if (told === undefined) throw sessionChanged(event);
  await auditMove(core, db, input, move);
  if (move.to === 'COMPLETED') await notifyPaid(core, db, session.id, told);
  if (move.to === 'FAILED' && told.paid_paisa > 0) await raiseUnfinishedAlert(core, db, session.id);
  if (told.notified_at !== null) await recordNotification(core, db, session.id, told.notified_at);
}

type RowMove = Parameters<typeof moveSessionRow.first>[1];

function rowMoveOf(
  core: WriteDeps,
  { session, event }: Pick<SessionMove, 'session' | 'event'>,
): RowMove | null {
  const move = findTransition(session.status, event);
  return move && { id: session.id, ...move, closedAt: move.to === 'PENDING' ? null : core.clock.now() };
}

const sessionChanged = (event: SessionEvent) =>
  new RetryableConflict(`session moved before the event ${event}`);

function auditMove(
  core: WriteDeps,
  db: Db,
  { session, event, who, about = {} }: SessionMove,
  move: RowMove,
): Promise<void> {
  const change = { before: { status: move.from }, after: { status: move.to, ...about } };
  return audit(core, db, who, `payment.${event}`, session.id, change);
}

/** @param told flags: an alert target wants to be notified of payments, a receipt SMS is wanted. */
async function notifyPaid(
  core: WriteDeps,
  db: Db,
  session: string,
  told: Pick<NonNullable<Awaited<ReturnType<typeof moveSessionRow.first>>>, 'awaited' | 'receipted'>,
): Promise<void> {
  if (Number(told.awaited) === 1) await raisePaymentAlert(core, db, session);
  if (Number(told.receipted) === 1) await queueReceipt(core, db, session);
}

/**
 * Records that a part of the money has come in, or that a review has ended which paid nothing. The payment
 * stays open, at least for as long as a new one would; while a review of it is open, it stays under review.
 * @returns its reason after that.
 */
export async function movePart(
  core: WriteDeps,
  db: Db,
  input: Pick<SessionMove, 'who' | 'about'> & {
    readonly session: SessionMove['session'] & { readonly reason: string };
    /** False if no new part has come: a program that adds the parts up would count the last one twice. */
    readonly isPaid: boolean;
  },
): Promise<string> {
  const { id, reason: was } = input.session;
  const isReviewed = was === 'review' && (await findOpenReview.first(db, { session: id })) !== undefined;
  const reason = isReviewed ? 'review' : 'partial';
  const row = await movePartRow.first(db, { id, was, reason, now: core.clock.now() });
  if (row === undefined) throw sessionChanged('part');
  const after = { status: 'PENDING', ...input.about };
  await audit(core, db, input.who, 'payment.part', id, { before: { status: 'PENDING' }, after });
  if (input.isPaid && row.notified_at !== null) {
    await recordNotification(core, db, id, row.notified_at, 'payment.partial');
  }
  return reason;
}

/** An expired session is closed by the job or by a late claim, whichever comes first. */
export async function closeOverdue(core: WriteDeps, db: Db, session: SessionMove['session']): Promise<void> {
  if (session.status === 'PENDING')
    await transitionSession(core, db, { session, event: 'expire', who: 'rule' });
}

/** Puts a session under review, where it cannot expire; one that has already expired is closed instead. */
export async function putUnderReview(
  core: WriteDeps,
  db: Db,
  session: SessionTimes & SessionMove['session'],
  who: SessionMove['who'],
  about: NonNullable<SessionMove['about']>,
): Promise<void> {
  if (!isOpen(session, core.clock.now())) return closeOverdue(core, db, session);
  await transitionSession(core, db, { session, event: 'review', who, about });
}

/** A phone with more SMS to send has no time for receipts. */
const MOST_WAITING = 50;
/** Codes to log in, and whatever else a shop sends, go first. */
const PRIORITY = -10;
const TTL_S = 1_800;
/** Money that an agent pays in for a customer: the number is the agent's. */
const BY_AGENT = 'cash_in';

/**
 * Queues the receipt SMS without an idempotency key: a shop may have used the same key, and then crediting
 * the payment would fail together with the SMS.
 * @param session id of the session that was just completed.
 */
async function queueReceipt(core: WriteDeps, db: Db, session: string): Promise<void> {
  const row = await paymentForReceipt.first(db, { session });
  if (row === undefined || row.receipt_sms === 'off') return;
  const { brand, channel, reference, paid_paisa: paisa, gateway_reference: paymentNo } = row;
  const { receipt_sms: language, delivery_paisa: deliveryPaisa } = row;
  const number = row.kind === BY_AGENT ? null : mobileNumber(row.payer ?? '');
  if (number === null) return;
  const now = core.clock.now();
  const phone = await sendingPhone.first(db, { merchant: row.merchant_id, since: now - OFFLINE_AFTER_MS });
  if (phone === undefined) return;
  const waiting = await countWaiting.first(db, { device: phone.id, now });
  if (Number(waiting?.waiting ?? 0) >= MOST_WAITING) return;
  const method = CHANNEL[channel].name[language];
  const receipt = { brand, paisa, deliveryPaisa, method, idName: idNameOf(channel), reference, paymentNo };
  const message = receiptText(language, receipt);
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

/** Few enough that a request which shares the commit does not notice. */
const BATCH = 200;

/**
 * Closes expired sessions and releases amounts whose hold has ended. Several processes may run it at once.
 * @returns number of closed sessions.
 */
export async function expireSessions(core: Core): Promise<number> {
  const move = findTransition('PENDING', 'expire');
  if (move === null) return 0;
  const { from, to, reason } = move;
  const change = { before: { status: from }, after: { status: to } };
  await core.store.write((db) => releaseAmounts(db, core.clock.now()));
  for (let total = 0; ; ) {
    const now = core.clock.now();
    const closed = await core.store.write(async (db) => {
      const rows = await expireOverdueSessions.all(db, { now, limit: BATCH, to, reason });
      for (const { id, paid_paisa, notified_at } of rows) {
        await audit(core, db, 'rule', 'payment.expire', id, change);
        if (paid_paisa > 0) await raiseUnfinishedAlert(core, db, id);
        if (notified_at !== null) await recordNotification(core, db, id, notified_at);
      }
      return rows;
    });
    for (const { id } of closed) core.moved.tell(id);
    total += closed.length;
    if (closed.length < BATCH) return total;
  }
}
