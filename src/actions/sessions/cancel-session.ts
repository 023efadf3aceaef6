/** A customer cancels a hosted payment. */
import { isOpen } from '../../domain/sessions/session.js';
import { hostedSession } from '../../store/tables/checkout.js';
import { lockSession } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { moveSession } from './move-session.js';

/**
 * Does nothing to a session that is over, or that a person is looking at: there may be money in it.
 * @returns whether it was cancelled now.
 */
export async function cancelSession(core: Core, id: string): Promise<boolean> {
  const cancelled = await core.store.write(async (db) => {
    // A claim that comes at the same moment may put it under review, which leaves it PENDING.
    await lockSession(db, id);
    const session = await hostedSession.first(db, { id });
    if (session === undefined || session.reason === 'review') return false;
    if (!isOpen(session, core.clock.now())) return false;
    await moveSession(core, db, { session, event: 'cancel', who: 'customer' });
    return true;
  });
  if (cancelled) core.moved.tell(id);
  return cancelled;
}
