/**
 * The website of a shop: a real HTTPS server to which customers come back, and which remembers how. Knows
 * nothing of payments.
 */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SHOP_HOST } from '../browser/browser.js';
import { type TlsPair, tlsPair } from '../network/tls-pair.js';
import type { Owner } from '../programs/processes.js';

/** Somebody has come back to the shop. */
export interface Return {
  readonly method: string;
  readonly path: string;
  /** Names and values in their order: of the query, for a POST of its form. */
  readonly query: readonly (readonly [string, string])[];
  readonly form: readonly (readonly [string, string])[];
  readonly referrer: string | null;
}

export interface ShopSite {
  /** `https://shop.example:…` */
  readonly url: string;
  /** Customers who came to `/paid` or `/cart`, oldest first. */
  readonly returns: readonly Return[];
  /** Puts a link on the shop's front page, for a customer to click. */
  offer(paymentUrl: string): void;
}

/** @param pair key and certificate, of which browsers of the tests know only one. */
export async function openShopSite(t: Owner, pair: Promise<TlsPair> = tlsPair()): Promise<ShopSite> {
  const { cert, key } = await pair;
  const returns: Return[] = [];
  let offered = '';
  const server = createServer({ cert, key }, async (request, response) => {
    const url = new URL(request.url ?? '/', 'https://shop.example');
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    const body = await text(request);
    if (url.pathname === '/paid' || url.pathname === '/cart') {
      returns.push({
        method: request.method ?? '',
        path: url.pathname,
        query: [...url.searchParams],
        form: isForm ? [...new URLSearchParams(body)] : [],
        referrer: request.headers.referer ?? null,
      });
    }
    response.writeHead(url.pathname === '/favicon.ico' ? 204 : 200, { 'content-type': 'text/html' });
    response.end(frontPage(url.pathname, offered));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${SHOP_HOST}:${port}`,
    returns,
    offer: (paymentUrl) => {
      offered = paymentUrl;
    },
  };
}

function frontPage(path: string, offered: string): string {
  const link = offered === '' ? '' : `<a href="${offered}">Pay</a>`;
  return `<!doctype html><html lang="en"><title>Shop</title><h1>Shop ${path}</h1>${link}</html>`;
}
