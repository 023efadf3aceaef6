/** Networks that come and go: what is typed and sent arrives, once, and a good page is never lost. */
import test, { type ExecutionContext } from 'ava';
import type { Route } from 'playwright-core';
import {
  BANGLA,
  browserOf,
  DESKTOP,
  ENGLISH,
  PHONE,
  until,
  visit,
  visitAlone,
} from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';
import { rows } from '../helpers/shop/scene.js';
import { variants } from '../helpers/tiers.js';
import { until as untilTrue } from '../helpers/until.js';

const browser = browserOf(test);

const CLAIM = /\/claim$/;
const STREAM = /\/events\?shown=/;
const OUTAGE_MS = 30_000;

/** What a browser writes down of connections that a test has broken. */
const broken = (line: string) =>
  /net::ERR_(FAILED|CONNECTION_REFUSED|INTERNET_DISCONNECTED|NETWORK_CHANGED)|status of 502/.test(line);

/** The server gets the request; the browser gets no answer. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch({ maxRedirects: 0 });
  await route.abort('internetdisconnected');
}

/** What Playwright fetches in a page's place does not know the key that the browser trusts. */
const TRUSTING = { ignoreHTTPSErrors: true };

/** A customer before the page of a payment of 500 taka, with money that the shop's phone knows already. */
async function openPage(
  t: ExecutionContext<unknown>,
  device: Parameters<typeof visit>[2],
  come: typeof visit = visit,
) {
  const checkout = await openCheckout(t);
  const visitor = await come(t, await browser(), device);
  const desk = reader(visitor.page, device?.locale === 'en-US' ? 'en' : 'bn');
  const payment = pay('500.00');
  await visitor.page.goto(await checkout.create(500));
  const bar = visitor.page.locator('.network');
  const claims = async () => (await rows(checkout.core, 'claims')).length;
  const assertNothingElse = () =>
    t.deepEqual(
      visitor.complaints.filter((line) => !broken(line)),
      [],
    );
  return { ...visitor, checkout, desk, payment, bar, claims, assertNothingElse };
}

/** Answers the first tries in other ways, and lets the next through. @returns how many have come. */
function inOrder(ways: readonly ((route: Route) => Promise<void>)[]) {
  const tries = { count: 0 };
  const handle = async (route: Route) => {
    const way = ways[tries.count];
    tries.count += 1;
    await (way === undefined ? route.continue() : way(route));
  };
  return { tries, handle };
}

test.serial('a claim that is made while the network is gone for 30 s arrives, once', async (t) => {
  const stage = await openPage(t, { ...PHONE, ...BANGLA });
  const { checkout, context, page, desk, payment, bar } = stage;
  await checkout.deliver(payment.received);
  await context.setOffline(true);
  await bar.filter({ hasText: desk.t.offline }).waitFor();
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await bar.filter({ hasText: desk.t.unsent }).waitFor();
  await page.waitForTimeout(OUTAGE_MS);
  t.is(await desk.field('mfs_a').inputValue(), payment.trxId);
  t.is((await rows(checkout.core, 'transactions')).length, 0);
  await context.setOffline(false);
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.is(checkout.site.returns.length, 1);
  t.is((await rows(checkout.core, 'transactions')).length, 1);
  stage.assertNothingElse();
});

test.serial('an answer that got lost after the server took the claim is asked for again', async (t) => {
  const stage = await openPage(t, { ...DESKTOP, ...ENGLISH, ...TRUSTING });
  const { context, page, desk, payment, claims } = stage;
  const { tries, handle } = inOrder([loseAnswer]);
  await context.route(CLAIM, handle);
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  t.is(tries.count, 2);
  t.is(await claims(), 1);
  t.false(await page.locator('.network').isVisible());
  stage.assertNothingElse();
});

