/** Carries SMS from the platform into the queue: first to the disk, then the inbox is told that they are kept. */
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
  /** Told when messages have entered the queue, and when the inbox has ended. */
  readonly onNews: () => void;
}

export class InboxPump {
  readonly #ports: InboxPorts;
  readonly #bell: Bell<'row' | 'stop'>;
  #stopping = false;
  #ended = false;

  constructor(ports: InboxPorts) {
    this.#ports = ports;
    this.#bell = new Bell(ports.clock);
    ports.inbox.onWake(() => this.#bell.ring('row'));
  }

  /** True when the inbox has nothing left and never will have. */
  get ended(): boolean {
    return this.#ended;
  }

  stop(): void {
    this.#stopping = true;
    this.#bell.ring('stop');
  }

  /** Reads until the inbox ends or the agent stops. A fault is logged and tried again: the SMS are still there. */
  async run(): Promise<void> {
    while (!this.#stopping && !this.#ended) {
      this.#bell.clear('row');
      const next = await this.#readPage();
      if (next === 'ended') {
        this.#ended = true;
        this.#ports.onNews();
      } else if (next !== 'more') {
        await this.#bell.wait(
          next === 'idle' ? this.#ports.pollMs : RETRY_MS,
          next === 'idle' ? ['row', 'stop'] : ['stop'],
        );
      }
    }
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
