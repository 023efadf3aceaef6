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
import { tellPayment } from '../alerts/raise-alert.js';
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
  /** Its reason as it was read, where the move holds only while that is so. */
  readonly was?: string;
}

/**
 * Only while the session is as it was read: otherwise nothing of the unit of work may stay, and all is
 * decided again.
 * @throws RetryableConflict
 */
export async function moveSession(core: Means, db: Db, input: SessionMove): Promise<void> {
  const { session, event, was } = input;
  const move = rowMoveOf(core, input);
  if (move === null) throw moved(event);
  const told = await (was === undefined
    ? moveSessionRow.first(db, move)
    : movePaidSession.first(db, { ...move, was }));
  if (told === undefined) throw moved(event);
  await auditMove(core, db, input, move);
  if (move.to === 'COMPLETED') await tellPaid(core, db, session.id, told);
  if (told.notified_at !== null) await recordNotification(core, db, session.id, told.notified_at);
}

type RowMove = Parameters<typeof moveSessionRow.first>[1];

function rowMoveOf(core: Means, { session, event }: Pick<SessionMove, 'session' | 'event'>): RowMove | null {
  const move = moveOf(session.status, event);
  return move && { id: session.id, ...move, closedAt: move.to === 'PENDING' ? null : core.clock.now() };
}

const moved = (event: SessionEvent) => new RetryableConflict(`session moved before the event ${event}`);

function auditMove(
  core: Means,
  db: Db,
  { session, event, who, about = {} }: SessionMove,
  move: RowMove,
): Promise<void> {
  const change = { before: { status: move.from }, after: { status: move.to, ...about } };
  return audit(core, db, who, `payment.${event}`, session.id, change);
}

/** @param told what the move has answered: whether anybody wants to hear of it. */
async function tellPaid(
  core: Means,
  db: Db,
  session: string,
  told: Pick<NonNullable<Awaited<ReturnType<typeof moveSessionRow.first>>>, 'awaited' | 'receipted'>,
): Promise<void> {
  if (Number(told.awaited) === 1) await tellPayment(core, db, session);
  if (Number(told.receipted) === 1) await queueReceipt(core, db, session);
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
