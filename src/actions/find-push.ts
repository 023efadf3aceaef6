/** The push of a bank that a claim by the payer's number means (design.md section 5, "qr_interbank"). */
import type { Db } from '../store/schema.js';
import type { Core } from './core.js';
import type { Found } from './found.js';
import type { ClaimingSession } from './settle-claim.js';

/** @param number 11 digits or the last four. */
export async function findPush(
  _core: Core,
  _db: Db,
  _session: ClaimingSession,
  _number: string,
): Promise<Found> {
  return { outcome: 'none' };
}
