/** The page that waits for an SMS settles by itself, whatever goes wrong on the way (spec 4.2). */
import test, { type ExecutionContext } from 'ava';
import type { BrowserContextOptions } from 'playwright-core';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit, visitAlone } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';
import { rows } from '../helpers/shop/scene.js';

const browser = browserOf(test);

/** What a browser writes down when a connection breaks; here the test has broken it. */
const broken = (line: string) =>
  /net::ERR_(FAILED|CONNECTION_REFUSED|INCOMPLETE_CHUNKED|INTERNET_DISCONNECTED|NETWORK)/.test(line);

/** A customer whose page waits for the SMS of 500 taka, unless something comes between. */
async function openWaiting(t: ExecutionContext<unknown>, device: BrowserContextOptions, come = visit) {
  const checkout = await openCheckout(t);
  const visitor = await come(t, await browser(), device);
  const { page, complaints } = visitor;
  const desk = reader(page, device.locale === 'en-US' ? 'en' : 'bn');
  const payment = pay('500.00');
  const claim = async () => {
    await page.goto(await checkout.create(500));
    await desk.enter('mfs_a', payment.trxId);
    await desk.submit('mfs_a').click();
    await desk.says(desk.t.waiting);
  };
  const isPaid = async () => {
    await page.waitForURL(`${checkout.site.url}/paid**`);
    t.deepEqual(
      complaints.filter((line) => !broken(line)),
      [],
    );
  };
  return { ...visitor, checkout, desk, payment, claim, isPaid };
}

test.serial('where no event stream gets through, asking now and then settles the payment', async (t) => {
  const stage = await openWaiting(t, { ...PHONE, ...BANGLA });
  await stage.context.route(/\/events\?/, (route) => route.abort());
  await stage.claim();
  await stage.checkout.deliver(stage.payment.received);
  await stage.isPaid();
  t.true(stage.requests.some((url) => url.endsWith('/state')));
});

test.serial('a daemon restarted while the page waits settles the payment', async (t) => {
  const { checkout, payment, claim, isPaid } = await openWaiting(t, { ...DESKTOP, ...ENGLISH });
  await claim();
  await checkout.stop();
  await checkout.start();
  await checkout.deliver(payment.received);
  await isPaid();
});

test.serial('a phone that was without network when the SMS came learns of it when it is back', async (t) => {
  const { checkout, context, page, payment, claim, isPaid } = await openWaiting(t, { ...PHONE, ...BANGLA });
  await claim();
  await context.setOffline(true);
  await checkout.deliver(payment.received);
  await page.waitForTimeout(3_000);
  await context.setOffline(false);
  await isPaid();
});

test.serial('a page frozen behind a wallet app continues when it wakes', async (t) => {
  const stage = await openWaiting(t, { ...PHONE, ...BANGLA }, visitAlone);
  await stage.claim();
  const cdp = await stage.context.newCDPSession(stage.page);
  await cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
  await stage.checkout.deliver(stage.payment.received);
  await cdp.send('Page.setWebLifecycleState', { state: 'active' });
  await stage.isPaid();
  t.deepEqual(stage.complaints, []);
});

test.serial('an id that was mistyped is corrected while the page waits', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  const payment = pay('500.00');
  await checkout.deliver(payment.received);
  await page.goto(await checkout.create(500));
  await desk.enter('mfs_a', pay('500.00').trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  await desk.correct();
  await desk.summary('mfs_a').click();
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(complaints, []);
});

test.serial('a double click on the button is one claim', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints, requests } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(500));
  await desk.enter('mfs_a', pay('500.00').trxId);
  await desk.submit('mfs_a').dblclick();
  await desk.says(desk.t.waiting);
  t.is(requests.filter((url) => url.endsWith('/claim')).length, 1);
  t.is((await rows(checkout.core, 'claims')).length, 1);
  t.deepEqual(complaints, []);
});
