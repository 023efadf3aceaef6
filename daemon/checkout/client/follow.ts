/**
 * Learns that the payment has moved: from the server's events, or by asking where events do not come through,
 * and always when the customer comes back from the wallet's app, because phones cut sleeping pages off.
 */
import { goOn, staysAtEnd } from './page.js';

const FAILURES = 2;
const FIRST_MS = 4000;
const LONGEST_MS = 20_000;
/** A page that says "moved" as soon as it is opened must not turn into a loop. */
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
      // A page that somebody reads is not renewed because of an id that was given in another window.
      .then((state) => state !== undefined && state !== shown && state !== 'waiting' && go(state))
      .catch(() => undefined);
  };
  document.addEventListener('visibilitychange', look);
  listen(
    `${path}/events?shown=${shown}`,
    () => stateAt(path).then(go, () => go()),
    () => ask(look, FIRST_MS),
  );
}

function listen(url: string, moved: () => void, giveUp: () => void): void {
  if (typeof EventSource === 'undefined') {
    giveUp();
    return;
  }
  let failures = 0;
  const events = new EventSource(url);
  events.addEventListener('moved', () => {
    events.close();
    moved();
  });
  events.onopen = () => {
    failures = 0;
  };
  events.onerror = () => {
    failures += 1;
    if (failures < FAILURES && events.readyState !== EventSource.CLOSED) return;
    events.close();
    giveUp();
  };
}

/** Asks ever more slowly, and not while nobody looks. */
function ask(look: () => void, afterMs: number): void {
  setTimeout(() => {
    look();
    ask(look, Math.min(LONGEST_MS, afterMs * 1.5));
  }, afterMs);
}

/** @returns nothing where the server had something else to say. */
function stateAt(path: string): Promise<string | undefined> {
  return fetch(`${path}/state`, { cache: 'no-store' })
    .then((answer) => answer.json())
    .then(({ state }: { readonly state?: string }) => state);
}
