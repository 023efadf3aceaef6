/**
 * The states of a payment session and every move between them, in one table:
 *
 *   PENDING ──credit──► COMPLETED (final)        PENDING ──review──► PENDING, reason "review"
 *   PENDING ──part──► PENDING, reason "partial"
 *   PENDING ──cancel, expire, reject──► FAILED   FAILED ──approve──► COMPLETED, by an operator only
 */
import type { Paisa } from '../../base/values/money.js';

export const STATUSES = ['PENDING', 'COMPLETED', 'FAILED'] as const;
export type SessionStatus = (typeof STATUSES)[number];
export type SessionEvent = 'credit' | 'part' | 'review' | 'cancel' | 'expire' | 'reject' | 'approve';

interface Move {
  readonly from: SessionStatus;
  readonly to: SessionStatus;
  /** The session's `reason` after the change. */
  readonly reason: string;
}

const SESSION_MOVES: Readonly<Record<SessionEvent, readonly Move[]>> = {
  credit: [{ from: 'PENDING', to: 'COMPLETED', reason: 'credited' }],
  part: [{ from: 'PENDING', to: 'PENDING', reason: 'partial' }],
  review: [{ from: 'PENDING', to: 'PENDING', reason: 'review' }],
  cancel: [{ from: 'PENDING', to: 'FAILED', reason: 'cancelled' }],
  expire: [{ from: 'PENDING', to: 'FAILED', reason: 'expired' }],
  reject: [{ from: 'PENDING', to: 'FAILED', reason: 'rejected' }],
  approve: [
    { from: 'PENDING', to: 'COMPLETED', reason: 'approved' },
    { from: 'FAILED', to: 'COMPLETED', reason: 'approved' },
  ],
};

/** @returns the move that `event` makes from `status`, or null where it makes none. */
export function findTransition(status: SessionStatus, event: SessionEvent): Move | null {
  return SESSION_MOVES[event].find((move) => move.from === status) ?? null;
}

/** Largest amount of a session, in paisa. */
export const MAX_SESSION_PAISA: Paisa = 100_000_000;
/** Smallest amount: a paisa for headless, one taka for hosted. */
export const MIN_SESSION_PAISA: Readonly<Record<'hosted' | 'headless', Paisa>> = { hosted: 100, headless: 1 };

export interface SessionTimes {
  readonly status: SessionStatus;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

/** True while a session can still be paid. A session under review does not expire. */
export function isOpen(session: SessionTimes, now: number): boolean {
  if (session.status !== 'PENDING') return false;
  return session.reason === 'review' || now < session.expires_at;
}

/**
 * @param now milliseconds since the epoch.
 * @returns status and reason as they are reported: a session past its expiry has failed, even before the job
 * has stored that.
 */
export function statusAt(session: SessionTimes, now: number): Pick<SessionTimes, 'status' | 'reason'> {
  const { status, reason } = session;
  const isOver = status === 'PENDING' && !isOpen(session, now);
  return isOver ? { status: 'FAILED', reason: 'expired' } : { status, reason };
}

/** Placeholder for a missing name; never shown to customers. */
export const DEFAULT_CUSTOMER = 'Default Name';

/** Mail to this domain is never delivered. */
export const PLACEHOLDER_EMAIL = 'customer@example.com';
