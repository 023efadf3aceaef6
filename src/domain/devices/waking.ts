/** Decides why a listening phone is woken, from the store. Knows no streams. */

/** `dispatch`: SMS to send. `resend`: SMS requested again. `revoked`: key revoked or rotated. */
export type WakeReason = 'dispatch' | 'resend' | 'revoked';

/** Stored state that determines why a phone is woken. */
export interface PhoneCalls {
  readonly keyHash: string;
  readonly isRevoked: boolean;
  /** Time from which to resend SMS, milliseconds since the epoch; null if none is requested. */
  readonly resendSince: number | null;
  /** The newest queued dispatch; identifiers grow with time (base/values/ids). */
  readonly newestQueued: string | null;
}

/** State that the subscriber of a phone was last notified of. */
export type LastReported = Pick<PhoneCalls, 'resendSince' | 'newestQueued'>;

export const NOTHING_REPORTED: LastReported = { resendSince: null, newestQueued: null };

/**
 * Dispatches that wait for the limit per minute do not wake the phone: it polls in time.
 * @param keyHash of the key that the phone came with.
 * @param calls null for a phone that is not there.
 * @returns `revoked` alone, or any of the others, or nothing.
 */
export function wakeReasons(
  keyHash: string,
  lastReported: LastReported,
  calls: PhoneCalls | null,
): readonly WakeReason[] {
  if (calls === null || calls.isRevoked || calls.keyHash !== keyHash) return ['revoked'];
  const { newestQueued, resendSince } = calls;
  const reasons: WakeReason[] = [];
  const before = lastReported.newestQueued;
  if (newestQueued !== null && (before === null || newestQueued > before)) reasons.push('dispatch');
  if (resendSince !== null && resendSince !== lastReported.resendSince) reasons.push('resend');
  return reasons;
}
