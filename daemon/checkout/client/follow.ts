/**
 * Learns that the payment has moved: from the server's events, or by asking where events do not come through,
 * and always when the customer comes back from the wallet's app, because phones cut sleeping pages off.
 */
import { goOn } from './page.js';

const FAILURES = 2;
const FIRST_MS = 4000;
const LONGEST_MS = 20_000;
/** A page that says "moved" as soon as it is opened must not turn into a loop. */
const NOT_BEFORE_MS = 2000;

export function startFollowing(path: string): void {
  let isGone = false;
  const go = () => {
    if (isGone) return;
    isGone = true;
    setTimeout(() => goOn(path), Math.max(0, NOT_BEFORE_MS - performance.now()));
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) look(path, go);
  });
  listen(path, go, () => ask(path, go, FIRST_MS));
}

function listen(path: string, go: () => void, giveUp: () => void): void {
  if (typeof EventSource === 'undefined') {
    giveUp();
    return;
  }
  let failures = 0;
  const events = new EventSource(`${path}/events`);
  events.addEventListener('moved', () => {
    events.close();
    go();
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
function ask(path: string, go: () => void, afterMs: number): void {
  setTimeout(() => {
    if (!document.hidden) look(path, go);
    ask(path, go, Math.min(LONGEST_MS, afterMs * 1.5));
  }, afterMs);
}

function look(path: string, go: () => void): void {
  fetch(`${path}/state`, { cache: 'no-store' })
    .then((answer) => answer.json())
    .then(({ state }: { readonly state?: string }) => {
      if (state !== undefined && state !== 'open' && state !== 'waiting') go();
    })
    .catch(() => undefined);
}
