/** Closes sessions whose time is over (domain/sessions/session, event `expire`). */
import { moveOf } from '../../domain/sessions/session.js';
import { audit } from '../../store/tables/audit.js';
import { releaseAmounts } from '../../store/tables/quotes.js';
import { moveExpired } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { recordNotification } from '../notifications/record-notification.js';

/** Few enough that a request which shares the commit does not notice. */
const BATCH = 200;

/**
 * Lets go of amounts whose time is over, too. Safe to run in several processes at once.
 * @returns how many sessions were closed.
 */
export async function expireSessions(core: Core): Promise<number> {
  const move = moveOf('PENDING', 'expire');
  if (move === null) return 0;
  const { from, to, reason } = move;
  const change = { before: { status: from }, after: { status: to } };
  await core.store.write((db) => releaseAmounts(db, core.clock.now()));
  for (let total = 0; ; ) {
    const now = core.clock.now();
    const closed = await core.store.write(async (db) => {
      const rows = await moveExpired.all(db, { now, limit: BATCH, to, reason });
      for (const { id, notified_at } of rows) {
        await audit(core, db, 'rule', 'payment.expire', id, change);
        if (notified_at !== null) await recordNotification(core, db, id, notified_at);
      }
      return rows;
    });
    for (const { id } of closed) core.moved.tell(id);
    total += closed.length;
    if (closed.length < BATCH) return total;
  }
}
