/**
 * Does what a plan says about messages: those that the server has leave the queue, those that it refuses are
 * kept aside. Both only follow from an answer with a receipt.
 */

import { reasonOf } from '../errors.js';
import type { DeadLetters } from '../inbox/dead-letters.js';
import type { QueuedMessage } from '../inbox/message.js';
import type { Queue } from '../inbox/queue.js';
import type { Clock, Log } from '../ports.js';
import type { Plan } from './after-answer.js';

/** A full disk is not freed in a moment, and not by asking the server again. */
const STORAGE_RETRY_MS = 5_000;

export interface CarryOutPorts {
  readonly queue: Queue;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Dead letters are on the disk before their messages leave the queue: a crash between keeps both.
 * Returns the plan as it could be done.
 */
export async function carryOut(
  ports: CarryOutPorts,
  plan: Plan,
  messages: readonly QueuedMessage[],
): Promise<Plan> {
  const { queue, deadLetters, log } = ports;
  const buried = await bury(ports, plan, messages);
  const leaving = [...plan.taken, ...(buried ? plan.rejected.map(({ id }) => id) : [])];
  if (leaving.length > 0 && !(await queue.settle(leaving))) {
    log.warn('the queue file cannot be written; delivery goes on, delivered messages may be sent again');
  }
  await deadLetters.stored(plan.taken).catch((error) => {
    log.warn('the dead letters cannot be written; some that the server has may be sent once more', {
      reason: reasonOf(error),
    });
  });
  if (buried) return plan;
  const error = { code: 'storage_failed', reason: 'dead letters cannot be written' } as const;
  return { ...plan, waitMs: STORAGE_RETRY_MS, wakeOn: 'stop', error };
}

async function bury(ports: CarryOutPorts, plan: Plan, messages: readonly QueuedMessage[]): Promise<boolean> {
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
