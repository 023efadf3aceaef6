/** Many payment pages of one shop, open at once in one browser: each hears of its payment. */
import test from 'ava';
import { browserOf, DESKTOP, ENGLISH, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';

const browser = browserOf(test);

/** Twice as many as a browser opens connections of HTTP/1.1 to one host. */
const PAGES = 12;

test.serial(
  'twelve pages that are open at once all go on by their event streams, without asking',
  async (t) => {
    const checkout = await openCheckout(t, { env: { KASHBOX_HTTP2: 'on' } });
    const { context, complaints, requests } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
    const waiting = [];
    for (let at = 0; at < PAGES; at += 1) {
      const page = await context.newPage();
      const payment = pay(`${500 + at}.00`);
      const listens = page.waitForResponse(/\/events\?shown=waiting/);
      await page.goto(await checkout.create(500 + at));
      const protocol = await page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol");
      t.is(protocol, 'h2');
      const desk = reader(page, 'en');
      await desk.field('mfs_a').fill(payment.trxId);
      await desk.submit('mfs_a').click();
      await desk.says(desk.t.waiting);
      t.is((await listens).status(), 200);
      waiting.push({ page, payment });
    }
    t.false(
      requests.some((url) => url.endsWith('/state')),
      'each has its stream, and none has to ask',
    );
    for (const { payment } of waiting) await checkout.deliver(payment.received);
    await Promise.all(waiting.map(({ page }) => page.waitForURL(`${checkout.site.url}/paid**`)));
    t.deepEqual(complaints, []);
  },
);
