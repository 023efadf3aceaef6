/** A customer cancels a hosted payment, or an operator any that is open. */
import { KashboxError } from '../../base/errors/errors.js';
import { isOpen, type SessionStatus, type SessionTimes, statusAt } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { hostedSession } from '../../store/tables/checkout.js';
import { lockSession } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { showPayment } from './list-payments.js';
import { transitionSession } from './transition-session.js';

type Payment = Awaited<ReturnType<typeof showPayment>>;

/**
 * Cancels a session unless it is over or under review, when money may have been paid for it.
 * @returns true if this call cancelled it.
 */
export async function cancelSession(core: Core, id: string, who = 'customer'): Promise<boolean> {
  const cancelled = await core.store.write(async (db) => {
    // A claim that comes at the same moment may put it under review, which leaves it PENDING.
    await lockSession(db, id);
    const session = await hostedSession.first(db, { id });
    return session !== undefined && cancel(core, db, session, who);
  });
  if (cancelled) core.moved.tell(id);
  return cancelled;
}

/**
 * @param input.payment session id or gateway reference.
 * @throws KashboxError `not_found`, `state_refused` (over, or under review)
 */
export async function cancelPayment(
  core: Core,
  input: { readonly payment: string; readonly who: string },
): Promise<Payment> {
  const { id } = await showPayment(core, input.payment);
  await core.store.write(async (db) => {
    await lockSession(db, id);
    const session = await db.query
      .selectFrom('sessions')
      .where('id', '=', id)
      .select(['id', 'status', 'reason', 'expires_at', 'gateway_reference'])
      .executeTakeFirstOrThrow();
    if (!(await cancel(core, db, session, input.who))) throw refused(session, core.clock.now());
  });
  core.moved.tell(id);
  return showPayment(core, id);
}

type Cancellable = SessionTimes & { readonly id: string; readonly status: SessionStatus };

async function cancel(core: Core, db: Db, session: Cancellable, who: string): Promise<boolean> {
  if (session.reason === 'review' || !isOpen(session, core.clock.now())) return false;
  await transitionSession(core, db, { session, event: 'cancel', who });
  return true;
}

function refused(session: SessionTimes & { readonly gateway_reference: string }, now: number): KashboxError {
  const { status, reason } = statusAt(session, now);
  const named = session.gateway_reference;
  if (status === 'PENDING') {
    return new KashboxError('state_refused', {
      message: `Payment ${named} is under review: the customer may have paid`,
      hint: `See it with \`kashbox verifications show ${named}\`, then approve or reject it there.`,
    });
  }
  return new KashboxError('state_refused', {
    message: `Only an open payment can be cancelled; ${named} is ${status} (${reason})`,
    hint: `See its status: kashbox payments show ${named}`,
  });
}
