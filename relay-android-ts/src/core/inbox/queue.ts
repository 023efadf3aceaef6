/** The durable queue: messages enter after fsync and leave when the server has answered for them. */
import { Journal, type Recovery } from '../journal/journal.js';
import type { DurableFile } from '../ports.js';
import type { QueuedMessage } from './message.js';
import { type QueueRecord, QueueState } from './queue-state.js';

export class Queue {
  readonly #state: QueueState;
  readonly #journal: Journal<QueueRecord>;

  private constructor(state: QueueState, journal: Journal<QueueRecord>) {
    this.#state = state;
    this.#journal = journal;
  }

  static async open(file: DurableFile): Promise<{ queue: Queue; recovery: Recovery }> {
    const state = new QueueState();
    const { journal, recovery } = await Journal.open(file, state);
    return { queue: new Queue(state, journal), recovery };
  }

  get size(): number {
    return this.#state.messages.size;
  }

  has(id: string): boolean {
    return this.#state.messages.has(id);
  }

  cursor(inbox: string): string | null {
    return this.#state.cursors.get(inbox) ?? null;
  }

  ids(): string[] {
    return [...this.#state.messages.keys()];
  }

  /** Up to `limit` messages, those that wait longest first, without those that are held back. */
  head(limit: number, isHeldBack: (id: string) => boolean = () => false): QueuedMessage[] {
    const head: QueuedMessage[] = [];
    for (const message of this.#state.messages.values()) {
      if (head.length >= limit) break;
      if (!isHeldBack(message.id)) head.push(message);
    }
    return head;
  }

  get(id: string): QueuedMessage | undefined {
    return this.#state.messages.get(id);
  }

  /** Keeps messages together with the cursor behind them. Rejects if they are not on the disk. */
  async take(inbox: string, cursor: string | null, messages: readonly QueuedMessage[]): Promise<void> {
    await this.#journal.append({ t: 'take', inbox, cursor, messages });
  }

  /**
   * Forgets messages that the server has answered for. A disk that takes no writes must not stop
   * delivery, so they are forgotten in memory at least: after a crash they are sent again, and the server
   * knows their ids. Returns false in that case.
   */
  async settle(ids: readonly string[]): Promise<boolean> {
    const record: QueueRecord = { t: 'done', ids };
    try {
      await this.#journal.append(record);
      return true;
    } catch {
      this.#state.apply(record);
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#journal.close();
  }
}
