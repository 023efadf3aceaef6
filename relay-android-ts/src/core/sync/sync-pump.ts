/** Carries messages and reports to the server, and what it wants of the phone back, one request at a time. */
import { errorMessage, type RelayErrorCode } from '../errors.js';
import type { HealthReport } from '../health.js';
import type { QueuedMessage } from '../inbox/queue.js';
import type { Report } from '../outbox/outbox.js';
import type { HttpReply, Runtime, ServerLine } from '../ports.js';
import type { Stores } from '../stores.js';
import { Pump } from '../time/pump.js';
import { INITIAL_SYNC_PACE, planAfter, type SyncPace, type SyncPlan, type WakeOn } from './after-answer.js';
import { DeferredMessages, packBatch } from './batch.js';
import { parseVerdict, type SyncVerdict } from './server-answer.js';

/** Maximum duration for which a request continues after the agent was stopped. */
const STOP_GRACE_MS = 5_000;
/** Longest long poll; many networks cut connections that are silent for longer. */
const LONG_POLL_MS = 25_000;
/**
 * A server that answers an idle long poll sooner than this does not support waiting, and is called with
 * pauses.
 */
const LEAST_HELD_MS = 1_000;
/** Delay before another try on a full disk. */
const STORAGE_RETRY_MS = 5_000;

type Wake = 'news' | 'network';

const CAUSES: Readonly<Record<WakeOn, readonly Wake[]>> = {
  anything: ['news', 'network'],
  network: ['network'],
  stop: [],
};

export type SyncEnd =
  | { readonly kind: 'stopped' }
  /** Only with `once`: everything has been delivered. */
  | { readonly kind: 'drained' }
  /** Only with `once`: a request made no progress. */
  | { readonly kind: 'failed'; readonly code: RelayErrorCode; readonly reason: string };

export interface SyncPorts extends Stores, Runtime {
  readonly line: ServerLine;
  readonly appVersion: string;
  readonly health: () => HealthReport;
  /** Called after every request. */
  readonly onExchange: (verdict: SyncVerdict, error: SyncPlan['error']) => void;
  /** Called with the ids of messages that the server has answered for, when that is on the disk. */
  readonly onDelivered: (ids: readonly string[]) => void;
  /** Called when the outbox has new SMS to send. */
  readonly onDispatches: () => void;
  /** The server wants everything again from this time on (Unix epoch, milliseconds). */
  readonly onResend: (since: number) => Promise<void> | void;
}

/** Result of one request; `cut`: an idle long poll was aborted because there is something to send. */
type SyncExchange =
  | { readonly kind: 'done'; readonly plan: SyncPlan; readonly hasUpdates: boolean }
  | { readonly kind: 'cut' };

export class SyncPump extends Pump<SyncPorts, Wake> {
  private abort = new AbortController();
  /** The request in flight only waits at the server for news. */
  private isWaitingThere = false;
  private longPoll = false;
  private pace: SyncPace = INITIAL_SYNC_PACE;
  private readonly heldBack = new DeferredMessages();
  private readonly resend = new Resend();
  /** Failed alone just now. */
  private suspect: SyncPlan['suspect'] = null;
  private cancelAbort: () => void = () => {};

  /** Something new to report, or the network may be back. */
  wake(cause: 'news' | 'network'): void {
    this.timer.notify(cause);
    if (this.isWaitingThere) this.abort.abort();
  }

  /** One line about why messages are not delivered although the server answers; null if there are none. */
  get problem(): string | null {
    return this.heldBack.problem();
  }

  /** Enables or disables long polling for idle requests. */
  waitThere(wanted: boolean): void {
    if (wanted && !this.longPoll) this.timer.notify('news');
    this.longPoll = wanted;
  }

  /** The inbox has given everything from `since` on again, as the server wanted; it is in the queue. */
  reread(since: number): void {
    this.resend.read(since, this.ports.queue.ids());
    this.wake('news');
  }

  /** Ends `run` after the request in flight, which gets a limited time. */
  override stop(): void {
    if (this.timer.stopped) return;
    super.stop();
    if (this.isWaitingThere) this.abort.abort();
    this.cancelAbort = this.ports.clock.after(STOP_GRACE_MS, () => this.abort.abort());
  }

  /** Runs until stopped; with `once` until nothing is left to deliver or a request fails. */
  async run(once: boolean): Promise<SyncEnd> {
    try {
      return await this.deliver(once);
    } finally {
      this.timer.stop();
      this.cancelAbort();
    }
  }

