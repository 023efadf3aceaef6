/** Nobody gets stuck: what is not found or does not fit goes to the seller with one press. */
import test from 'ava';
import { approveReview } from '../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../src/actions/reviews/list-reviews.js';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit, visitAlone } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { BRAND, openCheckout, pay } from '../helpers/shop/checkout.js';
import { claimedEarlier } from '../helpers/shop/checkout-steps.js';

const browser = browserOf(test);

test.serial(
  'the waiting page changes its words by itself, and after a minute offers the seller',
  async (t) => {
    const checkout = await openCheckout(t);
    const { page, complaints, requests } = await visitAlone(t, await browser(), { ...PHONE, ...BANGLA });
    await page.clock.install();
    const desk = reader(page, 'bn');
    const payment = pay('500.00');
    const link = await checkout.create(500);
    await page.goto(link);
    await desk.enter('mfs_a', payment.trxId);
    await desk.submit('mfs_a').click();
    await desk.says(desk.t.waiting);
    t.false(await desk.sendToSeller().isVisible());
    t.false(await desk.field('mfs_a').isVisible(), 'the forms are folded');
    const before = requests.length;
    await page.clock.runFor(62_000);
    await desk.says(desk.t.waitingOn.title);
    t.true(await desk.sendToSeller().isVisible());
    t.is(await page.locator('#live').textContent(), desk.t.waitingOn.title);
    await page.clock.runFor(600_000);
    await desk.says(desk.t.waitingLong.title);
    t.deepEqual(
      requests.slice(before).filter((url) => !/\/(state|events)/.test(url)),
      [],
      'the page is not loaded again for it',
    );
    // The server's own clock has the last word.
    await claimedEarlier(checkout, link.slice(-32), 60_000);
    const inForm = page.locator('form.ask').getByRole('button');
    t.deepEqual(await inForm.allTextContents(), [desk.t.ask.send], 'nothing to paste into a note');
    await page.getByLabel(desk.t.ask.note).fill('০১৭৯৯ থেকে পাঠিয়েছি');
    await desk.sendToSeller().click();
    await desk.says(desk.t.review.fresh.title);
    const [review] = await listReviews(checkout.core, { state: 'OPEN', brand: BRAND, limit: 10 });
    t.like(review, { reference: payment.trxId, customer_note: '০১৭৯৯ থেকে পাঠিয়েছি' });
    await checkout.deliver(payment.received);
    await desk.says(desk.t.completed.fresh.title);
    t.deepEqual(complaints, []);
  },
);

test.serial('money that differs is sent to the seller, who accepts it while the page is open', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const desk = reader(page, 'en');
  const payment = pay('480.00');
  await checkout.deliver(payment.received);
  await page.goto(await checkout.create(500));
  await desk.enter('mfs_a', payment.sent);
  await desk.submit('mfs_a').click();
  await desk.problem('mfs_a').filter({ hasText: desk.t.disagrees.amount }).waitFor();
  await page.locator('form.ask b', { hasText: '500' }).waitFor();
  await desk.sendToSeller().click();
  await desk.says(desk.t.review.fresh.title);
  await page.waitForTimeout(4_000);
  t.deepEqual(checkout.site.returns, [], 'the customer stays to read it');
  const [review] = await listReviews(checkout.core, { state: 'OPEN', brand: BRAND, limit: 10 });
  t.like(review, { reason: 'customer_asked', seen_amount: '480.00' });
  t.true(review?.customer_note?.includes('Send Money Tk 480.00'), 'the pasted SMS goes along');
  await page.reload();
  await desk.says(desk.t.review.again.title);
  await approveReview(checkout.core, { id: review?.id ?? '', note: 'fine', who: 'test', acceptLess: true });
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(complaints, []);
});

test.serial('a wrong id sent to the seller can be corrected, which completes the payment', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  const [wrong, right] = [pay('500.00'), pay('500.00')];
  const link = await checkout.create(500);
  await page.goto(link);
  await desk.enter('mfs_a', wrong.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  await claimedEarlier(checkout, link.slice(-32), 60_000);
  await page.goto(link);
  await desk.sendToSeller().click();
  await desk.says(desk.t.review.fresh.title);
  await checkout.deliver(right.received);
  await page.getByRole('link', { name: desk.t.given.id.correct.title }).click();
  await desk.enter('mfs_a', right.trxId);
  await desk.submit('mfs_a').click();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(await listReviews(checkout.core, { state: 'OPEN', brand: BRAND, limit: 10 }), []);
  t.deepEqual(complaints, []);
});
