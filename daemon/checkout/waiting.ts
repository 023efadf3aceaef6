/**
 * Everybody who has a payment's page open and waits for it to move. One timer sends heartbeats to all
 * streams, and one query finds what other processes have moved; a page that waits costs neither. It knows
 * no HTTP.
 */
import type { Core } from '../../src/actions/core/core.js';
import type { Log } from '../../src/base/io/log.js';
import type { Db } from '../../src/store/schema/index.js';
import { answeredSessions, movedSessions } from '../../src/store/tables/checkout.js';
import { createLoop } from '../loops/loop.js';
import type { Stream } from '../streams/event-stream.js';
import { openSeats } from '../streams/seats.js';

/** What stands on the page of somebody who waits. */
export interface ShownPage {
  /** That a claim waits for its money: then its refusal is news, too. */
  readonly isWaiting: boolean;
  /** Milliseconds since the epoch, after which nothing can come any more. */
  readonly closeAt: number;
}

export interface WaitingRoom {
  /** False when no stream more may be opened; browsers then ask now and again. */
  hasRoom(): boolean;
  /**
   * From now on the stream hears of the session: once, when it has moved, and then it ends.
   * @returns a function to be called when the browser has gone.
   */
  enter(session: string, shown: ShownPage, stream: Stream): () => void;
  /** Ends every stream; their browsers come back by themselves. */
  endAll(): void;
}

/**
 * Proxies commonly cut what is silent for 30 or 60 s. A page that hears nothing for 45 s asks, and connects
 * anew.
 */
const BREATH_MS = 25_000;
/** How long another process's move stays unseen at most. */
const LOOK_MS = 2_500;
/** Ids in one query. */
const CHUNK = 1_024;
/** Tabs that one link may keep open; the oldest makes room. */
const STREAMS_PER_SESSION = 8;

/** Sent first: after how many milliseconds a browser whose stream broke off comes back. */
export const HELLO = 'retry: 3000\n\n';
export const MOVED = 'event: moved\ndata: 1\n\n';
/** An event and not a comment, of which a page's script would see nothing (client/follow.ts). */
export const HEARTBEAT = 'event: ping\ndata: 1\n\n';

/** To a power of two, so that the store compiles and keeps ten such queries and not five hundred. */
function padded(ids: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length }, (_, at) => ids[at] ?? ids[0] ?? '');
}

interface Watcher extends ShownPage {
  readonly session: string;
  readonly stream: Stream;
}

/** Those of the sessions that `find` finds. */
async function* foundAmong(
  store: Core['store'],
  sessions: readonly string[],
  find: (db: Db, ids: readonly string[]) => Promise<string[]>,
): AsyncGenerator<string> {
  for (let at = 0; at < sessions.length; at += CHUNK) {
    const ids = padded(sessions.slice(at, at + CHUNK));
    yield* await store.read((db) => find(db, ids));
  }
}

export interface RoomOptions {
  readonly maxStreams: number;
  readonly breathMs?: number;
  readonly lookMs?: number;
}

export function openWaitingRoom(
  core: Pick<Core, 'store' | 'moved' | 'clock'>,
  log: Log,
  options: RoomOptions,
): WaitingRoom {
  const { maxStreams, breathMs = BREATH_MS, lookMs = LOOK_MS } = options;
  const seats = openSeats<Watcher>();

  function leave(watcher: Watcher): void {
    if (!seats.leave(watcher.session, watcher) || seats.taken() > 0) return;
    for (const loop of loops) void loop.stop();
  }

  function end(watcher: Watcher, lastWords = ''): void {
    leave(watcher);
    watcher.stream.end(lastWords);
  }

  const tell = (session: string, toWhom: (watcher: Watcher) => boolean = () => true) => {
    for (const watcher of seats.of(session)) if (toWhom(watcher)) end(watcher, MOVED);
  };

  function breathe(): void {
    const now = core.clock.now();
    for (const watcher of seats.all()) {
      if (now > watcher.closeAt) end(watcher);
      else watcher.stream.write(HEARTBEAT);
    }
  }

  async function look(): Promise<void> {
    for await (const id of foundAmong(core.store, seats.ids(), movedSessions)) tell(id);
    const waiting = [...seats.all()].filter(({ isWaiting }) => isWaiting).map(({ session }) => session);
    for await (const id of foundAmong(core.store, [...new Set(waiting)], answeredSessions)) {
      tell(id, ({ isWaiting }) => isWaiting);
    }
  }

  // The next look may succeed; whoever reloads is told of the store by the page itself.
  const failed = (error: unknown) => log.debug({ err: error }, 'looking for moved sessions failed');
  const loops = [
    createLoop({ run: breathe, pauseMs: breathMs, isBackground: true }),
    createLoop({ run: look, pauseMs: lookMs, failed, isBackground: true }),
  ];

  return {
    hasRoom: () => seats.taken() < maxStreams,
    enter(session, shown, stream) {
      const watcher = { ...shown, session, stream };
      seats.take(session, watcher, () => core.moved.listen(session, () => tell(session)));
      for (const loop of loops) loop.start();
      const [oldest, ...others] = seats.of(session);
      if (oldest !== undefined && others.length >= STREAMS_PER_SESSION) end(oldest);
      return () => leave(watcher);
    },
    endAll() {
      for (const watcher of seats.all()) end(watcher);
    },
  };
}
