/**
 * Requests over unreliable networks. A request is repeated until this server has answered; until then the
 * page stays, and a bar at the top says that it is offline.
 */
import type { PaymentPage, ServerAnswer } from './page.js';
import { listen } from './page.js';

/** Pauses between tries, in milliseconds; each is cut by up to a half, so that not all come at once. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
/** Time limit of the first try, and of the later ones: the network may be slow and not gone. */
const FIRST_LIMIT_MS = 10_000;
const LONGEST_LIMIT_MS = 90_000;

/** Time without progress after which an upload is restarted, in ms. */
const STALLED_MS = 20_000;
/** Bytes per ms of the slowest network: the phone still sends data that the page has already passed to it. */
const SLOWEST = 5;

const MOST_WAITED_S = 300;

/** @returns what a request is answered with. Rejects without an answer in time. */
export function within(
  limitMs: number,
  url: string,
  request: RequestInit = {},
  abort = new AbortController(),
): Promise<Response> {
  const timer = setTimeout(() => abort.abort(), limitMs);
  const end = () => clearTimeout(timer);
  const answer = fetch(url, { cache: 'no-store', ...request, signal: abort.signal });
  answer.then(end, end);
  return answer;
}

/**
 * Sends a form with a file; the time limit restarts with each progress, which `fetch` does not report.
 * @param moved called with the progress in percent.
 */
export function upload(
  url: string,
  body: FormData,
  abort: AbortController,
  moved: (percent: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: number | undefined;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), ms);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      wait(STALLED_MS + (loaded < total ? 0 : total / SLOWEST));
      moved(Math.floor((100 * loaded) / total));
    };
    request.onload = () => {
      const retry = request.getResponseHeader('retry-after');
      const headers: Record<string, string> = retry === null ? {} : { 'retry-after': retry };
      resolve(new Response(request.responseText, { status: request.status, headers }));
    };
    request.onerror = reject;
    request.onabort = reject;
    request.onloadend = () => clearTimeout(timer);
    abort.signal.onabort = () => request.abort();
    request.open('POST', url);
    wait(STALLED_MS);
    request.send(body);
  });
}

/** Rejects other pages, 5xx and rate limits of a few minutes, with the seconds to wait (or 0) as reason. */
async function pageIn(response: Response): Promise<ServerAnswer> {
  const { status } = response;
  const answer = new DOMParser().parseFromString(await response.text(), 'text/html');
  const seconds = Number(response.headers.get('retry-after'));
  // Nobody waits on a page for a limit that ends with the day: what it says is shown.
  const isBusy = status === 429 && answer.getElementById('page') === null && seconds <= MOST_WAITED_S;
  if (status >= 500 || isBusy || answer.querySelector('main') === null) throw seconds;
  return { status, document: answer };
}

/**
 * Requests a page until it arrives; retries at once when the network or the customer returns.
 * @param request called for each attempt.
 * @param waiting shown after a failed attempt, while the request is repeated.
 * @param failed called after each failed attempt.
 * @returns a function that aborts the current attempt and starts another at once.
 */
export function retryUntilAnswered(
  page: PaymentPage,
  request: (limitMs: number, abort: AbortController) => Promise<Response>,
  waiting: string,
  done: (answer: ServerAnswer) => void,
  failed: () => void = () => {},
): () => void {
  let pauseMs = FIRST_PAUSE_MS;
  let limitMs = FIRST_LIMIT_MS;
  let timer: number | undefined;
  let abort: AbortController | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    showBanner('');
  };
  const ask = () => {
    if (abort !== undefined || isOver) return;
    clearTimeout(timer);
    abort = new AbortController();
    request(limitMs, abort)
      .then(pageIn)
      .then((answer) => {
        if (isOver) return;
        end();
        done(answer);
      })
      .catch((seconds) => {
        abort = undefined;
        if (isOver) return;
        showBanner(waiting);
        failed();
        const askedMs = Math.min(60, seconds > 0 ? seconds : 0) * 1000;
        timer = setTimeout(ask, askedMs + pauseMs * (1 - Math.random() / 2));
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 || FIRST_PAUSE_MS);
        limitMs = Math.min(LONGEST_LIMIT_MS, limitMs * 2);
      });
  };
  page.onEnd(end);
  listen(page, window, 'online', ask);
  listen(page, document, 'visibilitychange', () => document.hidden || ask());
  ask();
  return () => {
    pauseMs = 0;
    if (abort === undefined) ask();
    else abort.abort();
  };
}

let bar: HTMLElement | undefined;

/** @param text on the bar on top of the page; empty for nothing. */
export function showBanner(text: string): void {
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
export function startNetwork(page: PaymentPage, offline: string): void {
  const tell = () => showBanner(navigator.onLine ? '' : offline);
  listen(page, window, 'online', tell);
  listen(page, window, 'offline', tell);
  tell();
}
