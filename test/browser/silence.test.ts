/** A connection may die without anybody being told; the page that waits notices the missing heartbeat. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { HEARTBEAT, HELLO } from '../../daemon/checkout/page-subscribers.js';
import {
  BANGLA,
  browserOf,
  DESKTOP,
  ENGLISH,
  PHONE,
  type visit,
  visitAlone,
} from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openMuteProxy } from '../helpers/network/mute-proxy.js';
import { tlsPair } from '../helpers/network/tls-pair.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';
import { until } from '../helpers/until.js';

const browser = browserOf(test);

/** Longer than a page bears silence, and shorter. */
const TOO_LONG_MS = 50_000;
const SHORT_MS = 30_000;
const STREAM = /\/events\?shown=waiting$/;

/** A payment whose page waits for its SMS, behind a proxy that can fall silent. */
async function openWaiting(t: ExecutionContext<unknown>, device: Parameters<typeof visit>[2]) {
  const checkout = await openCheckout(t);
  const proxy = await openMuteProxy(t, Number(new URL(checkout.daemon().url).port));
  const visitor = await visitAlone(t, await browser(), device);
  const { page, requests } = visitor;
  await page.clock.install();
  const desk = reader(page, device?.locale === 'en-US' ? 'en' : 'bn');
  const payment = pay('500.00');
  await page.goto(proxy.through(await checkout.create(500)));
  await desk.enter('mfs_a', payment.trxId);
  const listening = page.waitForResponse(STREAM);
  await desk.submit('mfs_a').click();
  await listening;
  await desk.says(desk.t.waiting);
  const streams = () => requests.filter((url) => STREAM.test(url)).length;
  return { ...visitor, checkout, proxy, desk, payment, streams };
}

test.serial('a page whose connection is silently lost polls the state and continues', async (t) => {
  const stage = await openWaiting(t, { ...PHONE, ...BANGLA });
  const { page, checkout, proxy, payment, complaints } = stage;
  t.true(proxy.mute() > 0);
  await checkout.deliver(payment.received);
  await page.clock.runFor(SHORT_MS);
  await page.waitForTimeout(2_000);
  t.deepEqual(checkout.site.returns, [], 'nothing has reached the page');
  await page.clock.runFor(TOO_LONG_MS);
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(complaints, []);
});

test.serial('it reconnects, so that later changes are seen at once', async (t) => {
  const stage = await openWaiting(t, { ...DESKTOP, ...ENGLISH });
  const { page, checkout, proxy, payment, streams, complaints } = stage;
  proxy.mute();
  t.is(streams(), 1);
  const listening = page.waitForResponse(STREAM);
  await page.clock.runFor(TOO_LONG_MS);
  await listening;
  await checkout.deliver(payment.received);
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.is(streams(), 2);
  t.deepEqual(complaints, []);
});

test.serial('a page that slept over the death of its connection asks when it is shown again', async (t) => {
  const stage = await openWaiting(t, { ...PHONE, ...BANGLA });
  const { page, checkout, proxy, payment, complaints } = stage;
  proxy.mute();
  await checkout.deliver(payment.received);
  // A window without a screen is never hidden; what the page is told when it is shown is the same.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(complaints, []);
});

test.serial('a page that receives heartbeats keeps its connection and does not poll', async (t) => {
  const { cert, key } = await tlsPair();
  const says: ((text: string) => void)[] = [];
  const server = createServer({ cert, key }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(HELLO);
    says.push((text) => response.write(text));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const checkout = await openCheckout(t);
  const { context, page, requests } = await visitAlone(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const { port } = server.address() as AddressInfo;
  await context.route(/\/events\?shown=/, (route) => route.continue({ url: `https://127.0.0.1:${port}/` }));
  await page.clock.install();
  await page.goto(await checkout.create(500));
  await until(() => says.length === 1);
  for (let beats = 0; beats < 3; beats += 1) {
    await page.clock.runFor(SHORT_MS);
    says[0]?.(HEARTBEAT);
    await page.waitForTimeout(500);
  }
  t.is(says.length, 1);
  t.false(requests.some((url) => url.endsWith('/state')));
  await page.clock.runFor(TOO_LONG_MS);
  await until(() => says.length === 2);
  t.true(requests.some((url) => url.endsWith('/state')));
});