  private async deliver(once: boolean): Promise<SyncEnd> {
    const { queue, outbox, clock } = this.ports;
    const heldBack = this.heldBack;
    let maxWaitMs = 0;
    while (!this.timer.stopped) {
      // Wake-ups from before the batch is built are served by this request.
      this.timer.clear('news', 'network');
      const begun = clock.now();
      const exchange = await this.exchange(maxWaitMs);
      const wasTooSoon = maxWaitMs > 0 && clock.now() - begun < LEAST_HELD_MS;
      maxWaitMs = 0;
      if (exchange.kind === 'cut') continue;
      const { plan, hasUpdates } = exchange;
      const end = once ? this.endOnce(plan) : null;
      if (end !== null) return end;
      const heldMs = plan.error === null ? heldBack.waitMs(clock.now()) : Number.POSITIVE_INFINITY;
      const hasWork = queue.size > heldBack.size || heldMs === 0 || outbox.hasReports;
      if (plan.wakeOn === 'anything' && hasWork) continue;
      const mayWaitThere = this.longPoll && !once && plan.error === null && (hasUpdates || !wasTooSoon);
      if (mayWaitThere) maxWaitMs = LONG_POLL_MS;
      else await this.timer.wait(Math.min(plan.waitMs, heldMs), ...CAUSES[plan.wakeOn]);
    }
    return { kind: 'stopped' };
  }

  /** @returns the end of a run with `once`; null if it continues */
  private endOnce({ suspect, error }: SyncPlan): SyncEnd | null {
    const { queue, outbox } = this.ports;
    // The next request tells whether it is the message, and then the others have their turn.
    if (suspect !== null) return null;
    if (error !== null) return { kind: 'failed', ...error };
    if (queue.size > this.heldBack.size || outbox.isBusy) return null;
    const { reason } = this.heldBack;
    return reason === undefined ? { kind: 'drained' } : { kind: 'failed', code: 'server_error', reason };
  }

  private async exchange(maxWaitMs: number): Promise<SyncExchange> {
    const { queue, outbox, line, clock, random, health, appVersion } = this.ports;
    // The phone may have been paired again after the problem was shown.
    if (this.pace.failures > 0) await line.renew();
    const { head, reports } = this.next();
    const waitMs = head.length + reports.length > 0 ? 0 : maxWaitMs;
    const batch = packBatch(head, queue.size, health(), appVersion, {
      reports,
      outbox: outbox.holding(reports),
      waitMs,
      resentSince: this.resend.done((id) => queue.has(id)),
      now: clock.now(),
    });
    const reply = await this.send(batch.body, waitMs);
    if (reply === 'cut') return { kind: 'cut' };
    const ids = batch.messages.map((message) => message.id);
    const verdict = parseVerdict(reply, { sent: ids, seal: (text) => line.seal(text) }, clock.now());
    const sent = { ids, isAlone: ids.length === 1 && reports.length === 0 };
    const plan = planAfter(verdict, sent, this.pace, random());
    const done = await this.apply(plan, batch.messages);
    if (verdict.kind === 'accepted') this.judgeSuspect(ids);
    this.suspect = plan.suspect;
    this.pace = done.pace;
    const hasUpdates = verdict.kind === 'accepted' && (await this.follow(verdict, reports));
    this.ports.onExchange(verdict, done.error);
    return { kind: 'done', plan: done, hasUpdates };
  }

  /**
   * The next request: an empty one, to test the connection without the suspect; else all messages that may
   * share a request; else, on a working connection, one held-back message alone.
   */
  private next(): { readonly head: readonly QueuedMessage[]; readonly reports: readonly Report[] } {
    const { queue, outbox, clock } = this.ports;
    const { batchLimit, failures } = this.pace;
    if (this.suspect !== null) return { head: [], reports: [] };
    const head = queue.head(batchLimit, (id) => this.heldBack.has(id));
    const due = head.length > 0 || failures > 0 ? undefined : this.heldBack.due(clock.now());
    const single = due === undefined ? undefined : queue.get(due);
    if (single !== undefined) return { head: [single], reports: [] };
    return { head, reports: batchLimit > 1 ? outbox.reports() : [] };
  }

  /**
   * The server answered for these messages, or for an empty request, which shows that the suspect was the
   * cause.
   */
  private judgeSuspect(answered: readonly string[]): void {
    const { clock, random } = this.ports;
    this.heldBack.release(answered);
    if (this.suspect !== null) this.heldBack.hold(this.suspect, clock.now(), random());
  }

  private async send(body: string, waitMs: number): Promise<HttpReply | 'cut'> {
    const abort = new AbortController();
    this.abort = abort;
    this.isWaitingThere = waitMs > 0;
    try {
      const reply = await this.ports.line.sync(body, abort.signal, waitMs);
      return waitMs > 0 && abort.signal.aborted ? 'cut' : reply;
    } finally {
      this.isWaitingThere = false;
    }
  }

