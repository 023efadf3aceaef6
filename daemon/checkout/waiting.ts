/**
 * Everybody who has a payment's page open and waits for it to move. One timer breathes for all, and one query
 * asks for all what other processes have moved; a page that waits costs neither. Knows no HTTP.
 */
import type { Core } from '../../src/actions/core.js';
import type { Log } from '../../src/base/log.js';
import { movedOf } from '../../src/store/tables/checkout.js';

/** The end of an event stream that is open towards a browser. */
export interface Stream {
  /** Sends whole lines of text/event-stream. */
  write(text: string): unknown;
  /** Sends the rest, if any, and ends the stream. */
  end(text: string): unknown;
}

export interface WaitingRoom {
  /** False when no stream more may be opened; browsers then ask now and again. */
  hasRoom(): boolean;
  /**
   * From now on the stream hears of the session: once, when it has moved, and then it ends.
   * @param closeAt milliseconds since the epoch, after which nothing can come any more.
   * @returns a function to be called when the browser has gone.
   */
  enter(session: string, closeAt: number, stream: Stream): () => void;
  /** Ends every stream; their browsers come back by themselves. */
  endAll(): void;
}

/** Proxies commonly cut what is silent for 30 or 60 s. */
const BREATH_MS = 25_000;
/** How long another process's move stays unseen at most. */
const LOOK_MS = 2_500;
/** Ids in one query. */
const CHUNK = 512;
/** Tabs that one link may keep open; the oldest makes room. */
const STREAMS_PER_SESSION = 8;

/** Sent first: after how many milliseconds a browser whose stream broke off comes back. */
export const HELLO = 'retry: 3000\n\n';
export const MOVED = 'event: moved\ndata: 1\n\n';
const BREATH = ':\n\n';

/** To a power of two, so that the store compiles and keeps ten such queries and not five hundred. */
function padded(ids: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length }, (_, at) => ids[at] ?? ids[0] ?? '');
}

interface Watcher {
  readonly session: string;
  readonly closeAt: number;
  readonly stream: Stream;
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
) {
  const { maxStreams, breathMs = BREATH_MS, lookMs = LOOK_MS } = options;
  const watched = new Map<string, { readonly watchers: Set<Watcher>; readonly deaf: () => void }>();
  let streams = 0;
  let timers: NodeJS.Timeout[] = [];
  let isLooking = false;

  function leave(watcher: Watcher): void {
    const entry = watched.get(watcher.session);
    if (entry === undefined || !entry.watchers.delete(watcher)) return;
    streams -= 1;
    if (entry.watchers.size > 0) return;
    entry.deaf();
    watched.delete(watcher.session);
    if (watched.size > 0) return;
    for (const timer of timers) clearInterval(timer);
    timers = [];
  }

  function end(watcher: Watcher, lastWords = ''): void {
    leave(watcher);
    watcher.stream.end(lastWords);
  }

  function tell(session: string): void {
    for (const watcher of [...(watched.get(session)?.watchers ?? [])]) end(watcher, MOVED);
  }

  function breathe(): void {
    const now = core.clock.now();
    for (const { watchers } of [...watched.values()]) {
      for (const watcher of [...watchers]) {
        if (now > watcher.closeAt) end(watcher);
        else watcher.stream.write(BREATH);
      }
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const sessions = [...watched.keys()];
      for (let at = 0; at < sessions.length; at += CHUNK) {
        const ids = sessions.slice(at, at + CHUNK);
        for (const moved of await core.store.read((db) => movedOf(db, padded(ids)))) tell(moved);
      }
    } catch (error) {
      // The next look may succeed; whoever reloads is told of the store by the page itself.
      log.debug({ err: error }, 'looking for moved sessions failed');
    } finally {
      isLooking = false;
    }
  }

  function watch(session: string) {
    if (timers.length === 0) {
      timers = [setInterval(breathe, breathMs), setInterval(look, lookMs)];
      for (const timer of timers) timer.unref();
    }
    const entry = { watchers: new Set<Watcher>(), deaf: core.moved.listen(session, () => tell(session)) };
    watched.set(session, entry);
    return entry;
  }

  return {
    hasRoom: () => streams < maxStreams,
    enter(session, closeAt, stream) {
      const { watchers } = watched.get(session) ?? watch(session);
      const [oldest] = watchers;
      const watcher = { session, closeAt, stream };
      watchers.add(watcher);
      streams += 1;
      if (oldest !== undefined && watchers.size > STREAMS_PER_SESSION) end(oldest);
      return () => leave(watcher);
    },
    endAll() {
      for (const { watchers } of [...watched.values()]) {
        for (const watcher of [...watchers]) end(watcher);
      }
    },
  } satisfies WaitingRoom;
}
