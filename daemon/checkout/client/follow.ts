/**
 * Learns that the payment has changed: from server events, by polling where events do not arrive, and always
 * when the customer returns from the wallet's app, because phones disconnect sleeping pages. A page that
 * nobody sees has no connection: browsers open six to one server, and each costs a phone its battery.
 */
import { retryUntilAnswered, showBanner, within } from './net.js';
import { listen, type PaymentPage, staysAtEnd, stopwatch } from './page.js';

const FAILURES = 2;
/** Maximum time without a heartbeat, in ms; then the page reconnects. The server sends one every 25 s. */
const SILENT_MS = 45_000;
/** Time limit for the first event of a new connection, on a slow network. */
const PATIENCE_MS = 15_000;
/** Time limit of the first request, in ms. After a timeout it is doubled for the retry, up to 20 s. */
const ANSWER_MS = 5000;
const WATCH_MS = 5000;
const FIRST_MS = 4000;
const LONGEST_MS = 20_000;
/** Minimum time on a page, in ms: a page notified of a change at once must not reload in a loop. */
const NOT_BEFORE_MS = 2000;
/** Time in the background until the connection closes, in ms. Short switches of windows keep it. */
const UNSEEN_MS = 10_000;

export interface Following {
  /** Shown to a customer who stays on the page after the time is over. */
  readonly over: string;
  /** Shown while the page cannot be loaded. */
  readonly offline: string;
}

/** Shows the page again, as soon as the server answers with it. */
export function reloadWhenReady(page: PaymentPage, offline: string): void {
  retryUntilAnswered(page, (limitMs) => within(limitMs, `${page.path}?now=1`), offline, page.become);
}

/** States in which a payment's page has events, perhaps with the number of its parts; not of a display. */
const OPEN = /^(open|waiting)( \d\d?)?$/;
const WAITING = /^waiting( \d\d?)?$/;

export function startFollowing(page: PaymentPage, { over, offline }: Following): void {
  const { path, state: shown } = page;
  const since = performance.now();
  let isGone = false;
  let isAway = false;
  const tell = (isNowAway: boolean) => {
    if (isAway !== isNowAway && !isGone) showBanner(isNowAway ? offline : '');
    isAway = isNowAway;
  };
  const go = (state: string) => {
    if (isGone || (state === 'expired' && staysAtEnd(page, over))) return;
    isGone = true;
    const timer = setTimeout(
      () => reloadWhenReady(page, offline),
      Math.max(0, since + NOT_BEFORE_MS - performance.now()),
    );
    page.onEnd(() => clearTimeout(timer));
  };
  /** @param isMoved whether something has changed, though the state may be the same. */
  const look = (isMoved: boolean) => {
    stateAt(path).then(
      // An id entered in another window does not take a page away that the customer reads.
      (state) => {
        tell(false);
        if (isMoved || (state !== shown && !WAITING.test(state))) go(state);
      },
      () => {
        tell(true);
        if (isMoved) setTimeout(() => isGone || look(true), FIRST_MS);
      },
    );
  };
  page.onEnd(() => {
    isGone = true;
  });
  const lookIfSeen = () => document.hidden || isGone || look(false);
  listen(page, document, 'visibilitychange', lookIfSeen);
  listen(page, window, 'online', lookIfSeen);
  const isDisplay = page.main.dataset.display !== undefined;
  // A person takes their time, and so may money that comes late: no connection is kept for them.
  if (!isDisplay && !OPEN.test(shown)) poll(page, lookIfSeen, LONGEST_MS);
  else {
    const url = `${path}/events?shown=${encodeURIComponent(shown)}`;
    startEvents(page, { url, isDisplay }, () => look(true), lookIfSeen);
  }
}

/**
 * @param isDisplay true for a counter's display: it stays for weeks, and always comes back to events.
 * @param moved called when the server reports a change.
 * @param look called when the connection may have missed a change.
 */
function startEvents(
  page: PaymentPage,
  { url, isDisplay }: { readonly url: string; readonly isDisplay: boolean },
  moved: () => void,
  look: () => void,
): void {
  if (typeof EventSource === 'undefined') {
    poll(page, look, FIRST_MS, isDisplay ? WATCH_MS : LONGEST_MS);
    return;
  }
  let failures = 0;
  let silentMs = stopwatch();
  let mostMs = SILENT_MS;
  let events: EventSource | undefined;
  let unseen: number | undefined;
  let isOver = false;
  const heard = () => {
    failures = 0;
    mostMs = SILENT_MS;
    silentMs = stopwatch();
  };
  const close = () => {
    if (events !== undefined) events.close();
    events = undefined;
  };
  const end = () => {
    isOver = true;
    clearTimeout(unseen);
    close();
  };
  const open = () => {
    const source = new EventSource(url);
    events = source;
    silentMs = stopwatch();
    source.addEventListener('payment.updated', () => {
      end();
      moved();
    });
    source.addEventListener('ping', heard);
    source.onopen = heard;
    source.onerror = () => {
      failures += 1;
      if (failures < FAILURES && source.readyState !== EventSource.CLOSED) return;
      // Then `watch` polls and reconnects.
      if (isDisplay) return close();
      end();
      poll(page, look, FIRST_MS);
    };
  };
  const watch = () => {
    if (isOver || document.hidden || (events !== undefined && silentMs() < mostMs)) return;
    look();
    close();
    open();
    mostMs = PATIENCE_MS;
  };
  const seen = () => {
    clearTimeout(unseen);
    if (isOver) return;
    if (document.hidden) unseen = setTimeout(close, UNSEEN_MS);
    else if (events === undefined) open();
    else watch();
  };
  const watching = setInterval(watch, WATCH_MS);
  page.onEnd(() => clearInterval(watching));
  page.onEnd(end);
  listen(page, document, 'visibilitychange', seen);
  if (!document.hidden) open();
}

/** Polls ever more slowly. */
function poll(page: PaymentPage, look: () => void, afterMs: number, mostMs = LONGEST_MS): void {
  let pauseMs = afterMs;
  let timer = setTimeout(function again() {
    look();
    pauseMs = Math.min(mostMs, pauseMs * 1.5);
    timer = setTimeout(again, pauseMs);
  }, pauseMs);
  page.onEnd(() => clearTimeout(timer));
}

/**
 * Fetches the state of the payment. A request over a broken connection gets no answer; aborting it makes the
 * next one use a new connection. Rejects if the answer contains no state.
 */
export async function stateAt(path: string, limitMs = ANSWER_MS): Promise<string> {
  const passed = stopwatch();
  try {
    const { state } = (await (await within(limitMs, `${path}/state`)).json()) as { readonly state?: string };
    if (state === undefined) throw state;
    return state;
  } catch (error) {
    if (passed() < limitMs || limitMs > PATIENCE_MS) throw error;
    return stateAt(path, limitMs * 2);
  }
}
