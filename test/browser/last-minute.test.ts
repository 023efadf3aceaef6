/** Customers who pay just before or after the end can still give the id, and a person looks. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { listReviews } from '../../src/actions/reviews/list-reviews.js';
import { expireSessions } from '../../src/actions/sessions/transition-session.js';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit, visitAlone } from '../helpers/browser/browser.js';
import { type CheckoutReader, reader } from '../helpers/browser/checkout-page.js';
import { BRAND, type Checkout, openCheckout, pay } from '../helpers/shop/checkout.js';

const browser = browserOf(test);

const DAY_MS = 86_400_000;

/** Sends what stands in the field; the customer stays to read that a person looks at it. */
async function assertTakenLate(
  t: ExecutionContext,
  { core, site }: Checkout,
  page: Page,
  desk: CheckoutReader,
): Promise<void> {
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.review.late.title);
  t.false(await page.getByText(desk.t.goingBack(BRAND)).isVisible());
  const reviews = await listReviews(core, { state: 'OPEN', brand: BRAND, limit: 10 });
  t.deepEqual(
    reviews.map(({ reason }) => reason),
    ['late_claim'],
  );
  t.deepEqual(site.returns, []);
}

test.serial('a page with an id in its field stays when its time runs out, and the id is taken', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'bn');
  const { trxId } = pay('500.00');
  await page.goto(await checkout.createEnding(500, 8_000));
  await desk.enter('mfs_a', trxId);
  await page.locator('details').getByText(desk.t.timeOver).waitFor();
  t.is(await desk.field('mfs_a').inputValue(), trxId);
  await assertTakenLate(t, checkout, page, desk);
  t.deepEqual(complaints, []);
});

test.serial('when the payment expires on two open pages, the one with a typed id is kept', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const other = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'en');
  const { trxId } = pay('500.00');
  const link = await checkout.create(500);
  await page.goto(link);
  await other.page.goto(link);
  await desk.enter('mfs_a', trxId);
  await expireSessions({ ...checkout.core, clock: { now: () => Date.now() + DAY_MS } });
  const untyped = reader(other.page, 'bn');
  await untyped.says(untyped.t.expired.title);
  await page.locator('details').getByText(desk.t.timeOver).waitFor();
  t.is(await desk.field('mfs_a').inputValue(), trxId);
  await assertTakenLate(t, checkout, page, desk);
  t.deepEqual([...complaints, ...other.complaints], []);
});

test.serial('a customer who cancels and remembers having paid gives the id at once', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(500));
  await desk.cancel();
  await page.getByRole('link', { name: desk.t.alreadySent }).click();
  await desk.says(desk.t.late(BRAND).title);
  await desk.enter('mfs_a', pay('500.00').trxId);
  await assertTakenLate(t, checkout, page, desk);
  t.deepEqual(complaints, []);
});

test.serial('a waiting page says at expiry that the id is kept, and does not redirect', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visitAlone(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'bn');
  const { trxId, received } = pay('500.00');
  await page.clock.install();
  await page.goto(await checkout.createEnding(500, 8_000));
  await desk.enter('mfs_a', trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  await desk.says(desk.t.given.id.kept);
  await page.getByText(trxId).waitFor();
  const said = await page.locator('main').innerText();
  t.true(said.includes(desk.t.expiredKept.text), said);
  t.false(said.includes(desk.t.alreadySent) || said.includes(desk.t.expired.text), said);
  await page.clock.runFor(60_000);
  await page.waitForTimeout(1_000);
  t.deepEqual(checkout.site.returns, []);
  t.true(await page.getByRole('link', { name: desk.t.goBack(BRAND) }).isVisible());

  await checkout.deliver(received);
  const reviews = await listReviews(checkout.core, { state: 'OPEN', brand: BRAND, limit: 10 });
  t.deepEqual(
    reviews.map(({ reason, reference }) => [reason, reference]),
    [['late', trxId]],
    'the seller sees the money with the id',
  );
  await page.reload();
  await desk.says(desk.t.review.late.title);
  t.deepEqual(complaints, []);
});

test.serial('the countdown does not grow where the clock of the phone is set back', async (t) => {
  const checkout = await openCheckout(t);
  const { page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  await page.clock.install();
  await page.goto(await checkout.createEnding(500, 20 * 60_000));
  const left = page.locator('#left');
  await left.filter({ hasText: /^1\d:\d\d/ }).waitFor();
  await page.clock.setSystemTime(Date.now() - 5 * 3_600_000);
  await page.clock.runFor(5_000);
  t.regex(await left.innerText(), /^1\d:\d\d/);
});
