/**
 * Carries messages and reports to the server and brings back what it wants of the phone, one request at a
 * time, for as long as the agent lives. What an answer means is decided in verdict.ts and plan.ts; this file
 * only carries it out.
 */

import type { ErrorCode } from '../errors.js';
import { reasonOf } from '../errors.js';
import type { HealthReport } from '../health.js';
import { HeldBack } from '../inbox/held-back.js';
import type { QueuedMessage } from '../inbox/message.js';
import type { Outbox, Report } from '../outbox/outbox.js';
import type { HttpReply, Random } from '../ports.js';
import { Bell } from '../time/interruptible-wait.js';
import { FIRST_PACE, type Pace, type Plan, planAfter, type WakeOn } from './after-answer.js';
import { packBatch } from './batch.js';
import { type CarryOutPorts, carryOut } from './carry-out.js';
import type { Resend } from './resend.js';
import { readVerdict, type Verdict } from './server-answer.js';
import type { Line } from './server-calls.js';

/** How long a request may go on after the agent was told to stop. */
const STOP_GRACE_MS = 5_000;
/** How long the server may hold a request for news; many networks cut what is silent for longer. */
const LONG_POLL_MS = 25_000;
/** A server that answers sooner, and without news, does not wait: it is not asked to without a pause. */
const LEAST_HELD_MS = 1_000;

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

export interface SyncPorts extends CarryOutPorts {
  readonly outbox: Outbox;
  readonly resend: Resend;
  readonly line: Line;
  readonly random: Random;
  readonly appVersion: string;
  readonly health: () => HealthReport;
  /** Told after every exchange. */
  readonly onExchange: (verdict: Verdict, error: Plan['error']) => void;
  /** Told when SMS to be sent are in the outbox. */
  readonly onDispatches: () => void;
  /** The server wants everything again from this time on (Unix epoch, milliseconds). */
  readonly onResend: (since: number) => Promise<void> | void;
}

/** What came of one request; `cut`: it was only waiting for news, and there is something to say instead. */
type Exchange =
  | { readonly kind: 'done'; readonly plan: Plan; readonly hasNews: boolean }
  | { readonly kind: 'cut' };

export class SyncPump {
  readonly #ports: SyncPorts;
  readonly #bell: Bell<Wake>;
  #abort = new AbortController();
  /** The request in flight only waits at the server for news. */
  #isWaitingThere = false;
  #longPoll = false;
  #pace: Pace = FIRST_PACE;
  readonly #heldBack = new HeldBack();
  /** Failed alone just now. */
  #suspect: Plan['suspect'] = null;
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
    if (this.#isWaitingThere) this.#abort.abort();
  }

  /** Why some messages are not delivered although the server answers, in one line; null if all are. */
  get trouble(): string | null {
    return this.#heldBack.trouble();
  }

