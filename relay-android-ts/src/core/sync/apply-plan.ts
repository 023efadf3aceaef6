/** Does what a plan says: messages leave the queue, or are kept aside as dead letters. */

import { reasonOf } from '../errors.js';
import type { QueuedMessage } from '../inbox/queue.js';
import type { Runtime } from '../ports.js';
import type { Stores } from '../stores.js';
import type { Plan } from './after-answer.js';

/** Delay before another try on a full disk. */
const STORAGE_RETRY_MS = 5_000;

export interface ApplyPlanPorts
  extends Pick<Stores, 'queue' | 'deadLetters'>,
    Pick<Runtime, 'clock' | 'log'> {
  /** Called with the ids of messages that the server has answered for, when that is on the disk. */
  readonly onDelivered: (ids: readonly string[]) => void;
}

/** Dead letters come first: a crash between keeps both. Returns the plan as it could be done. */
export async function applyPlan(
  ports: ApplyPlanPorts,
  plan: Plan,
  messages: readonly QueuedMessage[],
): Promise<Plan> {
  const { queue, deadLetters, log, onDelivered } = ports;
  const isDeadLettered = await deadLetter(ports, plan, messages);
  const leaving = [...plan.taken, ...(isDeadLettered ? plan.rejected.map(({ id }) => id) : [])];
  if (leaving.length > 0 && !(await queue.settle(leaving))) {
    log.warn('the queue file cannot be written; delivery goes on, delivered messages may be sent again');
  }
  await deadLetters.note('stored', plan.taken).catch((error) => {
    log.warn('the dead letters cannot be written; some that the server has may be sent once more', {
      reason: reasonOf(error),
    });
  });
  if (leaving.length > 0) onDelivered(leaving);
  if (isDeadLettered) return plan;
  const error = { code: 'storage_failed', reason: 'dead letters cannot be written' } as const;
  return { ...plan, waitMs: STORAGE_RETRY_MS, wakeOn: 'stop', error };
}

async function deadLetter(
  ports: ApplyPlanPorts,
  plan: Plan,
  messages: readonly QueuedMessage[],
): Promise<boolean> {
  const { deadLetters, clock, log } = ports;
  const reasons = new Map(plan.rejected.map(({ id, reason }) => [id, reason]));
  const letters = messages.flatMap((message) => {
    const reason = reasons.get(message.id);
    return reason === undefined ? [] : [{ message, reason, at: clock.now() }];
  });
  try {
    await deadLetters.add(letters);
  } catch (error) {
    log.warn('dead letters cannot be written; their messages stay in the queue', {
      reason: reasonOf(error),
    });
    return false;
  }
  for (const { message, reason } of letters) {
    log.warn('the server refuses a message; it is kept as a dead letter', {
      id: message.id,
      sender: message.sender,
      length: message.body.length,
      reason,
    });
  }
  return true;
}
