/** Moves SMS from the platform's inbox into the queue; the inbox is notified after the disk write. */

import { describeInboxError, errorMessage, InboxError } from '../errors.js';
import type { Inbox, InboxPage, Runtime } from '../ports.js';
import type { Stores } from '../stores.js';
import { Pump } from '../time/pump.js';
import { toMessage } from './queue.js';

const PAGE_ROWS = 200;
/** Maximum number of queued messages; above it the inbox, which is durable itself, is not read. */
const MAX_QUEUED = 50_000;
const RETRY_MS = 5_000;

/** `ended`: nothing is left and nothing will ever come; `fault`: something may be left. */
type InboxEnd = 'ended' | 'fault' | 'stopped';

interface InboxPorts extends Pick<Stores, 'queue' | 'deadLetters'>, Pick<Runtime, 'clock' | 'log'> {
  readonly inbox: Inbox;
  readonly deviceId: () => string;
  /** Polling interval of an inbox without events. */
  readonly pollMs: number;
  /** Called when messages have entered the queue. */
  readonly onNews: () => void;
  /** Called when everything since `since` has been read again. */
  readonly onReread: (since: number) => void;
  /** Called when SMS cannot be read, with each new reason, and with null when it works again. */
  readonly onProblem: (problem: string | null) => void;
}

/** An unchanged fault is logged again after this time. */
const TELL_AGAIN_MS = 600_000;

export class InboxPump extends Pump<InboxPorts, 'row'> {
  private rereading: number | null = null;
  private fault: { readonly reason: string; readonly at: number } | null = null;
  /** Problem that prevents SMS from being read, in one line; null if there is none. */
  problem: string | null = null;

  constructor(ports: InboxPorts) {
    super(ports);
    ports.inbox.onWake(() => this.timer.notify('row'));
  }

  /** Reads again what the inbox has from `since` on (Unix epoch, milliseconds). */
  again(since: number): void {
    this.rereading = since;
    this.ports.inbox.again(since);
    this.timer.notify('row');
  }

  /**
   * Reads until the inbox ends or the agent stops. A fault is logged and tried again, since the SMS are
   * still in the inbox; with `once` it ends the reading.
   */
  async run(once: boolean): Promise<InboxEnd> {
    while (!this.timer.stopped) {
      this.timer.clear('row');
      const next = await this.readPage();
      if (next === 'ended' || (next === 'fault' && once)) return next;
      if (next === 'idle') await this.timer.wait(this.ports.pollMs, 'row');
      if (next === 'fault') await this.timer.wait(RETRY_MS);
    }
    return 'stopped';
  }

  private async readPage(): Promise<InboxPage['next'] | 'fault'> {
    const { inbox, queue, onReread } = this.ports;
    try {
      if (queue.size >= MAX_QUEUED)
        throw new InboxError(
          'no SMS are taken in: the queue is full',
          `the queue is full with ${queue.size} SMS`,
        );
      const before = queue.cursor(inbox.name);
      const rereading = this.rereading;
      const page = await inbox.since(before, PAGE_ROWS);
      await this.keep(page, before);
      this.fault = null;
      this.setProblem(null);
      if (rereading !== null && rereading === this.rereading && page.next !== 'more') {
        this.rereading = null;
        onReread(rereading);
      }
      return page.next;
    } catch (error) {
      return this.tellFault(error);
    }
  }

  /** A missing permission may last for hours; the log should stay readable. */
  private tellFault(error: unknown): 'fault' {
    const { clock, log } = this.ports;
    const reason = errorMessage(error);
    const at = clock.now();
    // Broken off because the agent ends.
    if (this.timer.stopped) return 'fault';
    this.setProblem(describeInboxError(error));
    if (this.fault?.reason !== reason || at - this.fault.at >= TELL_AGAIN_MS) {
      log.warn('SMS cannot be taken from the inbox; they stay there and are tried again', { reason });
      this.fault = { reason, at };
    }
    return 'fault';
  }

  private setProblem(problem: string | null): void {
    if (problem === this.problem) return;
    this.problem = problem;
    this.ports.onProblem(problem);
  }

  private async keep(page: InboxPage, before: string | null): Promise<void> {
    const { inbox, queue, deadLetters, clock, deviceId, onNews } = this.ports;
    const now = clock.now();
    const read = page.rows.map((row) => toMessage(deviceId(), row, now));
    const ids = read.map(({ id }) => id);
    const unknown = read.filter(({ id }) => !queue.has(id) && !deadLetters.has(id));
    const fresh = new Map(unknown.map((message) => [message.id, message]));
    if (fresh.size > 0 || page.cursor !== before) {
      await queue.take(inbox.name, page.cursor, [...fresh.values()]);
    }
    if (fresh.size > 0) onNews();
    await inbox.kept(page, ids);
    // Refused before a restart, and kept as dead letters: nobody answers for them in this run.
    const refused = ids.filter((id) => deadLetters.has(id) && !queue.has(id));
    if (refused.length > 0) await inbox.delivered?.(refused);
  }
}
