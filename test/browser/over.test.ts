/** How a payment ends otherwise than by money, and how the customer comes back from it (spec 3, 4.1, 6). */
import test, { type ExecutionContext } from 'ava';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { type Checkout, openCheckout, pay } from '../helpers/shop/checkout.js';

const browser = browserOf(test);

/** The only return to the shop so far was to its cart, as failed, with a reference to ask for. */
function assertFailed(t: ExecutionContext, { site }: Checkout): void {
  t.deepEqual(
    site.returns.map(({ method, path }) => [method, path]),
    [['GET', '/cart']],
  );
  const { transactionId = '', ...rest } = Object.fromEntries(site.returns[0]?.query ?? []);
  t.regex(transactionId, /^[A-Z0-9]{12}$/);
  t.deepEqual(rest, {
    from: 'pay',
    paymentMethod: '',
    paymentAmount: '0.00',
    paymentFee: '0.00',
    status: 'failed',
  });
}

test.serial('cancelling returns to the cart and reports a failed payment to the shop', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'bn');
  await page.goto(await checkout.create(500));
  await desk.cancel();
  await desk.says(desk.t.cancelled.title);
  await page.waitForURL(`${checkout.site.url}/cart**`);
  assertFailed(t, checkout);
  const reference = new Map(checkout.site.returns[0]?.query).get('transactionId') ?? '';
  t.like((await checkout.verify(reference)).body, { data: { status: 'FAILED' } });
  t.deepEqual(complaints, []);
});

test.serial('a page whose time runs out says so by itself, and leads back to the cart', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.goto(await checkout.createEnding(500, 8_000));
  await desk.says(desk.t.onlyWay);
  await desk.says(desk.t.expired.title);
  await page.getByRole('link', { name: desk.t.goBack('Alo Store') }).click();
  await page.waitForURL(`${checkout.site.url}/cart**`);
  assertFailed(t, checkout);
  t.deepEqual(complaints, []);
});

test.serial('time that ran out while the daemon was down is over when it is back', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  await checkout.stop();
  const link = await checkout.createEnding(500, -1_000);
  await checkout.start();
  await page.goto(link);
  await desk.says(desk.t.expired.title);
  await page.getByRole('link', { name: desk.t.goBack('Alo Store') }).click();
  await page.waitForURL(`${checkout.site.url}/cart**`);
  assertFailed(t, checkout);
  t.deepEqual(complaints, []);
});

test.serial(
  'a customer who paid in the last minute gives the id on the expired page for manual review',
  async (t) => {
    const checkout = await openCheckout(t);
    const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
    const desk = reader(page, 'bn');
    const payment = pay('500.00');
    await checkout.deliver(payment.received);
    await page.goto(await checkout.createEnding(500, -1_000));
    await desk.says(desk.t.expired.title);
    await page.getByRole('link', { name: desk.t.alreadySent }).click();
    await desk.says(desk.t.late('Alo Store').title);
    await desk.enter('mfs_a', payment.trxId);
    await desk.submit('mfs_a').click();
    await desk.says(desk.t.review.late.title);
    t.deepEqual(complaints, []);
  },
);

test.serial('a shop that wants a POST gets a form with the five parameters, by itself', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'bn');
  const payment = pay('500.00');
  await checkout.deliver(payment.received);
  await page.goto(await checkout.create(500, { return_type: 'POST' }));
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await page.getByText(desk.t.goingBack('Alo Store')).first().waitFor();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(checkout.site.returns, [
    {
      method: 'POST',
      path: '/paid',
      query: [['order', '7']],
      form: [
        ['paymentMethod', 'mfs_a'],
        ['transactionId', payment.trxId],
        ['paymentAmount', '500.00'],
        ['paymentFee', '0.00'],
        ['status', 'completed'],
      ],
      referrer: null,
    },
  ]);
  t.deepEqual(complaints, []);
});

test.serial(
  'a fee is shown before paying, charged in full, and reported to the shop separately',
  async (t) => {
    const checkout = await openCheckout(t, { everything: true, profile: { fees: ['mfs_a=1.85%'] } });
    const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
    const desk = reader(page, 'en');
    const payment = pay('509.25');
    await checkout.deliver(payment.received);
    await page.goto(await checkout.create(500));
    const summary = await desk.summary('mfs_a').innerText();
    t.true(summary.includes('৳ 509.25'), summary);
    t.false((await desk.summary('mfs_b').innerText()).includes('৳'));
    await desk.summary('mfs_a').click();
    await page.getByText(desk.t.feeIncluded('৳ 9.25')).waitFor();
    t.is(await desk.copy('mfs_a', desk.t.theAmount).getAttribute('data-copy'), '509.25');
    await desk.enter('mfs_a', payment.trxId);
    await desk.submit('mfs_a').click();
    await page.waitForURL(`${checkout.site.url}/paid**`);
    const query = Object.fromEntries(checkout.site.returns[0]?.query ?? []);
    t.like(query, { paymentAmount: '500.00', paymentFee: '9.25', status: 'completed' });
    t.deepEqual(complaints, []);
  },
);
