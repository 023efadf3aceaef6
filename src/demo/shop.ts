/**
 * The shop of the demo on the web: its server, which asks the daemon as any merchant's server does,
 * and the pages to which customers come back from the checkout.
 */
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { KashboxError } from '../base/errors/errors.js';
import { call } from './https.js';
import type { Say } from './steps.js';
import { duration, shortJson } from './text.js';

export interface Daemon {
  /** `https://127.0.0.1:8443` */
  readonly url: string;
  /** PEM of its certificate, the only one that is trusted. */
  readonly certificate: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export type ShopServer = ReturnType<typeof shopServer>;

/** POSTs to the API and tells what was sent and answered. @throws KashboxError `daemon_unreachable` */
export function shopServer(daemon: Daemon, brandKey: string, signal: AbortSignal) {
  const post = async (path: string, type: string, body: string, shown: string, say: Say): Promise<Answer> => {
    say('>', `POST ${path}  ${shown}`);
    const { status, text, ms } = await call({
      method: 'POST',
      url: `${daemon.url}${path}`,
      headers: { 'brand-key': brandKey, 'content-type': type, accept: 'application/json' },
      body,
      certificate: daemon.certificate,
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
 * Listens on a free port until the signal is aborted. The pages show what the address says; a real shop asks
 * the daemon before it believes a word of it.
 */
export async function openShopPage(
  tls: { readonly cert: string; readonly key: string },
  signal: AbortSignal,
) {
  /** `back` with the whole address, for each customer who came. */
  const returns = new EventEmitter<{ back: [URL] }>();
  const server = createServer(tls);
  const origin = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', origin());
    const title = TITLES[url.pathname];
    const headers = { 'content-type': 'text/html; charset=utf-8', connection: 'close' };
    response.writeHead(title === undefined ? 404 : 200, headers);
    response.end(title === undefined ? 'Not found' : document(title, url.searchParams));
    if (title !== undefined) returns.emit('back', url);
  });
  await once(server.listen({ host: '127.0.0.1', port: 0, signal }), 'listening');
  return { successUrl: `${origin()}/thanks?order=7`, cancelUrl: `${origin()}/cart?order=7`, returns };
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
