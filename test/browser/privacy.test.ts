/** A link that is used again, is wrong or has run out shows nobody another person's data. */
import test from 'ava';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';

const browser = browserOf(test);
const NAME = 'Buyer Number Seven';

test.serial('another browser with the same link sees neither id nor name, waiting or paid', async (t) => {
  const checkout = await openCheckout(t);
  const payer = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const stranger = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const own = reader(payer.page, 'bn');
  const other = reader(stranger.page, 'en');
  const payment = pay('500.00');
  const link = await checkout.create(500, { cus_name: NAME });
  await payer.page.goto(link);
  t.true((await payer.page.content()).includes(NAME));
  await own.enter('mfs_a', payment.trxId);
  await own.submit('mfs_a').click();
  await own.says(own.t.waiting);

  await stranger.page.goto(link);
  await other.says(other.t.waiting);
  const whileWaiting = await stranger.page.content();
  t.false(whileWaiting.includes(NAME) || whileWaiting.includes(payment.trxId));

  await checkout.deliver(payment.received);
  await payer.page.waitForURL(`${checkout.site.url}/paid**`);
  await stranger.page.waitForURL(`${checkout.site.url}/paid**`);
  const [first, second] = checkout.site.returns
    .map(({ query }) => new Map(query).get('transactionId') ?? '')
    .sort((a) => (a === payment.trxId ? -1 : 1));
  t.is(first, payment.trxId);
  t.regex(second ?? '', /^[A-Z0-9]{12}$/);

  await stranger.page.goto(link);
  await other.says(other.t.completed.again.title);
  const afterwards = await stranger.page.content();
  t.false(afterwards.includes(NAME) || afterwards.includes(payment.trxId));
  await payer.page.goto(link);
  await own.says(own.t.completed.again.title);
  t.true((await payer.page.content()).includes(payment.trxId));
  t.deepEqual([...payer.complaints, ...stranger.complaints], []);
});

test.serial(
  'two customers of one shop at the same time have nothing of each other on their pages',
  async (t) => {
    const checkout = await openCheckout(t, { everything: true, profile: { fees: ['mfs_a=1%'] } });
    const first = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
    const second = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
    const links = [await checkout.create(500, { cus_name: NAME }), await checkout.create(700)];
    const money = [pay('505.00'), pay('707.00')];
    const customers = [first, second];
    const tokens: string[] = [];
    for (const [index, { page }] of customers.entries()) {
      await page.goto(links[index] ?? '');
      const content = await page.content();
      t.is(content.includes(NAME), index === 0);
      t.deepEqual([content.includes('505.00'), content.includes('707.00')], [index === 0, index === 1]);
      t.false(content.includes(links[1 - index]?.slice(-32) ?? ''));
      tokens.push(await page.locator('[name=token]').first().inputValue());
    }
    t.not(tokens[0], tokens[1]);
    for (const [index, { page, complaints }] of customers.entries()) {
      const desk = reader(page, 'en');
      const { trxId, received } = money[index] ?? pay('1.00');
      await checkout.deliver(received);
      await desk.summary('mfs_a').click();
      await desk.enter('mfs_a', trxId);
      await desk.submit('mfs_a').click();
      await page.waitForURL(`${checkout.site.url}/paid**`);
      const query = new Map(checkout.site.returns[index]?.query);
      t.is(query.get('transactionId'), trxId);
      t.is(query.get('paymentAmount'), index === 0 ? '500.00' : '700.00');
      t.deepEqual(complaints, []);
    }
  },
);

test.serial('an expired link says nothing of who was to pay', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.goto(await checkout.createEnding(500, -1_000));
  await desk.says(desk.t.expired.title);
  t.false((await page.content()).includes('Customer'));
  t.deepEqual(complaints, []);
});

test.serial(
  'a page whose cookies are gone keeps what was typed, and its form goes through the next time',
  async (t) => {
    const checkout = await openCheckout(t);
    const { context, page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
    const desk = reader(page, 'en');
    await page.goto(await checkout.create(500));
    await context.clearCookies();
    const { trxId } = pay('500.00');
    await desk.enter('mfs_a', trxId);
    await desk.submit('mfs_a').click();
    await desk.problem('mfs_a').getByText(desk.t.problems.stale_form).waitFor();
    t.is(await desk.field('mfs_a').inputValue(), trxId);
    await desk.submit('mfs_a').click();
    await desk.says(desk.t.waiting);
    t.deepEqual(complaints, []);
  },
);
