/** A shop is suspended while its customer pays: what they give is kept, and their page goes on later. */
import test, { type ExecutionContext } from 'ava';
import { changeMerchantStatus } from '../../src/actions/merchants/change-merchant.js';
import { BANGLA, browserOf, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { BRAND, openCheckout, pay } from '../helpers/shop/checkout.js';

const browser = browserOf(test);

async function openPage(t: ExecutionContext<unknown>, device: Parameters<typeof visit>[2]) {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), device);
  const desk = reader(page, device?.locale === 'en-US' ? 'en' : 'bn');
  const payment = pay('500.00');
  const become = (status: 'ACTIVE' | 'SUSPENDED') =>
    changeMerchantStatus(checkout.core, { merchant: BRAND, status, who: 'test' });
  const give = async () => {
    await desk.enter('mfs_a', payment.trxId);
    await desk.submit('mfs_a').click();
    await desk.says(desk.t.given.id.kept);
    const said = await page.locator('main').innerText();
    t.true(said.includes(payment.trxId) && said.includes(desk.t.suspendedKept.text), said);
    t.false(said.includes(desk.t.unpayable.text), said);
  };
  return { checkout, page, complaints, desk, payment, become, give, link: await checkout.create(500) };
}

test.serial('an id given to a suspended shop settles with the SMS that comes after', async (t) => {
  const { checkout, page, complaints, payment, become, give, link } = await openPage(t, {
    ...PHONE,
    ...BANGLA,
  });
  await page.goto(link);
  await become('SUSPENDED');
  await give();
  await t.throwsAsync(checkout.deliver(payment.received), { message: /^403 / }, 'its phone is shut out');
  await become('ACTIVE');
  await checkout.deliver(payment.received);
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.is(new Map(checkout.site.returns[0]?.query).get('transactionId'), payment.trxId);
  t.deepEqual(complaints, []);
});

test.serial('a customer who paid can still give the id on the page of a suspended shop', async (t) => {
  const { page, complaints, desk, become, give, link } = await openPage(t, { ...PHONE, ...ENGLISH });
  await become('SUSPENDED');
  await page.goto(link);
  await desk.says(desk.t.unpayable.title);
  await page.getByRole('link', { name: desk.t.alreadySent }).click();
  await desk.says(desk.t.suspendedLate.title);
  t.false((await page.content()).includes('01711000001'));
  await give();
  t.deepEqual(complaints, []);
});
