/** Ports of the agent's core: dependencies that tests replace or that differ by platform. */
import type { HealthReading } from './health.js';
import { type Infer, isCount, isNumber, isText, oneOf, orNull, shape } from './shape.js';

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Runs `callback` once after `ms`; the function returned calls it off. */
  after(ms: number, callback: () => void): () => void;
}

/** Facts attached to a log line. Must not contain SMS texts or keys. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
}

export interface Runtime {
  readonly clock: Clock;
  /** A number from 0 up to, not including, 1. To spread retries; never for secrets. */
  readonly random: () => number;
  readonly log: Log;
}

/** A file that only grows, and whose writes are on the disk when their promise resolves. */
export interface DurableFile {
  /** @returns the complete content; empty if the file does not exist yet */
  read(): Promise<Uint8Array>;
  /** Adds bytes at the end; resolves after fsync. */
  append(bytes: Uint8Array): Promise<void>;
  /** Cuts the file to `size` bytes; resolves after fsync. */
  truncate(size: number): Promise<void>;
  /** New content in one step: after a crash there is the old or the new file, never a mixture. */
  replace(bytes: Uint8Array): Promise<void>;
  /** Keeps a copy of the damaged file for the user. @returns path of the copy */
  setAside(): Promise<string>;
  close(): Promise<void>;
}

export type HttpReply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Unparsed header; null if absent. */
      readonly retryAfter: string | null;
      readonly body: string;
    }
  | { readonly kind: 'too_long' }
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The server proved to be another than the one trusted; nothing was sent to it. */
  | { readonly kind: 'untrusted'; readonly reason: string };

/** Reason why a stream of server-sent events ended or did not begin. */
export type StreamEnd =
  /** The stream had begun, and the server or the network closed it. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'silent' }
  /** The server answered with something other than a stream. */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** A paired server. `renew` alone changes its key. */
export interface ServerLine {
  /** Part of every message id. */
  readonly deviceId: string;
  /** @param patienceMs duration for which the server was asked to wait before it answers */
  sync(body: string, stop: AbortSignal, patienceMs: number): Promise<HttpReply>;
  /** HMAC-SHA256 of the UTF-8 bytes of a text, in lower-case hex, under the key that `sync` uses. */
  seal(text: string): string;
  /** The server's event stream, as text, over a connection of its own. */
  events(onText: (text: string) => void, stop: AbortSignal): Promise<StreamEnd>;
  /** Reloads the pairing, if the phone was paired again. */
  renew(): Promise<void>;
}

/**
 * The type of a sender's address in the PDU (3GPP TS 23.040, 9.1.2.5). Wallets send under a name, which is
 * alphanumeric; a phone sends under its number.
 */
export const isSenderType = oneOf('alphanumeric', 'international', 'national', 'short_code', 'unknown');
export type SenderType = Infer<typeof isSenderType>;

/** One SMS as the platform delivers it. */
export interface InboxRow {
  /** Unique among the SMS of the platform, and the same on every reading. */
  readonly key: string;
  readonly sender: string;
  readonly body: string;
  /**
   * ISO 8601 with offset, even if the platform's clock was wrong (such as 1970); null if it reports no time.
   * Only the server rejects impossible times.
   */
  readonly receivedAt: string | null;
  /** 1-based; null if the platform does not know it. */
  readonly simSlot: number | null;
  /** Number of the SMS centre that delivered it; only modems report it. */
  readonly smsc?: string | null;
  /** Type of the sender's address; only modems report it. */
  readonly senderType?: SenderType | null;
}

export interface InboxPage {
  readonly rows: readonly InboxRow[];
  /**
   * Position for the next reading, stored in the same record as the rows. Only the inbox can interpret it.
   */
  readonly cursor: string | null;
  /** `more`: call again at once; `idle`: wait; `ended`: there will be no more messages. */
  readonly next: 'more' | 'idle' | 'ended';
}

