/**
 * Simulates the shop of the demo: its server, which calls the daemon as any merchant's server does, and the
 * pages to which customers return from the checkout.
 */
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { KashboxError } from '../base/errors/errors.js';
import type { Clock } from '../base/values/clock.js';
import { type ReceivedNotification, startReceiver } from '../cli/webhooks/webhook-receiver.js';
import { call } from './browser.js';
import { assertResult, duration, type Say, shortJson } from './steps.js';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export type ShopServer = ReturnType<typeof shopServer>;

/** POSTs to the API and prints request and response. @throws KashboxError `daemon_unreachable` */
export function shopServer(daemon: { readonly url: string }, brandKey: string, signal: AbortSignal) {
  const post = async (path: string, type: string, body: string, shown: string, say: Say): Promise<Answer> => {
    say('>', `POST ${path}  ${shown}`);
    const { status, text, ms } = await call('POST', `${daemon.url}${path}`, {
      headers: { 'brand-key': brandKey, 'content-type': type, accept: 'application/json' },
      body,
      signal,
    });
    const answered = parseObject(text);
    say('<', `${status}  ${shortJson(answered)}  (${duration(ms)})`);
    return { status, body: answered };
  };
  return {
    postJson: (path: string, body: object, say: Say) =>
      post(path, 'application/json', JSON.stringify(body), shortJson(body), say),
    postForm: (path: string, fields: Readonly<Record<string, string>>, say: Say) => {
      const shown = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
      const body = new URLSearchParams(fields).toString();
      return post(path, 'application/x-www-form-urlencoded', body, shown.join(' & '), say);
    },
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    const message = `The daemon answered no JSON: ${text.slice(0, 80)}`;
    throw new KashboxError('internal', { message, cause });
  }
}

export type ShopPage = Awaited<ReturnType<typeof openShopPage>>;

/**
 * Serves the shop's pages on a free port until the signal aborts. The pages show the query of their URL; a
 * real shop verifies the payment with the daemon before it trusts the query.
 */
export async function openShopPage(
  tls: { readonly cert: string; readonly key: string },
  signal: AbortSignal,
) {
  /** Emits `back` with the full URL for each customer who returns. */
  const returns = new EventEmitter<{ back: [URL] }>();
  const server = createServer(tls);
  await once(server.listen({ host: '127.0.0.1', port: 0, signal }), 'listening');
  // Kept, because a server that is closing answers its last requests without an address of its own.
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', origin);
    const title = TITLES[url.pathname];
    const headers = { 'content-type': 'text/html; charset=utf-8', connection: 'close' };
    response.writeHead(title === undefined ? 404 : 200, headers);
    response.end(title === undefined ? 'Not found' : document(title, url.searchParams));
    if (title !== undefined) returns.emit('back', url);
  });
  return { successUrl: `${origin}/thanks?order=7`, cancelUrl: `${origin}/cart?order=7`, returns };
}

const TITLES: Readonly<Record<string, string>> = { '/thanks': 'Thank you!', '/cart': 'Nothing was paid' };

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? '');

function document(title: string, query: URLSearchParams): string {
  const rows = [...query].map(([name, value]) => `<tr><td>${escaped(name)}<td><b>${escaped(value)}</b>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Demo Shop: ${title}</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem}td{padding-right:2rem}</style>
<h1>${title}</h1><p>This is the shop's own page. The checkout has sent you back to it with:</p>
<table>${rows.join('\n')}</table>
`;
}

const WHERE = { host: '127.0.0.1', port: 0, path: '/notifications' } as const;
const HEARD_DEADLINE_MS = 20_000;
const LOOK_EVERY_MS = 10;

export interface ShopNotification {
  readonly received: ReceivedNotification;
  readonly body: Readonly<Record<string, unknown>>;
  /** Time of receipt, on the clock of `performance.now()`. */
  readonly at: number;
}

export type Notices = Awaited<ReturnType<typeof openNotices>>;

/** Listens on a free port of this machine until the signal is aborted. */
export async function openNotices(clock: Clock, signal: AbortSignal) {
  /** Emits `heard` for each notification. */
  const coming = new EventEmitter<{ heard: [ShopNotification] }>();
  const heard: ShopNotification[] = [];
  const secrets: string[] = [];
  const receiver = await startReceiver({
    ...WHERE,
    status: 200,
    secrets: async () => secrets,
    now: clock.now,
    onReceived: (received) => {
      const body = JSON.parse(received.content) as ShopNotification['body'];
      const notice = { received, body, at: performance.now() };
      heard.push(notice);
      coming.emit('heard', notice);
    },
  });
  signal.addEventListener('abort', () => void receiver.close(), { once: true });
  return {
    /** Address for notifications of the shop. */
    url: receiver.url,
    coming,
    /** Adds a secret for signatures; without it no signature is valid. */
    trust: (secret: string) => void secrets.push(secret),
    /** Waits for the notification of a transaction. */
    of: async (transactionId: string): Promise<ShopNotification> => {
      const began = performance.now();
      for (;;) {
        const found = heard.find(({ body }) => body.transaction_id === transactionId);
        if (found !== undefined) return found;
        const isLate = performance.now() - began > HEARD_DEADLINE_MS;
        assertResult(!isLate, `a notification of ${transactionId}`, `${heard.length} of others`);
        await sleep(LOOK_EVERY_MS, undefined, { signal });
      }
    },
  };
}

export function isSigned({ received }: ShopNotification): boolean {
  return received.signature === 'valid' && received.standardSignature === 'valid';
}

/**
 * Waits for a payment's notification and holds it against what it has to say.
 * @param wanted fields of the body, `transaction_id` among them.
 * @param sent what it follows upon: "the SMS arrived", on the clock of `performance.now()`.
 */
export async function expectNotification(
  notices: Notices,
  wanted: Readonly<Record<string, unknown>> & { readonly transaction_id: string },
  sent: { readonly at: number; readonly what: string },
  say: Say,
): Promise<void> {
  const notice = await notices.of(wanted.transaction_id);
  const { received, body, at } = notice;
  say('>', `POST ${notices.url}  ${shortJson(body)}`);
  say('<', `${received.answered}  (it came ${duration(at - sent.at)} after ${sent.what})`);
  const verdicts = `"${received.signature}" and "${received.standardSignature}"`;
  assertResult(isSigned(notice), 'two valid signatures', verdicts);
  const isTrue = Object.entries(wanted).every(([name, value]) => body[name] === value);
  assertResult(isTrue && received.times === 1, `${shortJson(wanted)} once`, shortJson(body));
  say('.', "X-Service-Signature fits the shop's secret, and so does that of Standard Webhooks");
}
