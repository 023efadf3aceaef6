/**
 * What the core needs from the machine it runs on. Every platform (Node, a WebView, NativeScript) brings
 * its own; the core imports nothing of them.
 */

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Runs `callback` once after `ms`; the function returned calls it off. */
  after(ms: number, callback: () => void): () => void;
}

/** A number from 0 up to, not including, 1. Spreads retries; never used for secrets. */
export type Random = () => number;

/** SHA-256 of the UTF-8 bytes of a text, in lower-case hex. */
export type Digest = (text: string) => string;

/** Facts beside a log line. Bodies of SMS and keys never go in here. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
}

/** A file that only grows, and whose writes are on the disk when their promise resolves. */
export interface DurableFile {
  /** The whole content; empty if the file is not there yet. */
  read(): Promise<Uint8Array>;
  /** Adds bytes at the end; resolves after fsync. */
  append(bytes: Uint8Array): Promise<void>;
  /** Cuts the file to `size` bytes; resolves after fsync. */
  truncate(size: number): Promise<void>;
  /** New content in one step: after a crash there is the old or the new file, never a mixture. */
  replace(bytes: Uint8Array): Promise<void>;
  /** Keeps a copy of the file as it is, for a person to look at. Returns where. */
  setAside(): Promise<string>;
  close(): Promise<void>;
}

export interface HttpRequest {
  /** Below the base address, for example "/api/v2/relay/sync". */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For the whole exchange, a trickling answer included. */
  readonly deadlineMs: number;
  readonly maxAnswerBytes: number;
}

export type HttpReply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The header as it stands, or null. */
      readonly retryAfter: string | null;
      readonly body: string;
    }
  | { readonly kind: 'too_long' }
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The server proved to be another than the one trusted; nothing was sent to it. */
  | { readonly kind: 'untrusted'; readonly reason: string };

export interface StreamRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream that says nothing for so long is dead, whatever the socket believes. */
  readonly silentMs: number;
}

/** How a stream of server-sent events ended, or why there was none. */
export type StreamEnd =
  /** It had begun, and the server or the network closed it. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'silent' }
  /** Another answer than a stream. */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface Http {
  /** Never rejects: whatever happens has a name in HttpReply. */
  post(request: HttpRequest, stop: AbortSignal): Promise<HttpReply>;
  /** Hands over text as it comes, from the first on that proves the stream open. Never rejects. */
  stream(request: StreamRequest, onText: (text: string) => void, stop: AbortSignal): Promise<StreamEnd>;
  close(): void;
}

/** One SMS as the platform hands it over. */
export interface InboxRow {
  /** What tells this SMS from all others on the platform and is the same on a second reading. */
  readonly key: string;
  readonly sender: string;
  readonly body: string;
  /** ISO 8601 with offset. */
  readonly receivedAt: string;
  /** 1-based; null where the platform cannot tell. */
  readonly simSlot: number | null;
}

export interface InboxPage {
  readonly rows: readonly InboxRow[];
  /** Where to read on, kept in the same record as the rows. Only the inbox understands it. */
  readonly cursor: string | null;
  /** `more`: ask again at once; `idle`: wait; `ended`: nothing will ever come again. */
  readonly next: 'more' | 'idle' | 'ended';
}

/**
 * Where SMS come from. `since` may be asked again with an older cursor after a crash and must then give
 * the same rows with the same keys; at a start it may also give older rows again (a catch-up of the last
 * day), since equal messages get equal ids and the server stores an id once.
 */
export interface Inbox {
  /** Names the source; a cursor is only ever given back to the source of the same name. */
  readonly name: string;
  since(cursor: string | null, limit: number): Promise<InboxPage>;
  /** Called when the rows of `page` are safe on disk, with their message ids in the same order. */
  kept(page: InboxPage, ids: readonly string[]): Promise<void>;
  /** `wake` is called when something may have come before the poll interval is over. */
  onWake(wake: () => void): void;
  /**
   * The next pages bring everything again that the platform still has from `fromMs` on (Unix epoch), with
   * the keys it had before; the first page that is not `more` tells that this is done.
   */
  again(fromMs: number): void;
  close(): void;
}

/** One SMS that the server wants sent. */
export interface Dispatch {
  readonly id: string;
  readonly number: string;
  readonly message: string;
  /** 1-based; null leaves it to the phone. */
  readonly simSlot: number | null;
  /** How many SMS the network counts. */
  readonly parts: number;
  /** Higher goes first. */
  readonly priority: number;
  /** Milliseconds since the Unix epoch by the phone's clock; it is not sent after that. */
  readonly expiresAt: number;
}

/** What the phone says of an SMS. `UNKNOWN`: it may have left, and must not be sent again. */
export type SendOutcome =
  | { readonly state: 'SENT' | 'DELIVERED' }
  | { readonly state: 'FAILED' | 'UNKNOWN'; readonly error: string };

export interface Sender {
  /**
   * Hands one SMS to the phone; called once for each, ever. Resolves when the phone has it or refuses it.
   * `tell` is called with what came of it, then or later, and again when more is known.
   */
  send(dispatch: Dispatch, tell: (outcome: SendOutcome) => void): Promise<void>;
  close(): void;
}

export type Network = 'wifi' | 'mobile' | 'none' | 'unknown';

export interface Sim {
  readonly slot: number;
  readonly number: string | null;
}

export interface HealthReading {
  /** Per cent; null where unknown. */
  readonly battery: number | null;
  readonly charging: boolean | null;
  readonly network: Network | null;
  readonly sims: readonly Sim[];
}

/** What the person who holds the phone should see of the agent. */
export interface Standing {
  readonly connected: boolean;
  /** SMS that are not delivered yet. */
  readonly waiting: number;
  /** Milliseconds since the Unix epoch; null before the first. */
  readonly lastSmsAt: number | null;
  /** What keeps the agent from its work; null if nothing does. */
  readonly trouble: string | null;
}

/** What a command asks of the running agent for some dead letters: send them once more, tell no more. */
export interface Wish {
  readonly kind: 'retry' | 'dismiss';
  readonly ids: readonly string[];
}

/** Where the platform keeps itself awake and shows that it works. None of it may stop the agent. */
export interface Surface {
  open(): Promise<void>;
  show(standing: Standing): void;
  close(): Promise<void>;
}

export interface Platform {
  readonly name: string;
  readonly inbox: Inbox;
  /** Null where the platform cannot send. */
  readonly sender: Sender | null;
  readonly surface: Surface | null;
  readHealth(): Promise<HealthReading>;
  /** How often reading the health is cheap enough. */
  readonly healthEveryMs: number;
}
