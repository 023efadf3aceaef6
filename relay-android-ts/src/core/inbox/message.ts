/** A message in the queue and its id. Knows nothing of files or the network. */
import type { Digest, InboxRow } from '../ports.js';

export interface QueuedMessage {
  readonly id: string;
  readonly sender: string;
  readonly body: string;
  /** ISO 8601 with offset, as the platform gave it. */
  readonly receivedAt: string;
  /** 1-based; null where the platform cannot tell. */
  readonly simSlot: number | null;
  /** When it was put into the queue, milliseconds since the Unix epoch. */
  readonly takenAt: number;
}

/**
 * The id of an SMS: the same whenever the same SMS is read again, different for two SMS that merely look
 * alike (the platform's key and the time are in it). The JSON array keeps the parts apart.
 */
export function messageId(digest: Digest, deviceId: string, row: InboxRow): string {
  return digest(JSON.stringify([deviceId, row.key, row.sender, row.body, row.receivedAt]));
}

export function toMessage(digest: Digest, deviceId: string, row: InboxRow, now: number): QueuedMessage {
  return {
    id: messageId(digest, deviceId, row),
    sender: row.sender,
    body: row.body,
    receivedAt: row.receivedAt,
    simSlot: row.simSlot,
    takenAt: now,
  };
}

/** Judges a message read back from disk. */
export function isQueuedMessage(value: unknown): value is QueuedMessage {
  if (typeof value !== 'object' || value === null) return false;
  const message = value as Partial<Record<keyof QueuedMessage, unknown>>;
  return (
    typeof message.id === 'string' &&
    typeof message.sender === 'string' &&
    typeof message.body === 'string' &&
    typeof message.receivedAt === 'string' &&
    (message.simSlot === null || typeof message.simSlot === 'number') &&
    typeof message.takenAt === 'number'
  );
}