test.serial(
  'neither a proxy that fails nor a page for logging in to a network is taken for an answer',
  async (t) => {
    const stage = await openPage(t, { ...PHONE, ...ENGLISH });
    const { context, page, desk, payment, bar, claims } = stage;
    const html = { contentType: 'text/html', body: '<!doctype html><main>Log in to the network</main>' };
    const { tries, handle } = inOrder([
      (route) => route.fulfill({ ...html, status: 502 }),
      (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Log in' }),
    ]);
    await context.route(CLAIM, handle);
    await desk.enter('mfs_a', payment.trxId);
    await desk.submit('mfs_a').click();
    await bar.filter({ hasText: desk.t.unsent }).waitFor();
    t.is(await desk.field('mfs_a').inputValue(), payment.trxId);
    await desk.says(desk.t.waiting);
    t.is(tries.count, 3);
    t.is(await claims(), 1);
    t.is(await page.getByText('Log in').count(), 0);
    stage.assertNothingElse();
  },
);

test.serial('a page that learns of the payment and cannot be loaded stays until it can', async (t) => {
  const stage = await openPage(t, { ...PHONE, ...BANGLA });
  const { checkout, context, page, desk, payment, bar } = stage;
  await desk.enter('mfs_a', payment.trxId);
  const listening = page.waitForResponse(STREAM);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  await listening;
  const fails = (route: Route) => route.abort('internetdisconnected');
  const { tries, handle } = inOrder([fails, fails, fails]);
  await context.route(/\?now=1$/, handle);
  await checkout.deliver(payment.received);
  await bar.filter({ hasText: desk.t.offline }).waitFor();
  t.true(await page.getByRole('heading', { name: desk.t.waiting }).isVisible());
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.true(tries.count >= 4);
  stage.assertNothingElse();
});

test.serial(
  'typed text and the open card survive a reload and a language change, until they are sent',
  async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
    const [bangla, english] = [reader(page, 'bn'), reader(page, 'en')];
    const link = await checkout.create(500);
    const payment = pay('500.00');
    await page.goto(link);
    await bangla.summary('mfs_b').click();
    await bangla.enter('mfs_b', '75ABC');
    await page.reload();
    t.is(await bangla.field('mfs_b').inputValue(), '75ABC');
    t.true(await bangla.field('mfs_b').isVisible());
    await page.getByRole('link', { name: bangla.t.other.name }).click();
    await page.waitForURL(/lang=en/);
    t.is(await english.field('mfs_b').inputValue(), '75ABC');
    t.true(await english.field('mfs_b').isVisible());
    await english.summary('mfs_a').click();
    await english.enter('mfs_a', payment.trxId);
    await english.submit('mfs_a').click();
    await english.says(english.t.waiting);
    await page.reload();
    await english.says(english.t.waiting);
    await english.correct();
    await english.summary('mfs_a').click();
    t.is(await english.field('mfs_a').inputValue(), '', 'the server has it');
    await page.goto(await checkout.create(600));
    t.is(await english.field('mfs_b').inputValue(), '', 'another payment is none of its business');
    t.deepEqual(complaints, []);
  },
);

test.serial('a page that nobody sees has no connection, and asks when it is shown', async (t) => {
  const stage = await openPage(t, { ...PHONE, ...ENGLISH }, visitAlone);
  const { checkout, page, desk, payment, requests, complaints } = stage;
  await page.clock.install();
  await page.reload();
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  // A window without a screen is never hidden: the test says that it is.
  const show = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  const streams = () => requests.filter((url) => STREAM.test(url)).length;
  const ended = new Promise((resolve) => page.once('requestfailed', resolve));
  const before = streams();
  await show(true);
  await page.clock.runFor(12_000);
  await ended;
  await page.clock.runFor(120_000);
  t.is(streams(), before, 'nothing is asked for while nobody looks');
  t.false(requests.some((url) => url.endsWith('/state')));
  await checkout.deliver(payment.received);
  await page.waitForTimeout(1_000);
  t.deepEqual(checkout.site.returns, []);
  await show(false);
  await page.clock.runFor(4_000);
  await desk.says(desk.t.completed.fresh.title);
  t.deepEqual(complaints, []);
});