  /** Whether idle requests should wait at the server for news. */
  waitThere(wanted: boolean): void {
    if (wanted && !this.#longPoll) this.#bell.ring('news');
    this.#longPoll = wanted;
  }

  /** Lets the request in flight finish, within bounds, and ends `run`. */
  stop(): void {
    if (this.#over || this.#stopping) return;
    this.#stopping = true;
    this.#bell.ring('stop');
    if (this.#isWaitingThere) this.#abort.abort();
    this.#cancelAbort = this.#ports.clock.after(STOP_GRACE_MS, () => this.#abort.abort());
  }

  /** Runs until stopped; with `once` until nothing waits any more or a request fails. */
  async run(once: boolean): Promise<SyncEnd> {
    try {
      return await this.#deliver(once);
    } finally {
      this.#over = true;
      this.#cancelAbort();
    }
  }

  async #deliver(once: boolean): Promise<SyncEnd> {
    const { queue, outbox, clock } = this.#ports;
    const heldBack = this.#heldBack;
    let patienceMs = 0;
    while (!this.#stopping) {
      // Rings from before the batch is packed are answered by this very exchange.
      this.#bell.clear('news');
      this.#bell.clear('network');
      const begun = clock.now();
      const exchange = await this.#exchange(patienceMs);
      const cameTooSoon = patienceMs > 0 && clock.now() - begun < LEAST_HELD_MS;
      patienceMs = 0;
      if (exchange.kind === 'cut') continue;
      const { plan, hasNews } = exchange;
      const end = once ? this.#endOnce(plan) : null;
      if (end !== null) return end;
      const heldMs = plan.error === null ? heldBack.waitMs(clock.now()) : Number.POSITIVE_INFINITY;
      const hasWork = queue.size > heldBack.size || heldMs === 0 || outbox.hasReports;
      if (plan.wakeOn === 'anything' && hasWork) continue;
      const mayWaitThere = this.#longPoll && !once && plan.error === null && (hasNews || !cameTooSoon);
      if (mayWaitThere) patienceMs = LONG_POLL_MS;
      else await this.#bell.wait(Math.min(plan.waitMs, heldMs), CAUSES[plan.wakeOn]);
    }
    return { kind: 'stopped' };
  }

  /** Whether a run that ends by itself is over after this. */
  #endOnce({ suspect, error }: Plan): SyncEnd | null {
    const { queue, outbox } = this.#ports;
    // The next request tells whether it is the message, and then the others have their turn.
    if (suspect !== null) return null;
    if (error !== null) return { kind: 'failed', ...error };
    if (queue.size > this.#heldBack.size || outbox.isBusy) return null;
    const { reason } = this.#heldBack;
    return reason === undefined ? { kind: 'drained' } : { kind: 'failed', code: 'server_error', reason };
  }

  async #exchange(patienceMs: number): Promise<Exchange> {
    const { queue, outbox, resend, line, clock, random, health, appVersion } = this.#ports;
    // A person who reads of the trouble may have paired the phone anew.
    if (this.#pace.failures > 0) await line.renew();
    const { head, reports } = this.#next();
    const waitMs = head.length + reports.length > 0 ? 0 : patienceMs;
    const batch = packBatch(head, queue.size, health(), appVersion, {
      reports,
      outbox: outbox.holding(reports),
      waitMs,
      resentSince: resend.done((id) => queue.has(id)),
    });
    const reply = await this.#send(batch.body, waitMs);
    if (reply === 'cut') return { kind: 'cut' };
    const ids = batch.messages.map((message) => message.id);
    const verdict = readVerdict(reply, { sent: ids, seal: (text) => line.seal(text) }, clock.now());
    const sent = { ids, isAlone: ids.length === 1 && reports.length === 0 };
    const plan = planAfter(verdict, sent, this.#pace, random());
    const done = await carryOut(this.#ports, plan, batch.messages);
    if (verdict.kind === 'accepted') this.#judgeSuspect(ids);
    this.#suspect = plan.suspect;
    this.#pace = done.pace;
    const hasNews = verdict.kind === 'accepted' && (await this.#follow(verdict, reports));
    this.#ports.onExchange(verdict, done.error);
    return { kind: 'done', plan: done, hasNews };
  }

  /**
   * What goes next: nothing, to see whether the line is well without the suspect; else all that may share a
   * request; else, while the line is well, one message that has to go alone.
   */
  #next(): { readonly head: readonly QueuedMessage[]; readonly reports: readonly Report[] } {
    const { queue, outbox, clock } = this.#ports;
    const { batchLimit, failures } = this.#pace;
    if (this.#suspect !== null) return { head: [], reports: [] };
    const head = queue.head(batchLimit, (id) => this.#heldBack.has(id));
    const due = head.length > 0 || failures > 0 ? undefined : this.#heldBack.due(clock.now());
    const lone = due === undefined ? undefined : queue.get(due);
    if (lone !== undefined) return { head: [lone], reports: [] };
    return { head, reports: batchLimit > 1 ? outbox.reports() : [] };
  }

  /** The server has answered for these messages, or for none, which only the suspect had kept it from. */
  #judgeSuspect(answered: readonly string[]): void {
    const { clock, random } = this.#ports;
    this.#heldBack.release(answered);
    if (this.#suspect !== null) this.#heldBack.hold(this.#suspect, clock.now(), random());
  }

  async #send(body: string, waitMs: number): Promise<HttpReply | 'cut'> {
    const abort = new AbortController();
    this.#abort = abort;
    this.#isWaitingThere = waitMs > 0;
    try {
      const reply = await this.#ports.line.sync(body, abort.signal, waitMs);
      return waitMs > 0 && abort.signal.aborted ? 'cut' : reply;
    } finally {
      this.#isWaitingThere = false;
    }
  }

  /** Does what the server wants beside the messages. Returns whether it wanted anything. */
  async #follow(
    verdict: Extract<Verdict, { kind: 'accepted' }>,
    reports: readonly Report[],
  ): Promise<boolean> {
    const { outbox, resend, clock, log, onDispatches, onResend } = this.#ports;
    await outbox.told(reports);
    const since = resend.asked(verdict.resendSince);
    if (since !== null) {
      log.info('the server misses an SMS; everything is sent again', {
        since: new Date(since).toISOString(),
      });
      await onResend(since);
    }
    const taken = await outbox.take(verdict.dispatches, clock.now()).catch((error) => {
      // Not in the journal, so the server hears with the next request that they never arrived.
      log.warn('SMS to be sent cannot be kept; the server keeps them', { reason: reasonOf(error) });
      return 0;
    });
    if (taken > 0) onDispatches();
    return taken > 0 || since !== null;
  }
}