/**
 * Source of SMS. After a crash `since` may be called with an older cursor and must then return the same rows
 * with the same keys. At a start it may also return older rows again (a catch-up of the last day), because
 * equal messages get equal ids and the server stores each id once.
 */
export interface Inbox {
  /** Names the source; a cursor is only ever given back to the source of the same name. */
  readonly name: string;
  since(cursor: string | null, limit: number): Promise<InboxPage>;
  /** Called when the rows of `page` are safe on disk, with their message ids in the same order. */
  kept(page: InboxPage, ids: readonly string[]): Promise<void>;
  /**
   * Called when the server has answered for these message ids: it has stored or rejected them; rejected ones
   * are dead letters. Only then may the platform delete them from its own storage.
   */
  delivered?(ids: readonly string[]): Promise<void>;
  /** `wake` is called when a message may have arrived. */
  onWake(wake: () => void): void;
  /**
   * The next pages repeat everything that the platform has from `fromMs` on (Unix epoch, milliseconds), with
   * the same keys; the first page that is not `more` ends this.
   */
  again(fromMs: number): void;
  close(): void;
}

/** One SMS that the server wants sent; judges one read from an answer or back from disk. */
export const isDispatch = shape({
  id: (value): value is string => isText(value) && value !== '',
  number: isText,
  message: isText,
  /** 1-based; null leaves it to the phone. */
  simSlot: orNull(isCount),
  /** Number of SMS that the network counts. */
  parts: isCount,
  /** Higher goes first. */
  priority: isNumber,
  /** Milliseconds since the Unix epoch by the phone's clock; it is not sent after that. */
  expiresAt: isNumber,
});
export type Dispatch = Infer<typeof isDispatch>;

/** The result of an SMS. `UNKNOWN`: it may have been sent, and must not be sent again. */
export type SendOutcome =
  | { readonly state: 'SENT' | 'DELIVERED' }
  | { readonly state: 'FAILED' | 'UNKNOWN'; readonly error: string };

/** Current sending limits of a platform. */
export interface SendLimits {
  /** Maximum number of parts per minute; default: the limit of Android. */
  readonly partsPerMinute?: number;
  /**
   * True if this SIM can send now; otherwise the SMS waits. If not implemented, SMS are sent one at a time.
   * @param simSlot null if the SMS names no SIM
   */
  canSend?(simSlot: number | null): boolean;
}

export interface Sender extends SendLimits {
  /** Maximum time until a result is reported, ms; default: that of Android. */
  readonly outcomeMs?: number;
  /**
   * Registers the callback for late results: results for which no `tell` of this run waits, because an
   * earlier run sent the SMS. It is called with the dispatch id, and resolves when the result is stored.
   */
  onLateResult?(late: (id: string, outcome: SendOutcome) => Promise<void>): void;
  /**
   * Sends one SMS; called only once for each. Resolves when the phone has accepted or refused it. `tell` is
   * called with the result, then or later, and again when more is known.
   */
  send(dispatch: Dispatch, tell: (outcome: SendOutcome) => void): Promise<void>;
  close(): void;
}

/** The agent's state as shown on the phone. */
export interface AgentStatus {
  readonly connected: boolean;
  /** SMS that are not delivered yet. */
  readonly waiting: number;
  /** Milliseconds since the Unix epoch; null before the first. */
  readonly lastSmsAt: number | null;
  /** Problem that stops the agent; null if there is none. */
  readonly problem: string | null;
}

/** Wake lock and notification of the platform. Its failures must not stop the agent. */
export interface Surface {
  open(): Promise<void>;
  show(standing: AgentStatus): void;
  close(): Promise<void>;
}

export interface Platform {
  readonly name: string;
  readonly inbox: Inbox;
  readonly sender: Sender;
  readonly surface: Surface | null;
  readHealth(): Promise<HealthReading>;
  /** Interval between health readings, ms. */
  readonly healthEveryMs: number;
  /** Problem of the platform at the last `readHealth`, in one line; null if there is none. */
  problem?(): string | null;
  /** Called after the last read and send. */
  close?(): Promise<void>;
}
