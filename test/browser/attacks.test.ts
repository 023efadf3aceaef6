/** What other sites and other people try on the checkout page, in a browser that defends it as they do. */
import test from 'ava';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';

const browser = browserOf(test);
const MARKUP = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;

test.serial('a page of another site cannot show the checkout in a frame of its own', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const link = await checkout.create(500);
  await page.goto(checkout.site.url);
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('iframe'), { src: '${link}' }))`,
  );
  await refused;
  t.false(page.frames().some((frame) => frame.url().startsWith(checkout.daemon().url)));
  t.true(
    complaints.every((line) => line.includes('frame-ancestors')),
    complaints.join('\n'),
  );
});

test.serial('a form that another site sends is refused, even with a token that it has seen', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  const link = await checkout.create(500);
  await page.goto(link);
  const token = await page.locator('[name=token]').first().inputValue();
  await page.goto(checkout.site.url);
  await page.evaluate(`{
    document.body.innerHTML = '<form method="post" action="${link}/cancel"><input name="token" value="${token}"></form>';
    document.forms[0].submit();
  }`);
  await desk.says(desk.t.notices.form_refused.title);
  await page.goto(link);
  await desk.says(desk.t.onlyWay);
  t.deepEqual(complaints, []);
});

test.serial('markup in names, and in what is typed, is text', async (t) => {
  const checkout = await openCheckout(t, { brand: `Alo ${MARKUP}` });
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'bn');
  await page.goto(await checkout.create(500, { cus_name: MARKUP }));
  t.is(await page.getByRole('heading', { level: 1 }).innerText(), `Alo ${MARKUP}`);
  t.true((await page.locator('header').innerText()).includes(MARKUP));
  await desk.enter('mfs_a', `${MARKUP} </textarea><b>`);
  await desk.submit('mfs_a').click();
  await desk.problem('mfs_a').waitFor();
  t.is(await desk.field('mfs_a').inputValue(), `${MARKUP} </textarea><b>`);
  t.deepEqual(complaints, []);
});

test.serial('pressing Back after paying shows that it is paid, without another redirect', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  const payment = pay('500.00');
  await checkout.deliver(payment.received);
  await page.goto(await checkout.create(500));
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  await page.goBack();
  await desk.says(desk.t.completed.again.title);
  await page.waitForTimeout(4_000);
  t.true(page.url().startsWith(checkout.daemon().url), page.url());
  t.is(checkout.site.returns.length, 1);
  t.deepEqual(complaints, []);
});
