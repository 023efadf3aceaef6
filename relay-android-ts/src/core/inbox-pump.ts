/** Carries SMS from the platform into the queue: first to the disk, then the inbox is told. */
import { Bell } from './bell.js';
import type { DeadLetters } from './dead-letters.js';
import { reasonOf } from './errors.js';
import { type QueuedMessage, toMessage } from './message.js';
import type { Clock, Digest, Inbox, InboxPage, Log } from './ports.js';
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
}

export class InboxPump {
  readonly #ports: InboxPorts;
  readonly #bell: Bell<'row' | 'stop'>;
  #stopping = false;

  constructor(ports: InboxPorts) {
    this.#ports = ports;
    this.#bell = new Bell(ports.clock);
    ports.inbox.onWake(() => this.#bell.ring('row'));
  }

  stop(): void {
    this.#stopping = true;
    this.#bell.ring('stop');
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
    const { inbox, queue, log } = this.#ports;
    if (queue.size >= MAX_QUEUED) {
      log.warn('the queue is full; SMS stay in the inbox until some are delivered', { queued: queue.size });
      return 'fault';
    }
    try {
      const before = queue.cursor(inbox.name);
      const page = await inbox.since(before, PAGE_ROWS);
      await this.#keep(page, before);
      return page.next;
    } catch (error) {
      log.warn('SMS cannot be taken from the inbox; they stay there and are tried again', {
        reason: reasonOf(error),
      });
      return 'fault';
    }
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
