/** A payment in two parts in a real browser: the page asks for the rest, and follows what comes. */
import test from 'ava';
import { browserOf, ENGLISH, PHONE, visit, visitAlone } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';

const browser = browserOf(test);

test.serial('the page shows each part as it comes, live also where nothing was typed', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  const { t: texts } = desk;
  const link = await checkout.create(500, { parts: true, due_on_delivery: 1_500 });
  await page.goto(link);
  await desk.says(texts.choose.title);
  const other = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  const reading = reader(other.page, 'en');
  await other.page.goto(link);
  await reading.says(texts.choose.title);

  const [first, second] = [pay('300.00'), pay('200.00')];
  await desk.summary('mfs_a').click();
  await desk.enter('mfs_a', first.sent);
  await desk.submit('mfs_a').click();
  await desk.says(texts.waiting);
  await checkout.deliver(first.received);
  await desk.says(texts.parts.arrived.title);
  await reading.says(texts.parts.arrived.title);
  t.true(await page.getByText(texts.parts.due).isVisible());
  t.true(await page.getByText(texts.parts.soFar('৳ 300.00', '৳ 500.00')).isVisible());
  t.is(await page.locator('.card.bep20').count(), 0);

  await desk.summary('mfs_a').click();
  await desk.enter('mfs_a', second.sent);
  await checkout.deliver(second.received);
  await desk.submit('mfs_a').click();
  await desk.says(texts.completed.fresh.title);
  await reading.says(texts.completed.fresh.title);
  t.true(
    await other.page.getByText(texts.advance.onDelivery('৳\u00a01,500.00', '৳\u00a02,000.00')).first().isVisible(),
  );
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(complaints, []);
});
