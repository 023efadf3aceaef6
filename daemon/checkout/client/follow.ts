/**
 * Learns that the payment has changed: from server events, by polling where events do not arrive, and always
 * when the customer returns from the wallet's app, because phones disconnect sleeping pages.
 */
import { goOn, staysAtEnd } from './page.js';

const FAILURES = 2;
/** A heartbeat comes every 25 s. After this time without one, the connection is dead. */
const SILENT_MS = 45_000;
/** Time limit for the first event of a new connection, on a slow network. */
const PATIENCE_MS = 15_000;
/** Time limit of an answer. After it the page asks once more, with twice the limit. */
const ANSWER_MS = 5000;
const WATCH_MS = 5000;
const FIRST_MS = 4000;
const LONGEST_MS = 20_000;
/** A page that gets "moved" right after opening must not reload in a loop. */
const NOT_BEFORE_MS = 2000;

/**
 * @param shown the state that this page shows.
 * @param over what is said to who stays when the time is over.
 */
export function startFollowing(path: string, shown: string, over: string): void {
  let isGone = false;
  const go = (state?: string) => {
    if (isGone || (state === 'expired' && staysAtEnd(over))) return;
    isGone = true;
    setTimeout(() => goOn(path), Math.max(0, NOT_BEFORE_MS - performance.now()));
  };
  const look = () => {
    if (document.hidden) return;
    stateAt(path)
      // An id entered in another window does not reload a page that the customer reads.
      .then((state) => state !== undefined && state !== shown && state !== 'waiting' && go(state))
      .catch(() => undefined);
  };
  document.addEventListener('visibilitychange', look);
  listen(
    `${path}/events?shown=${shown}`,
    () => stateAt(path).then(go, () => go()),
    look,
    () => ask(look, FIRST_MS),
  );
}

function listen(url: string, moved: () => void, look: () => void, giveUp: () => void): void {
  if (typeof EventSource === 'undefined') {
    giveUp();
    return;
  }
  let failures = 0;
  let events: EventSource;
  let heardAt = Date.now();
  const heard = () => {
    failures = 0;
    heardAt = Date.now();
  };
  const open = () => {
    events = new EventSource(url);
    events.addEventListener('moved', () => {
      close();
      moved();
    });
    events.addEventListener('ping', heard);
    events.onopen = heard;
    events.onerror = () => {
      failures += 1;
      if (failures < FAILURES && events.readyState !== EventSource.CLOSED) return;
      close();
      giveUp();
    };
  };
  const watch = () => {
    if (document.hidden || Date.now() - heardAt < SILENT_MS) return;
    heardAt = Date.now() - SILENT_MS + PATIENCE_MS;
    look();
    events.close();
    open();
  };
  const watching = setInterval(watch, WATCH_MS);
  const close = () => {
    clearInterval(watching);
    document.removeEventListener('visibilitychange', watch);
    events.close();
  };
  document.addEventListener('visibilitychange', watch);
  open();
}

/** Polls ever more slowly, and not while the page is hidden. */
function ask(look: () => void, afterMs: number): void {
  setTimeout(() => {
    look();
    ask(look, Math.min(LONGEST_MS, afterMs * 1.5));
  }, afterMs);
}

/**
 * A request over a dead connection gets no answer; aborting it makes the next one use a new connection.
 * @returns nothing where the server had something else to say.
 */
function stateAt(path: string, withinMs = ANSWER_MS): Promise<string | undefined> {
  const abort = new AbortController();
  const { signal } = abort;
  setTimeout(() => abort.abort(), withinMs);
  return fetch(`${path}/state`, { cache: 'no-store', signal })
    .then((answer) => answer.json())
    .then(({ state }: { readonly state?: string }) => state)
    .catch((error) => {
      if (!signal.aborted || withinMs > PATIENCE_MS) throw error;
      return stateAt(path, withinMs * 2);
    });
}
