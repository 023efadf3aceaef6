/**
 * Ends holds: claims whose money has arrived, but whose id may be a guess (actions/settlement/weak-evidence),
 * go to review after their time. Due claims are rows, so another daemon continues after a crash.
 */
import { clearHolds, leaseClaims, overdueHolds } from '../../store/tables/claims.js';
import { lockMerchant } from '../../store/tables/locks.js';
import type { Core } from '../core/core.js';
import { settleWaiting } from '../settlement/settle-waiting.js';
import { notifyListeners } from '../settlement/settled-sessions.js';

const BATCH = 200;
/** A merchant who is suspended is credited nothing until they are active again. */
const SUSPENDED_MS = 60_000;

/** @returns how many were due. */
export async function endHolds(core: Core): Promise<number> {
  const now = core.clock.now();
  const due = await core.store.read((db) => overdueHolds.all(db, { now, limit: BATCH }));
  for (const [merchant, claims] of Map.groupBy(due, ({ merchant_id }) => merchant_id)) {
    const ids = claims.map(({ id }) => id);
    const references = [...new Set(claims.map(({ reference }) => reference))];
    const isSuspended = claims[0]?.merchant_status === 'SUSPENDED';
    const result = await core.store.write(async (db) => {
      if (isSuspended) {
        await leaseClaims(db, ids, { now, until: now + SUSPENDED_MS });
        return null;
      }
      await lockMerchant(db, merchant);
      const settled = await settleWaiting(core, db, merchant, references);
      await clearHolds(db, ids, now);
      return settled;
    });
    if (result !== null) notifyListeners(core, result);
  }
  return due.length;
}
