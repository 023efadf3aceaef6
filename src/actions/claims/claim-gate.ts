/** Whether a session takes a claim at all, before anything is looked for. */
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { claimedSession } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import type { Claim, ClaimedSession, Verdict } from './claim-verdict.js';

/** A shop's claim may still find money for this long after the session's end. */
const LATE_CLAIM_MS = 24 * 3_600_000;

/** @returns the session that a claim names, of its brand. */
export function sessionOf(db: Db, { sessionId: id, brand, method: channel, reference }: Claim) {
  return claimedSession.first(db, { id, brand: brand.brandId, channel, reference });
}

/** @returns why a session takes no claim, or null if it takes this one. */
export function gate(core: Core, claim: Claim, session: ClaimedSession): Verdict | null {
  const { source } = claim;
  if (session.status === 'COMPLETED') return { outcome: 'session_completed' };
  const now = core.clock.now();
  if (!isOpen(session, now) && !acceptsClaim(claim, session, now)) return { outcome: 'session_not_found' };
  if (source === 'recheck' || session.misses < core.settings.missesPerSession) return null;
  // Asking again for what was claimed before costs nothing.
  return session.claimed_at === null ? { outcome: 'too_many_attempts' } : null;
}

/** Whether a session that is over takes this claim, for a person to decide. */
function acceptsClaim({ source }: Claim, { reason, expires_at }: ClaimedSession, now: number): boolean {
  if (source !== 'shop') return reason !== 'rejected';
  const hasRunOut = reason !== 'rejected' && reason !== 'cancelled';
  return hasRunOut && now < expires_at + LATE_CLAIM_MS;
}
