/**
 * Hands SMS from the outbox to the phone, one after the other, and keeps what came of each. What goes next is
 * decided in send-plan.ts.
 */

import { reasonOf } from '../errors.js';
import type { Clock, Dispatch, Log, Sender, SendOutcome } from '../ports.js';
import { Bell } from '../time/interruptible-wait.js';
import { withinTime } from '../time/within-time.js';
import type { Outbox } from './outbox.js';

/** A full disk is not freed in a moment. */
const STORAGE_RETRY_MS = 5_000;
/** A phone that has not taken an SMS by then does not hold up the next. */
const HAND_OVER_MS = 60_000;
/** By then a phone has told what it ever will. */
const OUTCOME_MS = 90_000;
/** What is on its way when the agent is told to stop may still be heard of. */
const STOP_GRACE_MS = 4_000;
const LONG_MS = 3_600_000;

export interface OutboxPumpPorts {
  readonly outbox: Outbox;
  readonly sender: Sender | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when there is something to report. */
  readonly onNews: () => void;
}

export class OutboxPump {
  readonly #ports: OutboxPumpPorts;
  readonly #bell: Bell<'work' | 'outcome' | 'stop'>;
  /** Sent, and not heard of yet: how to call off the wait for each. */
  readonly #unheard = new Map<string, () => void>();
  #stopping = false;

  constructor(ports: OutboxPumpPorts) {
    this.#ports = ports;
    this.#bell = new Bell(ports.clock);
  }

  /** Something was taken. */
  wake(): void {
    this.#bell.ring('work');
  }

  stop(): void {
    this.#stopping = true;
    this.#bell.ring('stop');
  }

  async run(): Promise<void> {
    while (!this.#stopping) {
      this.#bell.clear('work');
      const waitMs = await this.#step().catch((error) => {
        this.#ports.log.warn('the outbox cannot be written; nothing is sent until it can', {
          reason: reasonOf(error),
        });
        return STORAGE_RETRY_MS;
      });
      if (waitMs > 0) await this.#bell.wait(waitMs, ['work', 'stop']);
    }
    await this.#hearTheLast();
    this.#ports.sender?.close();
  }

  /** Returns how long there is nothing to do. */
  async #step(): Promise<number> {
    const { outbox, clock, onNews } = this.#ports;
    const step = outbox.next(clock.now());
    switch (step.kind) {
      case 'nothing':
        return LONG_MS;
      case 'wait':
        return step.ms;
      case 'expire':
        if (await outbox.note(step.id, { state: 'EXPIRED' })) onNews();
        return 0;
      case 'send':
        await this.#send(step.dispatch);
        return 0;
      default:
        return step satisfies never;
    }
  }

  async #send(dispatch: Dispatch): Promise<void> {
    const { outbox, sender, clock } = this.#ports;
    const { id } = dispatch;
    if (sender === null) return this.#hear(id, { state: 'FAILED', error: 'this platform cannot send' });
    await outbox.begin(id, clock.now());
    const silence: SendOutcome = { state: 'UNKNOWN', error: 'the phone did not tell what came of it' };
    this.#unheard.set(
      id,
      clock.after(OUTCOME_MS, () => void this.#hear(id, silence)),
    );
    const handed = sender
      .send(dispatch, (outcome) => void this.#hear(id, outcome))
      .catch((error) => this.#hear(id, { state: 'UNKNOWN', error: reasonOf(error) }));
    await withinTime(clock, handed, HAND_OVER_MS);
  }

  async #hear(id: string, outcome: SendOutcome): Promise<void> {
    const { outbox, log, onNews } = this.#ports;
    if (!(await outbox.note(id, outcome))) return;
    this.#unheard.get(id)?.();
    this.#unheard.delete(id);
    if ('error' in outcome) log.warn('an SMS was not sent, as far as is known', { id, ...outcome });
    else log.info('an SMS was sent', { id, state: outcome.state });
    this.#bell.ring('outcome');
    onNews();
  }

  async #hearTheLast(): Promise<void> {
    const end = this.#ports.clock.now() + STOP_GRACE_MS;
    for (;;) {
      this.#bell.clear('outcome');
      const left = end - this.#ports.clock.now();
      if (this.#unheard.size === 0 || left <= 0) break;
      await this.#bell.wait(left, ['outcome']);
    }
    for (const cancel of this.#unheard.values()) cancel();
  }
}
