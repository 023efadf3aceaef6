/**
 * The pages of the shop's website in the demo to which customers come back from the checkout. They show what
 * the address says; a real shop asks the daemon before it believes a word of it.
 */
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { HOST } from './set-up.js';

export interface ShopPage {
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** `back` with the whole address, for each customer who came. */
  readonly returns: EventEmitter<{ back: [URL] }>;
}

/** Certificate and key, PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** Listens on a free port until the signal is aborted. */
export async function openShopPage(identity: Identity, signal: AbortSignal): Promise<ShopPage> {
  const returns: ShopPage['returns'] = new EventEmitter();
  const server = createServer({ cert: identity.certificate, key: identity.key });
  const origin = () => `https://${HOST}:${(server.address() as AddressInfo).port}`;
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', origin());
    const title = TITLES[url.pathname];
    const headers = { 'content-type': 'text/html; charset=utf-8', connection: 'close' };
    response.writeHead(title === undefined ? 404 : 200, headers);
    response.end(title === undefined ? 'Not found' : document(title, url.searchParams));
    if (title !== undefined) returns.emit('back', url);
  });
  await once(server.listen({ host: HOST, port: 0, signal }), 'listening');
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
