/** The durable stores of the agent. */
import type { DeadLetters } from './inbox/dead-letters.js';
import type { Queue } from './inbox/queue.js';
import type { Outbox } from './outbox/outbox.js';

export interface Stores {
  readonly queue: Queue;
  readonly deadLetters: DeadLetters;
  readonly outbox: Outbox;
}
