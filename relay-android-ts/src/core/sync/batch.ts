/** Which messages go into the next request, and how the request looks. Pure. */
import type { HealthReport } from '../health.js';
import type { QueuedMessage } from '../inbox/message.js';
import type { Report } from '../outbox/outbox.js';

/** Messages that the server takes in one request (design.md section 6). */
export const MAX_BATCH = 200;
/** The server refuses bodies over 64 KiB; this leaves room for health, proxies and counting differences. */
export const MAX_BODY_BYTES = 48 * 1024;

const encoder = new TextEncoder();

/** What goes along with the messages. */
export interface Luggage {
  readonly reports: readonly Report[];
  /** Null: nothing may be concluded from what is not named. */
  readonly outbox: { readonly journal: string; readonly held: readonly string[] } | null;
  /** Above 0 the server waits so long for something to hand out. */
  readonly waitMs: number;
  /** From when on everything has been sent again, milliseconds since the Unix epoch; null: not asked. */
  readonly resentSince: number | null;
}

export interface Batch {
  readonly messages: readonly QueuedMessage[];
  readonly body: string;
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
  luggage: Luggage,
): Batch {
  const { reports, outbox, waitMs, resentSince } = luggage;
  const envelope = (left: number): string =>
    JSON.stringify({
      messages: [],
      reports: reports.map(({ error, ...report }) => (error === null ? report : { ...report, error })),
      ...(outbox === null ? {} : { outbox }),
      ...(waitMs === 0 ? {} : { wait_ms: waitMs }),
      ...(resentSince === null ? {} : { resent_since: new Date(resentSince).toISOString() }),
      health: wireHealth(health, left, appVersion),
    });
  const messages: QueuedMessage[] = [];
  const parts: string[] = [];
  let bytes = encoder.encode(envelope(queued)).length;
  for (const message of waiting.slice(0, MAX_BATCH)) {
    const part = JSON.stringify(wireMessage(message));
    bytes += encoder.encode(part).length + 1;
    if (bytes > MAX_BODY_BYTES && messages.length > 0) break;
    messages.push(message);
    parts.push(part);
  }
  const whole = envelope(queued - messages.length);
  return { messages, body: whole.replace('"messages":[]', () => `"messages":[${parts.join(',')}]`) };
}

function wireMessage(message: QueuedMessage): object {
  return {
    id: message.id,
    sender: message.sender,
    body: message.body,
    received_at: message.receivedAt,
    ...(message.simSlot === null ? {} : { sim_slot: message.simSlot }),
  };
}

function wireHealth(health: HealthReport, queued: number, appVersion: string): object {
  return {
    battery: health.battery,
    charging: health.charging,
    network: health.network,
    queued,
    app_version: appVersion,
    trouble: health.trouble,
    sims: health.sims.map(({ slot, number }) => ({ slot, number })),
  };
}