test.serial('a short look at another window keeps the connection', async (t) => {
  const stage = await openPage(t, { ...DESKTOP, ...ENGLISH }, visitAlone);
  const { page, requests, complaints } = stage;
  await page.clock.install();
  const listening = page.waitForResponse(STREAM);
  await page.reload();
  await listening;
  const streams = () => requests.filter((url) => STREAM.test(url)).length;
  const before = streams();
  const show = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await show(true);
  await page.clock.runFor(6_000);
  await show(false);
  await page.clock.runFor(6_000);
  await untilTrue(() => requests.some((url) => url.endsWith('/state')));
  t.is(streams(), before);
  t.deepEqual(complaints, []);
});

test.serial('a cancellation whose answer got lost is one cancellation', async (t) => {
  const stage = await openPage(t, { ...DESKTOP, ...ENGLISH, ...TRUSTING });
  const { context, page, desk, bar } = stage;
  const { tries, handle } = inOrder([loseAnswer]);
  await context.route(/\/cancel$/, handle);
  await desk.cancel();
  await bar.filter({ hasText: desk.t.unsent }).waitFor();
  await desk.says(desk.t.cancelled.title);
  // The page may hear of the first one before its second attempt.
  t.true(tries.count >= 1 && tries.count <= 2, String(tries.count));
  await until(page, `document.querySelector('.network').textContent === ''`);
  stage.assertNothingElse();
});

for (const way of variants(['GET', 'POST'] as const)) {
  test.serial(`does not redirect to the shop by ${way} while the network is down`, async (t) => {
    const stage = await openPage(t, { ...PHONE, ...ENGLISH });
    const { checkout, context, page, desk, payment, bar } = stage;
    await page.goto(await checkout.create(500, { return_type: way }));
    await checkout.deliver(payment.received);
    const dead = (route: Route) => route.abort('internetdisconnected');
    await context.route(/\/state$/, dead);
    await desk.enter('mfs_a', payment.trxId);
    await desk.submit('mfs_a').click();
    await desk.says(desk.t.completed.fresh.title);
    await bar.filter({ hasText: desk.t.offline }).waitFor();
    t.deepEqual(checkout.site.returns, []);
    await context.unroute(/\/state$/, dead);
    await page.waitForURL(`${checkout.site.url}/paid**`);
    t.is(checkout.site.returns.length, 1);
  });
}

test.serial(
  'a page that knows that it is offline does not go back to the shop before it is online',
  async (t) => {
    const stage = await openPage(t, { ...PHONE, ...BANGLA }, visitAlone);
    const { checkout, page, desk, payment, bar } = stage;
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'onLine', { get: () => !localStorage.getItem('down') })",
    );
    await page.clock.install();
    await page.reload();
    await checkout.deliver(payment.received);
    await page.evaluate("localStorage.setItem('down', 'yes')");
    await desk.enter('mfs_a', payment.trxId);
    await desk.submit('mfs_a').click();
    await desk.says(desk.t.completed.fresh.title);
    await bar.filter({ hasText: desk.t.offline }).waitFor();
    await page.clock.runFor(30_000);
    t.deepEqual(checkout.site.returns, []);
    await page.evaluate("localStorage.removeItem('down'); dispatchEvent(new Event('online'))");
    await page.clock.runFor(8_000);
    await page.waitForURL(`${checkout.site.url}/paid**`);
  },
);

test.serial('a waiting page reports that the daemon is down, and continues once it is back', async (t) => {
  const stage = await openPage(t, { ...PHONE, ...ENGLISH });
  const { checkout, page, desk, payment, bar } = stage;
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  t.is(await page.evaluate('document.activeElement.id'), 'how-it-stands', 'what happened is read out');
  await checkout.stop();
  await bar.filter({ hasText: desk.t.offline }).waitFor();
  await checkout.start();
  await checkout.deliver(payment.received);
  await page.waitForURL(`${checkout.site.url}/paid**`);
});
