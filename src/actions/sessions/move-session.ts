/**
 * Changes the state of one session, with audit and notification, inside the unit of work that decided it. All
 * changes go through here, except bulk expiry (expire-sessions).
 */
import {
  isOpen,
  moveOf,
  type SessionEvent,
  type SessionStatus,
  type SessionTimes,
} from '../../domain/sessions/session.js';
import { RetryableConflict } from '../../store/driver-errors.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { movePaidSession, moveSession as moveSessionRow } from '../../store/tables/sessions.js';
import { tellPayment } from '../alerts/tell-payment.js';
import type { Means } from '../core/core.js';
import { recordNotification } from '../notifications/record-notification.js';
import { queueReceipt } from './queue-receipt.js';

export interface SessionMove {
  readonly session: { readonly id: string; readonly status: SessionStatus };
  readonly event: SessionEvent;
  /** `rule`, `customer` or `cli:<user>`. */
  readonly who: string;
  /** What the audit keeps beside the new status. */
  readonly about?: Readonly<Record<string, unknown>>;
}

/**
 * Only while the session is as it was read: otherwise nothing of the unit of work may stay, and all is
 * decided again.
 * @throws RetryableConflict
 */
export async function moveSession(core: Means, db: Db, input: SessionMove): Promise<void> {
  const move = rowMoveOf(core, input);
  const moved = move && (await moveSessionRow.first(db, move));
  await recordMove(core, db, input, move, moved);
}

/**
 * The same of a session that is paid, together with its credit.
 * @param proof identifier of what is credited. @param credit begun, and not waited for.
 * @returns `taken`, and nothing is moved, where the credit says so.
 * @throws RetryableConflict
 */
export async function movePaid(
  core: Means,
  db: Db,
  input: SessionMove & { readonly proof: string },
  credit: Promise<'credited' | 'taken'>,
): Promise<'credited' | 'taken'> {
  const move = rowMoveOf(core, input);
  const [outcome, moved] = await Promise.all([
    credit,
    move && movePaidSession.first(db, { ...move, proof: input.proof }),
  ]);
  if (outcome === 'credited') await recordMove(core, db, input, move, moved);
  return outcome;
}

type RowMove = Parameters<typeof moveSessionRow.first>[1];

function rowMoveOf(core: Means, { session, event }: SessionMove): RowMove | null {
  const move = moveOf(session.status, event);
  return move && { id: session.id, ...move, closedAt: move.to === 'PENDING' ? null : core.clock.now() };
}

async function recordMove(
  core: Means,
  db: Db,
  { session, event, who, about = {} }: SessionMove,
  move: RowMove | null,
  moved: Awaited<ReturnType<typeof moveSessionRow.first>> | null,
): Promise<void> {
  if (!move || !moved) throw new RetryableConflict(`session moved before the event ${event}`);
  const change = { before: { status: move.from }, after: { status: move.to, ...about } };
  await audit(core, db, who, `payment.${event}`, session.id, change);
  if (move.to === 'COMPLETED' && Number(moved.awaited) === 1) await tellPayment(core, db, session.id);
  if (move.to === 'COMPLETED' && Number(moved.receipted) === 1) await queueReceipt(core, db, session.id);
  if (moved.notified_at !== null) await recordNotification(core, db, session.id, moved.notified_at);
}

/** An expired session is closed by the job or by a late claim, whichever comes first. */
export async function closeOverdue(core: Means, db: Db, session: SessionMove['session']): Promise<void> {
  if (session.status === 'PENDING') await moveSession(core, db, { session, event: 'expire', who: 'rule' });
}

/** A person decides on it, and until then it does not run out; one whose time is over is closed. */
export async function putUnderReview(
  core: Means,
  db: Db,
  session: SessionTimes & SessionMove['session'],
  who: SessionMove['who'],
  about: NonNullable<SessionMove['about']>,
): Promise<void> {
  if (!isOpen(session, core.clock.now())) return closeOverdue(core, db, session);
  await moveSession(core, db, { session, event: 'review', who, about });
}
