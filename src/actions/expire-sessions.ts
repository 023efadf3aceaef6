/** Closes sessions whose time is over (domain/session, event `expire`). */
import { moveOf } from '../domain/session.js';
import { writeAudit } from '../store/tables/audit.js';
import { moveSession, sessionsToExpire } from '../store/tables/sessions.js';
import type { Core } from './core.js';

/** Few enough that a request which shares the commit does not notice. */
const BATCH = 200;

/** @returns how many sessions were closed. Safe to run in several processes at once. */
export async function expireSessions(core: Core): Promise<number> {
  const move = moveOf('PENDING', 'expire');
  if (move === null) return 0;
  for (let total = 0; ; ) {
    const now = core.clock.now();
    const due = await core.store.read((db) => sessionsToExpire.all(db, { now, limit: BATCH }));
    const closed = await core.store.write(async (db) => {
      let count = 0;
      for (const { id } of due) {
        const moved = await moveSession.first(db, { id, ...move, closedAt: now });
        if (moved === undefined) continue;
        count += 1;
        await writeAudit(db, core.random, {
          at: now,
          who: 'rule',
          action: 'payment.expire',
          subject: id,
          before: { status: move.from },
          after: { status: move.to },
        });
      }
      return count;
    });
    total += closed;
    if (due.length < BATCH) return total;
  }
}
