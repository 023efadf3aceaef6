/**
 * Carries messages from the queue to the server, one request at a time, for as long as the agent lives.
 * What an answer means is decided in verdict.ts and plan.ts; this file only carries it out.
 */
import { packBatch } from './batch.js';
import { Bell } from './bell.js';
import type { DeadLetters } from './dead-letters.js';
import type { ErrorCode } from './errors.js';
import { reasonOf } from './errors.js';
import type { Line } from './line.js';
import type { QueuedMessage } from './message.js';
import { FIRST_PACE, type Pace, type Plan, planAfter, type WakeOn } from './plan.js';
import type { Clock, HealthReading, Log, Random } from './ports.js';
import type { Queue } from './queue.js';
import { readVerdict, type Verdict } from './verdict.js';

/** How long a request may go on after the agent was told to stop. */
const STOP_GRACE_MS = 5_000;

/** A full disk is not freed in a moment, and not by asking the server again. */
const STORAGE_RETRY_MS = 5_000;

export type Wake = 'news' | 'network' | 'stop';

const CAUSES: Readonly<Record<WakeOn, readonly Wake[]>> = {
  anything: ['news', 'network', 'stop'],
  network: ['network', 'stop'],
  stop: ['stop'],
};

export type SyncEnd =
  | { readonly kind: 'stopped' }
  /** Only with `once`: everything has been delivered. */
  | { readonly kind: 'drained' }
  /** Only with `once`: a request brought nothing forward. */
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly reason: string };

export interface SyncPorts {
  readonly queue: Queue;
  readonly deadLetters: DeadLetters;
  readonly line: Line;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly appVersion: string;
  readonly health: () => HealthReading;
  /** Told after every exchange. */
  readonly onExchange: (verdict: Verdict, error: Plan['error']) => void;
}

export class SyncPump {
  readonly #ports: SyncPorts;
  readonly #bell: Bell<Wake>;
  readonly #abort = new AbortController();
  #pace: Pace = FIRST_PACE;
  #stopping = false;
  #over = false;
  #cancelAbort: () => void = () => {};

  constructor(ports: SyncPorts) {
    this.#ports = ports;
    this.#bell = new Bell(ports.clock);
  }

  /** Something new may be told, or the network may be there again. */
  wake(cause: 'news' | 'network'): void {
    this.#bell.ring(cause);
  }

  /** Lets the request in flight finish, within bounds, and ends `run`. */
  stop(): void {
    if (this.#over || this.#stopping) return;
    this.#stopping = true;
    this.#bell.ring('stop');
    this.#cancelAbort = this.#ports.clock.after(STOP_GRACE_MS, () => this.#abort.abort());
  }

  /** Runs until stopped; with `once` until the queue is empty or a request fails. */
  async run(once: boolean): Promise<SyncEnd> {
    try {
      return await this.#deliver(once);
    } finally {
      this.#over = true;
      this.#cancelAbort();
    }
  }

  async #deliver(once: boolean): Promise<SyncEnd> {
    const { queue } = this.#ports;
    while (!this.#stopping) {
      // Rings from before the batch is packed are answered by this very exchange.
      this.#bell.clear('news');
      this.#bell.clear('network');
      const plan = await this.#exchange();
      if (once && plan.error !== null) return { kind: 'failed', ...plan.error };
      if (once && queue.size === 0) return { kind: 'drained' };
      const goOn = plan.wakeOn === 'anything' && queue.size > 0;
      if (!goOn) await this.#bell.wait(plan.waitMs, CAUSES[plan.wakeOn]);
    }
    return { kind: 'stopped' };
  }

  async #exchange(): Promise<Plan> {
    const { queue, line, clock, random, health, appVersion } = this.#ports;
    // A person who reads of the trouble may have paired the phone anew.
    if (this.#pace.failures > 0) await line.renew();
    const batch = packBatch(queue.head(this.#pace.batchLimit), queue.size, health(), appVersion);
    const reply = await line.sync(batch.body, this.#abort.signal);
    const verdict = readVerdict(reply, clock.now());
    const sent = batch.messages.map((message) => message.id);
    const plan = planAfter(verdict, sent, this.#pace, random());
    const done = await this.#carryOut(plan, batch.messages);
    this.#pace = done.pace;
    this.#ports.onExchange(verdict, done.error);
    return done;
  }

  /** Dead letters are on the disk before their messages leave the queue: a crash between keeps both. */
  async #carryOut(plan: Plan, messages: readonly QueuedMessage[]): Promise<Plan> {
    const { queue, log } = this.#ports;
    const buried = await this.#bury(plan, messages);
    queue.postpone(plan.unanswered);
    const leaving = [...plan.taken, ...(buried ? plan.rejected.map(({ id }) => id) : [])];
    if (leaving.length > 0 && !(await queue.settle(leaving))) {
      log.warn('the queue file cannot be written; delivery goes on, delivered messages may be sent again');
    }
    if (buried) return plan;
    const reason = 'dead letters cannot be written';
    return {
      ...plan,
      waitMs: STORAGE_RETRY_MS,
      wakeOn: 'stop',
      error: { code: 'storage_failed', reason },
    };
  }

  async #bury(plan: Plan, messages: readonly QueuedMessage[]): Promise<boolean> {
    const { deadLetters, clock, log } = this.#ports;
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
      log.warn('the server refuses a message for good; it is kept as a dead letter', {
        id: message.id,
        sender: message.sender,
        length: message.body.length,
        reason,
      });
    }
    return true;
  }
}
