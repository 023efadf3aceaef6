/** What the page costs on a slow network, and that a customer can pay before all of it is there. */
import test from 'ava';
import type { CDPSession } from 'playwright-core';
import { BANGLA, browserOf, ENGLISH, PHONE, until, visitAlone } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';
import { variants } from '../helpers/tiers.js';

const browser = browserOf(test);

const MAX_PAGE_BYTES = 16 * 1024;
/** A crowded cell at the edge of a town: 50 kbit/s, 400 ms. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 6_250, uploadThroughput: 6_250 };

const BLOCKING = `performance.getEntriesByType('resource')
  .filter((entry) => entry.renderBlockingStatus === 'blocking').map((entry) => entry.name)`;
const PAINTED = `performance.getEntriesByName('first-contentful-paint').length === 1`;

test.serial('on a slow network the page is painted and typed into when only its HTML is there', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const { context, page, complaints, requests } = await visitAlone(t, await browser(), {
    ...PHONE,
    ...BANGLA,
  });
  const desk = reader(page, 'bn');
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', SLOW);
  const link = await checkout.create(500);
  await page.goto(link, { waitUntil: 'commit' });
  await desk.summary('mfs_a').click();
  await desk.enter('mfs_a', pay('500.00').trxId);
  await until(page, PAINTED);
  await page.waitForLoadState('load');
  const events = requests.filter((url) => new URL(url).pathname.endsWith('/events'));
  t.deepEqual(requests, [link, ...events], 'all that the page needs stands in it');
  t.deepEqual(await page.evaluate(BLOCKING), []);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  t.deepEqual(complaints, []);
});

/** Counts what comes over the wire by address, headers and all; 0 for what the browser had already. */
async function countBytes(cdp: CDPSession): Promise<Map<string, number>> {
  const urls = new Map<string, string>();
  const bytes = new Map<string, number>();
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    // A part of the page.
    if (response.url.startsWith('data:')) return;
    urls.set(requestId, response.url);
    bytes.set(response.url, response.encodedDataLength);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId);
    if (url !== undefined) bytes.set(url, encodedDataLength);
  });
  await cdp.send('Network.enable');
  return bytes;
}

for (const [language, locale] of variants([
  ['bn', BANGLA],
  ['en', ENGLISH],
] as const)) {
  test.serial(
    `in ${language} the page of eight ways to pay is 16 KiB at most with all it loads`,
    async (t) => {
      const checkout = await openCheckout(t, { everything: true });
      const { context, page, complaints } = await visitAlone(t, await browser(), { ...PHONE, ...locale });
      const cdp = await context.newCDPSession(page);
      const bytes = await countBytes(cdp);
      const listening = page.waitForResponse(/\/events\?shown=/);
      await page.goto(await checkout.create(500));
      await listening;
      t.is(await page.locator('details form [name=method]').count(), 8);
      const parts = [...bytes].map(([url, count]) => `${url} ${count}`).join('\n');
      const total = [...bytes.values()].reduce((sum, count) => sum + count, 0);
      t.log(`${total} bytes:\n${parts}`);
      t.is(bytes.size, 2, parts);
      t.true(total > 4_000 && total <= MAX_PAGE_BYTES, parts);
      t.deepEqual(complaints, []);
    },
  );
}