  /** Applies the plan, dead letters first: a crash keeps both copies. @returns the plan as far as applied */
  private async apply(plan: SyncPlan, messages: readonly QueuedMessage[]): Promise<SyncPlan> {
    const { queue, deadLetters, log, onDelivered } = this.ports;
    const isDeadLettered = await this.deadLetter(plan.rejected, messages);
    const leaving = [...plan.taken, ...(isDeadLettered ? plan.rejected.map(({ id }) => id) : [])];
    if (leaving.length > 0 && !(await queue.settle(leaving)))
      log.warn('the queue file cannot be written; delivery goes on, delivered messages may be sent again');
    await deadLetters.note('stored', plan.taken).catch((error) => {
      log.warn('the dead letters cannot be written; some that the server has may be sent once more', {
        reason: errorMessage(error),
      });
    });
    if (leaving.length > 0) onDelivered(leaving);
    if (isDeadLettered) return plan;
    const error = { code: 'storage_failed', reason: 'dead letters cannot be written' } as const;
    return { ...plan, waitMs: STORAGE_RETRY_MS, wakeOn: 'stop', error };
  }

  private async deadLetter(
    rejected: SyncPlan['rejected'],
    messages: readonly QueuedMessage[],
  ): Promise<boolean> {
    const { deadLetters, clock, log } = this.ports;
    const reasons = new Map(rejected.map(({ id, reason }) => [id, reason]));
    const letters = messages.flatMap((message) => {
      const reason = reasons.get(message.id);
      return reason === undefined ? [] : [{ message, reason, at: clock.now() }];
    });
    try {
      await deadLetters.add(letters);
    } catch (error) {
      log.warn('dead letters cannot be written; their messages stay in the queue', {
        reason: errorMessage(error),
      });
      return false;
    }
    for (const { message, reason } of letters) {
      const { id, sender, body } = message;
      const facts = { id, sender, length: body.length, reason };
      log.warn('the server refuses a message; it is kept as a dead letter', facts);
    }
    return true;
  }

  /** Carries out the server's other requests. Returns whether there were any. */
  private async follow(
    verdict: Extract<SyncVerdict, { kind: 'accepted' }>,
    reports: readonly Report[],
  ): Promise<boolean> {
    const { outbox, clock, log, onDispatches, onResend } = this.ports;
    await outbox.told(reports);
    const since = this.resend.asked(verdict.resendSince);
    if (since !== null) {
      log.info('the server misses an SMS; everything is sent again', {
        since: new Date(since).toISOString(),
      });
      await onResend(since);
    }
    const taken = await outbox.take(verdict.dispatches, clock.now()).catch((error) => {
      // Not in the journal, so the next request tells the server that they never arrived.
      log.warn('SMS to be sent cannot be kept; the server keeps them', { reason: errorMessage(error) });
      return 0;
    });
    if (taken > 0) onDispatches();
    return taken > 0 || since !== null;
  }
}

type ResendStage =
  | { readonly kind: 'idle' }
  /** The inbox is being read again. */
  | { readonly kind: 'reading'; readonly since: number }
  /** The inbox has been read; `left` contains the ids of messages not delivered yet. */
  | { readonly kind: 'delivering'; readonly since: number; readonly left: readonly string[] };

/**
 * Tracks a server's request to send all SMS since a certain time again, until all are delivered. Not stored
 * on disk: a server that still misses something requests it again.
 */
class Resend {
  private stage: ResendStage = { kind: 'idle' };

  /** Processes the server's answer. Returns the time to read from for a new request. */
  asked(since: number | null): number | null {
    if (since === null) {
      this.stage = { kind: 'idle' };
      return null;
    }
    if (this.stage.kind !== 'idle' && this.stage.since === since) return null;
    this.stage = { kind: 'reading', since };
    return since;
  }

  /** Everything from `since` on has been read; `queued` are the ids that wait now. */
  read(since: number, queued: readonly string[]): void {
    if (this.stage.kind !== 'reading' || this.stage.since !== since) return;
    this.stage = { kind: 'delivering', since, left: queued };
  }

  /** Time since which everything has been sent again; null while this is not complete. */
  done(isQueued: (id: string) => boolean): number | null {
    if (this.stage.kind !== 'delivering') return null;
    const { since, left } = this.stage;
    const rest = left.filter(isQueued);
    this.stage = { kind: 'delivering', since, left: rest };
    return rest.length === 0 ? since : null;
  }
}
