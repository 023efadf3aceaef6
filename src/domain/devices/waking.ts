/**
 * What a phone that listens is to be woken for, told from what stands in the store. Knows neither streams nor
 * who has put it there.
 */

/** SMS wait to be sent; SMS are asked for again; its key is dead, by `devices revoke` or `devices rotate`. */
export type WakeReason = 'dispatch' | 'resend' | 'revoked';

/** What is in the store for a phone. */
export interface PhoneCalls {
  readonly keyHash: string;
  readonly isRevoked: boolean;
  /** From when on it is to send its SMS again, milliseconds since the epoch. */
  readonly resendSince: number | null;
  /** The last of the SMS that wait to be handed out; identifiers grow with time (base/values/ids). */
  readonly newestQueued: string | null;
}

/** What somebody who listens for a phone has been told so far. */
export type Told = Pick<PhoneCalls, 'resendSince' | 'newestQueued'>;

export const TOLD_NOTHING: Told = { resendSince: null, newestQueued: null };

/**
 * What waits on, because a phone may send only so many a minute, is no news: it will ask again in time.
 * @param keyHash of the key that the phone came with.
 * @param calls null for a phone that is not there.
 * @returns `revoked` alone, or any of the others, or nothing.
 */
export function reasonsToWake(keyHash: string, told: Told, calls: PhoneCalls | null): readonly WakeReason[] {
  if (calls === null || calls.isRevoked || calls.keyHash !== keyHash) return ['revoked'];
  const { newestQueued, resendSince } = calls;
  const reasons: WakeReason[] = [];
  if (newestQueued !== null && newestQueued > (told.newestQueued ?? '')) reasons.push('dispatch');
  if (resendSince !== null && resendSince !== told.resendSince) reasons.push('resend');
  return reasons;
}
