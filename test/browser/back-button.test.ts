/** The browser's Back after a payment: whoever comes back finds a page that stays, and gets out of it. */
import test, { type ExecutionContext } from 'ava';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visitAlone } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { BRAND, openCheckout, pay } from '../helpers/shop/checkout.js';

const browser = browserOf(test);

/** Longer than a page that has been paid waits before it goes on. */
const LONG_MS = 6_500;

/** A customer of a shop that wants a POST has given the right id, coming from the shop's front page. */
async function openPaid(t: ExecutionContext<unknown>, device: Parameters<typeof visitAlone>[2]) {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visitAlone(t, await browser(), device);
  const desk = reader(page, device?.locale === 'en-US' ? 'en' : 'bn');
  const payment = pay('500.00');
  await checkout.deliver(payment.received);
  checkout.site.offer(await checkout.create(500, { return_type: 'POST' }));
  await page.goto(`${checkout.site.url}/`);
  await page.getByRole('link', { name: 'Pay' }).click();
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.completed.fresh.title);
  const button = page.getByRole('button', { name: desk.t.goBack(BRAND) });
  const going = page.getByText(desk.t.goingBack(BRAND)).first();
  /** How often the shop was called with the form. */
  const calls = () => checkout.site.returns.length;
  return { checkout, page, desk, button, going, calls, complaints };
}

test.serial('Back from a shop that was sent a form sends it no second one, and leads out', async (t) => {
  const { checkout, page, desk, button, going, calls, complaints } = await openPaid(t, {
    ...PHONE,
    ...BANGLA,
  });
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.is(calls(), 1);
  await page.goBack();
  await desk.says(desk.t.completed.again.title);
  t.true(await button.isVisible());
  t.false(await going.isVisible());
  await page.waitForTimeout(LONG_MS);
  t.is(calls(), 1);
  for (let backs = 0; !page.url().startsWith(checkout.site.url); backs += 1) {
    t.true(backs < 3, page.url());
    await page.goBack();
    await page.waitForTimeout(LONG_MS);
  }
  t.is(page.url(), `${checkout.site.url}/`);
  t.is(calls(), 1);
  t.deepEqual(complaints, []);
});

test.serial('the button submits the form again, and Back after that does not', async (t) => {
  const { checkout, page, desk, button, going, calls, complaints } = await openPaid(t, {
    ...DESKTOP,
    ...ENGLISH,
  });
  t.true(await going.isVisible());
  await button.click();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  await page.goBack();
  await desk.says(desk.t.completed.again.title);
  await button.click();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.is(calls(), 2);
  await page.goBack();
  await page.waitForTimeout(LONG_MS);
  t.is(calls(), 2);
  t.deepEqual(complaints, []);
});

test.serial('a customer who left before submission must press the button on return', async (t) => {
  const { checkout, page, button, going, calls, complaints } = await openPaid(t, { ...DESKTOP, ...ENGLISH });
  await page.goto(`${checkout.site.url}/`);
  await page.goBack();
  await button.waitFor();
  t.false(await going.isVisible());
  await page.waitForTimeout(LONG_MS);
  t.is(calls(), 0);
  await button.click();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.is(calls(), 1);
  t.deepEqual(complaints, []);
});

test.serial(
  'a page that the browser has kept whole sends nothing by itself when it is shown again',
  async (t) => {
    const { page, button, going, calls, complaints } = await openPaid(t, { ...PHONE, ...ENGLISH });
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.waitForTimeout(LONG_MS);
    t.is(calls(), 0);
    t.false(await going.isVisible());
    t.true(await button.isEnabled());
    t.deepEqual(complaints, []);
  },
);
