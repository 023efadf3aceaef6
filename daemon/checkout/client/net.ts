/**
 * Requests over networks that come and go. What is asked for is asked for again until an answer of this
 * server has come; until then the page stays, and a bar on top of it says that it is not online.
 */
import type { Answer, Page } from './page.js';
import { listen } from './page.js';

/** Pauses between tries, in milliseconds; each is cut by up to a half, so that not all come at once. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
/** Time limit of the first try, and of the later ones: the network may be slow and not gone. */
const FIRST_LIMIT_MS = 10_000;
const LONGEST_LIMIT_MS = 90_000;

/** @returns what a request is answered with. Rejects without an answer in time. */
export function within(limitMs: number, url: string, request: RequestInit = {}): Promise<Response> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limitMs);
  const end = () => clearTimeout(timer);
  const answer = fetch(url, { cache: 'no-store', ...request, signal: abort.signal });
  answer.then(end, end);
  return answer;
}

/** Rejects what is no page of this server: a proxy's error, a network's page for logging in. */
async function pageIn(response: Response): Promise<Answer> {
  const { status } = response;
  const answer = new DOMParser().parseFromString(await response.text(), 'text/html');
  const isNotice = answer.getElementById('page') === null;
  if (status >= 500 || (isNotice && status === 429) || answer.querySelector('main') === null) {
    throw Number(response.headers.get('retry-after'));
  }
  return { status, document: answer };
}

/**
 * Asks for a page until it is there; at once when the network is back or the customer is.
 * @param request called for each try.
 * @param waiting said of a request that has failed and is not given up.
 */
export function insist(
  page: Page,
  url: string,
  request: () => RequestInit,
  waiting: string,
  done: (answer: Answer) => void,
): void {
  let pauseMs = FIRST_PAUSE_MS;
  let limitMs = FIRST_LIMIT_MS;
  let timer: number | undefined;
  let isAsking = false;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    say('');
  };
  const ask = () => {
    if (isAsking || isOver) return;
    clearTimeout(timer);
    isAsking = true;
    within(limitMs, url, request())
      .then(pageIn)
      .then((answer) => {
        if (isOver) return;
        end();
        done(answer);
      })
      .catch((seconds) => {
        isAsking = false;
        if (isOver) return;
        say(waiting);
        const askedMs = Math.min(60, seconds > 0 ? seconds : 0) * 1000;
        timer = setTimeout(ask, askedMs + pauseMs * (1 - Math.random() / 2));
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
        limitMs = Math.min(LONGEST_LIMIT_MS, limitMs * 2);
      });
  };
  page.onEnd(end);
  listen(page, window, 'online', ask);
  listen(page, document, 'visibilitychange', () => document.hidden || ask());
  ask();
}

let bar: HTMLElement | undefined;

function say(text: string): void {
  if (bar === undefined) {
    if (text === '') return;
    bar = document.createElement('p');
    bar.className = 'network';
    bar.setAttribute('role', 'status');
    document.body.insertBefore(bar, document.body.firstChild);
  }
  if (bar.textContent !== text) bar.textContent = text;
}

/** @param offline said while the browser knows of no network. */
export function startNetwork(page: Page, offline: string): void {
  const tell = () => say(navigator.onLine ? '' : offline);
  listen(page, window, 'online', tell);
  listen(page, window, 'offline', tell);
  tell();
}
