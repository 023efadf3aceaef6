/** Chooses the messages of the next request and builds it. Pure. */
import type { HealthReport } from '../health.js';
import type { QueuedMessage } from '../inbox/queue.js';
import type { Outbox, Report } from '../outbox/outbox.js';
import { backoffMs } from '../time/backoff.js';

/** Messages that the server takes in one request. */
export const MAX_BATCH = 200;
/** The server refuses bodies over 64 KiB; this leaves room for health, proxies and counting differences. */
export const MAX_BODY_BYTES = 48 * 1024;

/** Data sent with the messages. */
interface SyncMetadata {
  readonly reports: readonly Report[];
  /** Leases that the agent has; null: the server must conclude nothing from ids that are not listed. */
  readonly outbox: ReturnType<Outbox['holding']>;
  /** Duration for which the server waits for something to lease, ms; 0: it answers at once. */
  readonly waitMs: number;
  /** Time since which everything has been sent again, ms since the Unix epoch; null if not requested. */
  readonly resentSince: number | null;
  /** Now by the phone's clock, milliseconds since the Unix epoch: the server measures that clock by it. */
  readonly now: number;
}

/**
 * Takes messages from the front of `waiting` until the next one does not fit. A message that is too long for
 * any request is still sent, alone: another server may accept it.
 * @param queued number of all queued messages; the request reports how many remain after it
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

interface HeldMessage {
  readonly failures: number;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
  readonly reason: string;
}

/** Fewer failures may be chance: a server was restarted just then. */
const TOLD_FROM = 3;

/**
 * Messages that fail while an empty request succeeds: too long for any request, or blocked by a filter on the
 * way. Each waits on its own and delays no other. Not kept on disk: they are in the queue, and a restart
 * tries them at once.
 */
export class DeferredMessages {
  private readonly held = new Map<string, HeldMessage>();

  get size(): number {
    return this.held.size;
  }

  has(id: string): boolean {
    return this.held.has(id);
  }

  /** Counts another failure of the message. @param random from [0, 1) */
  hold({ id, reason }: { readonly id: string; readonly reason: string }, now: number, random: number): void {
    const failures = (this.held.get(id)?.failures ?? 0) + 1;
    this.held.set(id, { failures, until: now + backoffMs(failures, random), reason });
  }

  /** The server has answered for these; the obstacle may be gone for the others too. */
  release(ids: readonly string[]): void {
    const wasLong = ids.some((id) => (this.held.get(id)?.failures ?? 0) >= TOLD_FROM);
    for (const id of wasLong ? this.held.keys() : ids) this.held.delete(id);
  }

  /** Duration until one of them may be tried again, ms; Infinity if there is none. */
  waitMs(now: number): number {
    return Math.max(0, (this.next()?.[1].until ?? Number.POSITIVE_INFINITY) - now);
  }

  /** The one that may be tried again now. */
  due(now: number): string | undefined {
    return this.waitMs(now) > 0 ? undefined : this.next()?.[0];
  }

  /** Reason of the longest waiting message. */
  get reason(): string | undefined {
    return [...this.held.values()][0]?.reason;
  }

  /** One line about the obstacle, for the user; null if there is nothing to report. */
  problem(): string | null {
    const told = [...this.held.values()].filter(({ failures }) => failures >= TOLD_FROM);
    const [first] = told;
    return first === undefined ? null : `cannot deliver ${told.length} SMS, tried again (${first.reason})`;
  }

  private next(): [string, HeldMessage] | undefined {
    return [...this.held].reduce<[string, HeldMessage] | undefined>(
      (first, one) => (first === undefined || one[1].until < first[1].until ? one : first),
      undefined,
    );
  }
}
