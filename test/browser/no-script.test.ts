/** Everything works without JavaScript: old telephones, data savers, and whoever has turned it off. */
import test from 'ava';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';
import { bkashId, bkashText } from '../helpers/shop/shop.js';

const browser = browserOf(test);
const NO_SCRIPT = { javaScriptEnabled: false };

test.serial(
  'without script the waiting page refreshes automatically and continues to the shop',
  async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA, ...NO_SCRIPT });
    const desk = reader(page, 'bn');
    const payment = pay('500.00');
    await page.goto(await checkout.create(500));
    await desk.summary('mfs_a').click();
    t.is(await desk.copy('mfs_a', desk.t.numbers.personal).isVisible(), false);
    await desk.enter('mfs_a', payment.sent);
    await desk.submit('mfs_a').click();
    await desk.says(desk.t.waiting);
    await checkout.deliver(payment.received);
    await desk.says(desk.t.completed.fresh.title);
    await page.waitForURL(`${checkout.site.url}/paid**`);
    t.deepEqual(
      checkout.site.returns.map(({ path, query }) => [path, Object.fromEntries(query).transactionId]),
      [['/paid', payment.trxId]],
    );
    t.deepEqual(complaints, []);
  },
);

test.serial('without script a shop that wants a POST gets it by a button', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH, ...NO_SCRIPT });
  const desk = reader(page, 'en');
  const payment = pay('500.00');
  await checkout.deliver(payment.received);
  await page.goto(await checkout.create(500, { return_type: 'POST' }));
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.completed.fresh.title);
  t.false(await page.getByText(desk.t.goingBack('Alo Store')).isVisible());
  await page.getByRole('button', { name: desk.t.goBack('Alo Store') }).click();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  const [back] = checkout.site.returns;
  t.is(back?.method, 'POST');
  t.deepEqual(Object.fromEntries(back?.form ?? []), {
    paymentMethod: 'mfs_a',
    transactionId: payment.trxId,
    paymentAmount: '500.00',
    paymentFee: '0.00',
    status: 'completed',
  });
  t.deepEqual(complaints, []);
});

test.serial('without script the language is switched, remembered, and a payment cancelled', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA, ...NO_SCRIPT });
  const link = await checkout.create(500);
  await page.goto(link);
  await page.getByRole('link', { name: 'English' }).click();
  const desk = reader(page, 'en');
  await desk.says(desk.t.onlyWay);
  await page.goto(link);
  await desk.says(desk.t.onlyWay);
  await desk.cancel();
  await desk.says(desk.t.cancelled.title);
  await page.waitForURL(`${checkout.site.url}/cart**`);
  t.deepEqual(complaints, []);
});

test.serial(
  'without script a part that names its payment shows by the link that updates the page',
  async (t) => {
    const checkout = await openCheckout(t);
    const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA, ...NO_SCRIPT });
    const desk = reader(page, 'bn');
    await page.goto(await checkout.create(500, { parts: true }));
    t.true(await page.getByText(desk.t.parts.may).isVisible());
    t.true(await page.getByText(desk.t.parts.orLess).first().isVisible());
    const { ref } = await checkout.core.store.read((db) =>
      db.query.selectFrom('sessions').select('payment_reference as ref').executeTakeFirstOrThrow(),
    );
    const trxId = bkashId(Date.now(), 1);
    await checkout.deliver(bkashText({ taka: '300.00', trxId, at: Date.now(), ref: ref ?? '' }));
    await page.getByRole('link', { name: desk.t.updateLink }).click();
    await desk.says(desk.t.parts.arrived.title);
    t.deepEqual(complaints, []);
  },
);
