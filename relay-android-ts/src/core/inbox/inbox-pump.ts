/** Carries SMS from the platform into the queue: first to the disk, then the inbox is told. */

import { reasonOf } from '../errors.js';
import type { Clock, Digest, Inbox, InboxPage, Log } from '../ports.js';
import { Bell } from '../time/interruptible-wait.js';
import type { DeadLetters } from './dead-letters.js';
import { InboxError, troubleOf } from './inbox-trouble.js';
import { type QueuedMessage, toMessage } from './message.js';
import type { Queue } from './queue.js';

const PAGE_ROWS = 200;
/** With this many waiting the inbox, which is durable itself, is left alone until some are delivered. */
const MAX_QUEUED = 50_000;
const RETRY_MS = 5_000;

/** `ended`: nothing is left and nothing will ever come; `fault`: something may be left. */
export type InboxEnd = 'ended' | 'fault' | 'stopped';

export interface InboxPorts {
  readonly inbox: Inbox;
  readonly queue: Queue;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly log: Log;
  readonly deviceId: () => string;
  /** How often an inbox is looked at that does not wake us. */
  readonly pollMs: number;
  /** Told when messages have entered the queue. */
  readonly onNews: () => void;
  /** Told when everything from `since` on has been read again. */
  readonly onReread: (since: number) => void;
  /** Told when SMS cannot be taken in, each time that the reason changes, and null when they can again. */
  readonly onTrouble: (trouble: string | null) => void;
}

/** A fault that stays the same is told again after this. */
const TELL_AGAIN_MS = 600_000;

export class InboxPump {
  readonly #ports: InboxPorts;
  readonly #bell: Bell<'row' | 'stop'>;
  #stopping = false;
  #rereading: number | null = null;
  #fault: { readonly reason: string; readonly at: number } | null = null;
  #trouble: string | null = null;

  constructor(ports: InboxPorts) {
    this.#ports = ports;
    this.#bell = new Bell(ports.clock);
    ports.inbox.onWake(() => this.#bell.ring('row'));
  }

  stop(): void {
    this.#stopping = true;
    this.#bell.ring('stop');
  }

  /** Takes in once more what the inbox still has from `since` on (Unix epoch, milliseconds). */
  again(since: number): void {
    this.#rereading = since;
    this.#ports.inbox.again(since);
    this.#bell.ring('row');
  }

  /**
   * Reads until the inbox ends or the agent stops. A fault is logged and tried again, since the SMS are
   * still in the inbox; with `once` it ends the reading.
   */
  async run(once: boolean): Promise<InboxEnd> {
    while (!this.#stopping) {
      this.#bell.clear('row');
      const next = await this.#readPage();
      if (next === 'ended' || (next === 'fault' && once)) return next;
      if (next === 'idle') await this.#bell.wait(this.#ports.pollMs, ['row', 'stop']);
      if (next === 'fault') await this.#bell.wait(RETRY_MS, ['stop']);
    }
    return 'stopped';
  }

  async #readPage(): Promise<InboxPage['next'] | 'fault'> {
    const { inbox, queue, onReread } = this.#ports;
    try {
      if (queue.size >= MAX_QUEUED)
        throw new InboxError(
          'no SMS are taken in: the queue is full',
          `the queue is full with ${queue.size} SMS`,
        );
      const before = queue.cursor(inbox.name);
      const rereading = this.#rereading;
      const page = await inbox.since(before, PAGE_ROWS);
      await this.#keep(page, before);
      this.#fault = null;
      this.#setTrouble(null);
      if (rereading !== null && rereading === this.#rereading && page.next !== 'more') {
        this.#rereading = null;
        onReread(rereading);
      }
      return page.next;
    } catch (error) {
      return this.#tellFault(error);
    }
  }

  /** A missing permission may stay for hours, and a log is read by people. */
  #tellFault(error: unknown): 'fault' {
    const { clock, log } = this.#ports;
    const reason = reasonOf(error);
    const at = clock.now();
    // Broken off because the agent ends.
    if (this.#stopping) return 'fault';
    this.#setTrouble(troubleOf(error));
    if (this.#fault?.reason !== reason || at - this.#fault.at >= TELL_AGAIN_MS) {
      log.warn('SMS cannot be taken from the inbox; they stay there and are tried again', { reason });
      this.#fault = { reason, at };
    }
    return 'fault';
  }

  #setTrouble(trouble: string | null): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#ports.onTrouble(trouble);
  }

  async #keep(page: InboxPage, before: string | null): Promise<void> {
    const { inbox, queue, deadLetters, clock, digest, deviceId, onNews } = this.#ports;
    const now = clock.now();
    const read = page.rows.map((row) => toMessage(digest, deviceId(), row, now));
    const fresh = new Map<string, QueuedMessage>();
    for (const message of read) {
      if (!queue.has(message.id) && !deadLetters.has(message.id)) fresh.set(message.id, message);
    }
    if (fresh.size > 0 || page.cursor !== before) {
      await queue.take(inbox.name, page.cursor, [...fresh.values()]);
    }
    if (fresh.size > 0) onNews();
    await inbox.kept(
      page,
      read.map((message) => message.id),
    );
  }
}
