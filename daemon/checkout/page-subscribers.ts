/**
 * Subscribers of payment pages: open pages that wait for their payment to change. One timer sends heartbeats
 * to all streams, and one query finds changes of other processes. Knows no HTTP.
 */
import type { Core } from '../../src/actions/core/core.js';
import type { Log } from '../../src/base/io/log.js';
import { LINK_ID } from '../../src/base/values/ids.js';
import type { Db } from '../../src/store/schema/index.js';
import { answeredSessions, movedSessions } from '../../src/store/tables/checkout.js';
import { shownOnDisplays } from '../../src/store/tables/links.js';
import { createLoop } from '../loops/loop.js';
import type { Stream } from '../streams/event-stream.js';
import { openSubscribers } from '../streams/subscribers.js';

/** State shown on a subscribed page. */
export interface ShownPage {
  /** True if a claim waits for its money: the page is then notified of its refusal, too. */
  readonly isWaiting: boolean;
  /** Milliseconds since the epoch, after which the page can no longer change. */
  readonly closeAt: number;
  /** All that was paid in parts, in paisa; absent for nothing. */
  readonly paidPaisa?: number;
  /** Session that a counter display shows, null at its start; absent of the page of a payment. */
  readonly onDisplay?: string | null;
}

export type PageSubscribers = ReturnType<typeof openPageSubscribers>;

/**
 * Proxies commonly cut connections that are silent for 30 or 60 s. A page without an event for 45 s polls and
 * reconnects.
 */
const HEARTBEAT_MS = 25_000;
/** Longest delay until another process's change is found. */
const POLL_MS = 2_500;
/** Ids in one query. */
const CHUNK = 1_024;
/** Open tabs per link; above it the oldest stream ends. */
const STREAMS_PER_SESSION = 8;

/** Sent first: after how many milliseconds a browser whose stream broke off comes back. */
export const HELLO = 'retry: 3000\n\n';
export const UPDATED = 'event: payment.updated\ndata: 1\n\n';
/** Sent as an event, because a page's script does not receive comments (client/follow.ts). */
export const HEARTBEAT = 'event: ping\ndata: 1\n\n';

/** Pads the list to a power of two, so that the store prepares and caches ten queries, not five hundred. */
function padded(ids: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length }, (_, at) => ids[at] ?? ids[0] ?? '');
}

interface Watcher extends ShownPage {
  /** Id of the session; of the link for a display that waits for its next payment. */
  readonly id: string;
  readonly stream: Stream;
}

/** Yields what `find` returns of those sessions. */
async function* findAmong<Found>(
  store: Core['store'],
  sessions: readonly string[],
  find: (db: Db, ids: readonly string[]) => Promise<Found[]>,
): AsyncGenerator<Found> {
  for (let at = 0; at < sessions.length; at += CHUNK) {
    const ids = padded(sessions.slice(at, at + CHUNK));
    yield* await store.read((db) => find(db, ids));
  }
}

export interface PageSubscriberOptions {
  readonly maxStreams: number;
  readonly heartbeatMs?: number;
  readonly pollMs?: number;
}

export function openPageSubscribers(
  core: Pick<Core, 'store' | 'moved' | 'clock'>,
  log: Log,
  options: PageSubscriberOptions,
) {
  const { maxStreams, heartbeatMs = HEARTBEAT_MS, pollMs = POLL_MS } = options;
  const notify = (session: string, matches: (watcher: Watcher) => boolean = () => true) => {
    for (const watcher of subscribers.of(session)) if (matches(watcher)) subscribers.end(watcher, UPDATED);
  };

  function sendHeartbeats(): void {
    const now = core.clock.now();
    for (const watcher of subscribers.all()) {
      if (now > watcher.closeAt) subscribers.end(watcher);
      else watcher.stream.write(HEARTBEAT);
    }
  }

  async function poll(): Promise<void> {
    for await (const moved of findAmong(core.store, subscribers.ids(), movedSessions)) {
      notify(moved.id, ({ paidPaisa = 0 }) => moved.isMoved || moved.paidPaisa !== paidPaisa);
    }
    const waiting = [...subscribers.all()].filter(({ isWaiting }) => isWaiting).map(({ id }) => id);
    for await (const id of findAmong(core.store, [...new Set(waiting)], answeredSessions)) {
      notify(id, ({ isWaiting }) => isWaiting);
    }
    const links = subscribers.ids().filter((id) => LINK_ID.test(id));
    if (links.length === 0) return;
    for (const display of await core.store.read((db) => shownOnDisplays(db, links))) {
      notify(display.id, ({ onDisplay }) => onDisplay !== display.display_session);
    }
  }

  // The next poll may succeed; a reloaded page reports the store's failure itself.
  const failed = (error: unknown) => log.debug({ err: error }, 'looking for moved sessions failed');
  const loops = [
    createLoop({ run: sendHeartbeats, pauseMs: heartbeatMs, isBackground: true }),
    createLoop({ run: poll, pauseMs: pollMs, failed, isBackground: true }),
  ];

  const subscribers = openSubscribers<Watcher>({
    max: maxStreams,
    maxOfId: STREAMS_PER_SESSION,
    loops,
    listen: (session) => core.moved.listen(session, () => notify(session)),
    end: ({ stream }, lastEvents = '') => void stream.end(lastEvents),
  });
  return {
    /** False at the limit of streams; browsers then poll. */
    hasRoom: subscribers.hasRoom,
    /**
     * Subscribes the stream to the session: it gets one event when the session changes, then ends.
     * @returns a function to be called when the browser has gone.
     */
    enter: (id: string, shown: ShownPage, stream: Stream) => subscribers.add({ ...shown, id, stream }),
    /** Ends every stream; browsers reconnect. */
    endAll: subscribers.endAll,
  };
}
