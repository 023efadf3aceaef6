/** The durable queue: messages enter after fsync and leave when the server has answered for them. */
import { createHash } from 'node:crypto';
import { Journal, JournaledStore, type JournalState } from '../journal/journal.js';
import { type DurableFile, type InboxRow, isSenderType } from '../ports.js';
import {
  arrayOf,
  createParser,
  either,
  type Infer,
  isNumber,
  isText,
  oneOf,
  orMissing,
  orNull,
  shape,
} from '../shape.js';

/** Checks a message read from disk. */
export const isQueuedMessage = shape({
  id: isText,
  sender: isText,
  body: isText,
  /** ISO 8601 with offset, as reported by the platform; null if it reported no time. */
  receivedAt: orNull(isText),
  /** 1-based; null if the platform does not know it. */
  simSlot: orNull(isNumber),
  /** Time when it was queued, milliseconds since the Unix epoch. */
  takenAt: isNumber,
  /** Number of the SMS centre; null or missing if the platform does not know it. */
  smsc: orMissing(orNull(isText)),
  senderType: orMissing(orNull(isSenderType)),
});
export type QueuedMessage = Infer<typeof isQueuedMessage>;

/**
 * The id of an SMS: the same whenever the same SMS is read again, different for two SMS with the same text
 * (it includes the platform's key and the time). The JSON array keeps the parts apart.
 */
export function messageId(deviceId: string, { key, sender, body, receivedAt }: InboxRow): string {
  const parts = JSON.stringify([deviceId, key, sender, body, receivedAt]);
  return createHash('sha256').update(parts, 'utf8').digest('hex');
}

export function toMessage(deviceId: string, row: InboxRow, now: number): QueuedMessage {
  const { sender, body, receivedAt, simSlot, smsc, senderType } = row;
  const id = messageId(deviceId, row);
  const message = { id, sender, body, receivedAt, simSlot, takenAt: now };
  const isTold = (smsc ?? senderType ?? null) !== null;
  return isTold ? { ...message, smsc, senderType } : message;
}

const isQueueRecord = either(
  /** Messages and the cursor after them in one record: after a crash both exist or neither does. */
  shape({ t: oneOf('take'), inbox: isText, cursor: orNull(isText), messages: arrayOf(isQueuedMessage) }),
  shape({ t: oneOf('done'), ids: arrayOf(isText) }),
);
type QueueRecord = Infer<typeof isQueueRecord>;

const MESSAGES_PER_SNAPSHOT_RECORD = 200;

/** State of the journal without its file, so that `status` can read it while an agent runs. */
export class QueueState implements JournalState<QueueRecord> {
  /** Messages in the order in which they are sent. */
  readonly messages = new Map<string, QueuedMessage>();
  readonly cursors = new Map<string, string>();
  readonly parse = createParser(isQueueRecord);

  apply(record: QueueRecord): void {
    switch (record.t) {
      case 'take':
        for (const message of record.messages) {
          if (!this.messages.has(message.id)) this.messages.set(message.id, message);
        }
        if (record.cursor !== null) this.cursors.set(record.inbox, record.cursor);
        return;
      case 'done':
        for (const id of record.ids) this.messages.delete(id);
        return;
      default:
        record satisfies never;
    }
  }

  snapshot(): QueueRecord[] {
    const take = { t: 'take', inbox: '', cursor: null, messages: [] } as const;
    const records: QueueRecord[] = [...this.cursors].map(([inbox, cursor]) => ({ ...take, inbox, cursor }));
    const waiting = [...this.messages.values()];
    while (waiting.length > 0) {
      records.push({ ...take, messages: waiting.splice(0, MESSAGES_PER_SNAPSHOT_RECORD) });
    }
    return records;
  }

  /** Time when the longest waiting message was queued; null if the queue is empty. */
  oldestTakenAt(): number | null {
    let oldest: number | null = null;
    for (const { takenAt } of this.messages.values()) oldest = Math.min(oldest ?? takenAt, takenAt);
    return oldest;
  }
}

export class Queue extends JournaledStore<QueueRecord, QueueState> {
  static async open(file: DurableFile): Promise<Queue> {
    return new Queue(await Journal.open(file, new QueueState()));
  }

  get size(): number {
    return this.state.messages.size;
  }

  has(id: string): boolean {
    return this.state.messages.has(id);
  }

  cursor(inbox: string): string | null {
    return this.state.cursors.get(inbox) ?? null;
  }

  ids(): string[] {
    return [...this.state.messages.keys()];
  }

  /** Up to `limit` messages, those that wait longest first, without those that are held back. */
  head(limit: number, isHeldBack: (id: string) => boolean = () => false): QueuedMessage[] {
    const head: QueuedMessage[] = [];
    for (const message of this.state.messages.values()) {
      if (head.length >= limit) break;
      if (!isHeldBack(message.id)) head.push(message);
    }
    return head;
  }

  get(id: string): QueuedMessage | undefined {
    return this.state.messages.get(id);
  }

  /** Stores messages together with the cursor after them. Rejects if they cannot be written to disk. */
  take(inbox: string, cursor: string | null, messages: readonly QueuedMessage[]): Promise<void> {
    return this.journal.append({ t: 'take', inbox, cursor, messages });
  }

  /**
   * Forgets messages that the server has answered for, in memory also when the disk takes no writes, which
   * must not stop delivery: after a crash they are sent again, and the server knows their ids. Returns false
   * in that case.
   */
  settle(ids: readonly string[]): Promise<boolean> {
    return this.keep({ t: 'done', ids });
  }
}
