/**
 * Carries messages and reports to the server and brings back what it wants of the phone, one request at a
 * time, for as long as the agent lives. What an answer means is decided in verdict.ts and plan.ts; this file
 * only carries it out.
 */
import { packBatch } from './batch.js';
import { Bell } from './bell.js';
import { type CarryOutPorts, carryOut } from './carry-out.js';
import type { ErrorCode } from './errors.js';
import { reasonOf } from './errors.js';
import type { HealthReport } from './health.js';
import type { Line } from './line.js';
import type { Outbox, Report } from './outbox.js';
import { FIRST_PACE, type Pace, type Plan, planAfter, type WakeOn } from './plan.js';
import type { HttpReply, Random } from './ports.js';
import type { Resend } from './resend.js';
import { readVerdict, type Verdict } from './verdict.js';

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
  readonly onResend: (since: number) => void;
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
      if (once && plan.error !== null) return { kind: 'failed', ...plan.error };
      if (once && queue.size === 0 && !outbox.isBusy) return { kind: 'drained' };
      if (plan.wakeOn === 'anything' && (queue.size > 0 || outbox.hasReports)) continue;
      const mayWaitThere = this.#longPoll && !once && plan.error === null && (hasNews || !cameTooSoon);
      if (mayWaitThere) patienceMs = LONG_POLL_MS;
      else await this.#bell.wait(plan.waitMs, CAUSES[plan.wakeOn]);
    }
    return { kind: 'stopped' };
  }

  async #exchange(patienceMs: number): Promise<Exchange> {
    const { queue, outbox, resend, line, clock, random, health, appVersion } = this.#ports;
    // A person who reads of the trouble may have paired the phone anew.
    if (this.#pace.failures > 0) await line.renew();
    const head = queue.head(this.#pace.batchLimit);
    // A message that is refused alone is buried; nothing else in the request may be the reason.
    const reports = this.#pace.batchLimit > 1 ? outbox.reports() : [];
    const waitMs = head.length + reports.length > 0 ? 0 : patienceMs;
    const batch = packBatch(head, queue.size, health(), appVersion, {
      reports,
      outbox: outbox.holding(reports),
      waitMs,
      resentSince: resend.done((id) => queue.has(id)),
    });
    const reply = await this.#send(batch.body, waitMs);
    if (reply === 'cut') return { kind: 'cut' };
    const verdict = readVerdict(reply, clock.now());
    const sent = batch.messages.map((message) => message.id);
    const plan = planAfter(verdict, sent, this.#pace, random());
    const done = await carryOut(this.#ports, plan, batch.messages);
    this.#pace = done.pace;
    const hasNews = verdict.kind === 'accepted' && (await this.#follow(verdict, reports));
    this.#ports.onExchange(verdict, done.error);
    return { kind: 'done', plan: done, hasNews };
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
      onResend(since);
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
