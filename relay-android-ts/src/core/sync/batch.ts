/** Chooses the messages of the next request and builds it. Pure. */
import type { HealthReport } from '../health.js';
import type { QueuedMessage } from '../inbox/queue.js';
import type { Outbox, Report } from '../outbox/outbox.js';

/** Messages that the server takes in one request. */
export const MAX_BATCH = 200;
/** The server refuses bodies over 64 KiB; this leaves room for health, proxies and counting differences. */
export const MAX_BODY_BYTES = 48 * 1024;

/** Data sent with the messages. */
export interface SyncMetadata {
  readonly reports: readonly Report[];
  /** Null: nothing may be concluded from what is not named. */
  readonly outbox: ReturnType<Outbox['holding']>;
  /** Above 0 the server waits this long for something to lease. */
  readonly waitMs: number;
  /** From when on everything has been sent again, milliseconds since the Unix epoch; null: not asked. */
  readonly resentSince: number | null;
  /** Now by the phone's clock, milliseconds since the Unix epoch: the server measures that clock by it. */
  readonly now: number;
}

/**
 * Takes messages from the front of `waiting` until one would not fit. A message that is too long for any
 * request still goes, alone: another server may take it. `queued` is how many wait in all; the server is told
 * how many are left behind this request.
 */
export function packBatch(
  waiting: readonly QueuedMessage[],
  queued: number,
  health: HealthReport,
  appVersion: string,
  metadata: SyncMetadata,
) {
  const { reports, outbox, waitMs, resentSince, now } = metadata;
  const envelope = (left: number): string =>
    JSON.stringify({
      messages: [],
      reports: reports.map(({ error, ...report }) => (error === null ? report : { ...report, error })),
      ...(outbox === null ? {} : { outbox }),
      ...(waitMs === 0 ? {} : { wait_ms: waitMs }),
      ...(resentSince === null ? {} : { resent_since: new Date(resentSince).toISOString() }),
      sent_at: new Date(now).toISOString(),
      health: { ...health, queued: left, app_version: appVersion },
    });
  const messages: QueuedMessage[] = [];
  const parts: string[] = [];
  let bytes = Buffer.byteLength(envelope(queued));
  for (const message of waiting.slice(0, MAX_BATCH)) {
    const part = JSON.stringify(wireMessage(message));
    bytes += Buffer.byteLength(part) + 1;
    if (bytes > MAX_BODY_BYTES && messages.length > 0) break;
    messages.push(message);
    parts.push(part);
  }
  const whole = envelope(queued - messages.length);
  return { messages, body: whole.replace('"messages":[]', () => `"messages":[${parts.join(',')}]`) };
}

function wireMessage(message: QueuedMessage): object {
  const { id, sender, body, receivedAt, simSlot, smsc, senderType } = message;
  // What is not known is left out.
  const known = {
    sim_slot: simSlot ?? undefined,
    smsc: smsc ?? undefined,
    sender_type: senderType ?? undefined,
  };
  return { id, sender, body, received_at: receivedAt, ...known };
}
