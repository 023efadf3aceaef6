/**
 * What the journal of the queue says: which messages wait, and how far each inbox has been read. A fold
 * over records, without files, so that `status` can read it beside a running agent.
 */
import type { JournalState } from '../journal/journal.js';
import { isQueuedMessage, type QueuedMessage } from './message.js';

export type QueueRecord =
  /** Messages and the cursor behind them in one record: after a crash both are there or neither. */
  | {
      readonly t: 'take';
      readonly inbox: string;
      readonly cursor: string | null;
      readonly messages: readonly QueuedMessage[];
    }
  | { readonly t: 'done'; readonly ids: readonly string[] };

const MESSAGES_PER_SNAPSHOT_RECORD = 200;

export class QueueState implements JournalState<QueueRecord> {
  /** In the order in which they are sent. */
  readonly messages = new Map<string, QueuedMessage>();
  readonly cursors = new Map<string, string>();

  parse(record: unknown): QueueRecord | undefined {
    if (typeof record !== 'object' || record === null) return undefined;
    const { t, inbox, cursor, messages, ids } = record as Record<string, unknown>;
    if (t === 'done' && Array.isArray(ids) && ids.every((id) => typeof id === 'string')) return { t, ids };
    if (t !== 'take' || typeof inbox !== 'string' || !(cursor === null || typeof cursor === 'string'))
      return undefined;
    if (!Array.isArray(messages) || !messages.every(isQueuedMessage)) return undefined;
    return { t, inbox, cursor, messages };
  }

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
    const records: QueueRecord[] = [...this.cursors].map(([inbox, cursor]) => ({
      t: 'take',
      inbox,
      cursor,
      messages: [],
    }));
    const waiting = [...this.messages.values()];
    for (let at = 0; at < waiting.length; at += MESSAGES_PER_SNAPSHOT_RECORD) {
      const messages = waiting.slice(at, at + MESSAGES_PER_SNAPSHOT_RECORD);
      records.push({ t: 'take', inbox: '', cursor: null, messages });
    }
    return records;
  }

  /** When the message that waits longest was taken; null if none waits. */
  oldestTakenAt(): number | null {
    let oldest: number | null = null;
    for (const { takenAt } of this.messages.values()) oldest = Math.min(oldest ?? takenAt, takenAt);
    return oldest;
  }
}
