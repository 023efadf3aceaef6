/** A payment link as customers meet it: from the link over the payment to our thanks, with no shop behind. */
import test from 'ava';
import type { LinkView } from '../../../src/actions/links/links.js';
import { showLink } from '../../../src/actions/links/links.js';
import { listPayments, showPayment } from '../../../src/actions/sessions/list-payments.js';
import { BANGLA, browserOf, ENGLISH, PHONE, visit } from '../../helpers/browser/browser.js';
import { reader } from '../../helpers/browser/checkout-page.js';
import { BRAND, type Checkout, openCheckout, pay } from '../../helpers/shop/checkout.js';
import { makeLink } from '../../helpers/shop/checkout-steps.js';
import { until } from '../../helpers/until.js';

const browser = browserOf(test);

const FIELDS = ['name*=Your name', 'address*=Address', 'size=Size'];

const linkOf = (checkout: Checkout, url: string): Promise<LinkView> => showLink(checkout.core, url, '');

for (const javaScriptEnabled of [true, false]) {
  test.serial(`from the link to the thanks ${javaScriptEnabled ? 'with' : 'without'} script`, async (t) => {
    const checkout = await openCheckout(t);
    const link = await makeLink(checkout, { title: 'Red sari', fields: FIELDS, count: 1 });
    const device = { ...PHONE, ...BANGLA, javaScriptEnabled };
    const { page, complaints } = await visit(t, await browser(), device);
    const desk = reader(page, 'bn');
    await page.goto(`${link}?fbclid=IwAR0`);
    await page.getByText('Red sari').waitFor();
    t.is((await listPayments(checkout.core, { limit: 10 })).length, 0, 'nothing is opened yet');
    await page.getByLabel('Your name').fill('রহিমা বেগম');
    await page.getByLabel('Address').fill('মিরপুর ১০, ঢাকা');
    await page.getByLabel('Size').fill('M');
    await desk.openPayment().click();
    await page.waitForURL('**/api/execute/*');
    const payment = pay('1250.00');
    await desk.enter('mfs_a', payment.sent);
    await desk.submit('mfs_a').click();
    await desk.says(desk.t.waiting);
    await checkout.deliver(payment.received);
    await desk.says(desk.t.link.thanks(BRAND).title);
    for (const text of ['Red sari', 'রহিমা বেগম', 'মিরপুর ১০, ঢাকা', payment.trxId]) {
      t.true(await page.getByText(text).first().isVisible(), text);
    }
    await page.waitForTimeout(4_000);
    await page.reload();
    await desk.says(desk.t.link.thanks(BRAND).title);
    t.deepEqual(checkout.site.returns, []);
    const [row, ...others] = await listPayments(checkout.core, { link, limit: 10 });
    t.deepEqual(others, []);
    const shown = await showPayment(checkout.core, row?.id ?? '');
    t.like(shown, { status: 'COMPLETED', cus_name: 'রহিমা বেগম', transaction_id: payment.trxId });
    t.deepEqual(
      shown.entered.map(({ label, value }) => [label, value]),
      [
        ['Your name', 'রহিমা বেগম'],
        ['Address', 'মিরপুর ১০, ঢাকা'],
        ['Size', 'M'],
      ],
    );
    t.like(await linkOf(checkout, link), { state: 'PAID', paid: 1, opened: 1 });
    await page.goto(link);
    await desk.says(desk.t.link.thanks(BRAND).title);
    const stranger = await visit(t, await browser(), device);
    const answer = await stranger.page.goto(link);
    t.is(answer?.status(), 410);
    await reader(stranger.page, 'bn').says(desk.t.link.closed.PAID.title);
    t.deepEqual(
      complaints.filter((complaint) => !complaint.includes('410')),
      [],
    );
  });
}

test.serial('going back and pressing again opens the same payment, but not in another browser', async (t) => {
  const checkout = await openCheckout(t);
  const link = await makeLink(checkout, { amount: undefined, min: '100', max: '5000' });
  const pages = [];
  for (let n = 0; n < 2; n += 1) {
    const { page } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
    const desk = reader(page, 'en');
    const press = async (amount: string) => {
      await page.getByLabel(desk.t.link.amount).fill(amount);
      await desk.openPayment().dblclick();
      // The second press gives up the navigation of the first, which waitForURL takes for an error.
      const path = () => new URL(page.url()).pathname;
      await until(() => path().startsWith('/api/execute/'));
      // A window that is still leaving a page cannot be sent back.
      await page.waitForLoadState();
      return path();
    };
    await page.goto(link);
    const first = await press('৭৫০');
    await page.goBack();
    t.is(await press('750.00'), first);
    await page.goto(link);
    t.is(await press('750'), first);
    pages.push(first);
  }
  t.is(new Set(pages).size, 2);
  t.like(await linkOf(checkout, link), { opened: 2, paid: 0 });
});

test.serial('invalid input keeps its text, and the cursor is in the first field', async (t) => {
  const checkout = await openCheckout(t);
  const link = await makeLink(checkout, { amount: undefined, min: '100', max: '5000', fields: FIELDS });
  const { page } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.goto(link);
  await page.getByLabel('Your name').fill('Rahima');
  await page.getByLabel('Address').fill('Dhaka');
  await page.getByLabel(desk.t.link.amount).fill('-500');
  await desk.openPayment().click();
  await page.getByText(desk.t.link.amountFaults.unreadable()).waitFor();
  t.is(await page.getByLabel(desk.t.link.amount).inputValue(), '-500');
  t.is(await page.getByLabel('Your name').inputValue(), 'Rahima');
  t.is(await page.evaluate('document.activeElement.id'), 'amount');
  t.is((await listPayments(checkout.core, { limit: 10 })).length, 0);
});

test.serial('typed text survives a reload, a language change, Back and a press while offline', async (t) => {
  const checkout = await openCheckout(t);
  const fields = ['name*=Your name', 'mobile=Mobile', 'size=Size'];
  const link = await makeLink(checkout, { amount: undefined, min: '100', max: '5000', fields });
  const { context, page } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const [bangla, english] = [reader(page, 'bn'), reader(page, 'en')];
  const typed = (label: string, text: string) => [page.getByLabel(label), text] as const;
  const entries = [typed('Your name', 'Rahima'), typed('Mobile', '01711000001'), typed('Size', 'XL')];
  await page.goto(link);
  t.is(await page.getByLabel('Mobile').getAttribute('inputmode'), 'tel');
  await page.getByLabel(bangla.t.link.amount).fill('৫০০/-');
  for (const [field, text] of entries) await field.fill(text);
  const assertKept = async (amount: string) => {
    t.is(await page.getByLabel(amount).inputValue(), '৫০০/-');
    for (const [field, text] of entries) t.is(await field.inputValue(), text);
  };
  await page.reload();
  await assertKept(bangla.t.link.amount);
  await page.getByRole('link', { name: bangla.t.other.name }).click();
  await page.waitForURL(/lang=en/);
  await assertKept(english.t.link.amount);
  await context.setOffline(true);
  await english.openPayment().click();
  await page.locator('.network').filter({ hasText: english.t.unsent }).waitFor();
  await assertKept(english.t.link.amount);
  await context.setOffline(false);
  await page.waitForURL('**/api/execute/*');
  const payment = new URL(page.url()).pathname;
  await page.goBack();
  await page.getByLabel('Size').waitFor();
  await assertKept(english.t.link.amount);
  await english.openPayment().click();
  await page.waitForURL('**/api/execute/*');
  t.is(new URL(page.url()).pathname, payment);
});

test.serial(
  'pieces and suggested amounts are on the button that pays, and survive reload, language and Back',
  async (t) => {
    const checkout = await openCheckout(t);
    const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
    const [english, bangla] = [reader(page, 'en'), reader(page, 'bn')];
    const item = await makeLink(checkout, { amount: '650', quantity: 3 });
    await page.goto(item);
    const says = async (text: string) => {
      await page.locator('form button:not([type])').filter({ hasText: text }).waitFor();
    };
    await says('Pay ৳ 650');
    const [less, more] = [english.t.link.less, english.t.link.more].map((name) =>
      page.getByRole('button', { name }),
    );
    for (let n = 0; n < 5; n += 1) await more?.click();
    await says('Pay ৳ 1,950');
    await page.getByText('3 × ৳ 650 = ৳ 1,950').waitFor();
    await less?.click();
    await page.reload();
    await says('Pay ৳ 1,300');
    await page.getByRole('link', { name: english.t.other.name }).click();
    await page.waitForURL(/lang=bn/);
    await says('৳ ১,৩০০ পেমেন্ট করুন');
    t.is(await page.getByLabel(bangla.t.link.quantity).inputValue(), '2');
    await page.goto(`${item}?lang=en`);
    await english.openPayment().click();
    await page.waitForURL('**/api/execute/*');
    await page.getByText('৳ 1,300.00').first().waitFor();
    await page.goBack();
    await says('Pay ৳ 1,300');
    await page.getByLabel(english.t.link.quantity, { exact: true }).fill('4');
    await says('Continue to payment');
    await english.openPayment().click();
    await page.getByText(english.t.link.quantityFaults.out_of_range('3')).waitFor();
    await more?.click();
    await says('Pay ৳ 1,950');

    const gift = await makeLink(checkout, {
      amount: undefined,
      min: '50',
      max: '5000',
      suggest: '100,1500.50',
    });
    await page.goto(gift);
    await says('Continue to payment');
    await page.getByRole('button', { name: '৳ 1,500.50' }).click();
    await says('Pay ৳ 1,500.50');
    await page.reload();
    await says('Pay ৳ 1,500.50');
    t.is(await page.getAttribute('[data-amount]:last-of-type', 'aria-pressed'), 'true');
    t.deepEqual(
      complaints.filter((complaint) => !complaint.includes('422')),
      [],
    );
  },
);

test.serial('pieces and amounts can be chosen without script', async (t) => {
  const checkout = await openCheckout(t);
  const device = { ...PHONE, ...ENGLISH, javaScriptEnabled: false };
  const { page } = await visit(t, await browser(), device);
  const desk = reader(page, 'en');
  await page.goto(await makeLink(checkout, { amount: '650', quantity: 3 }));
  t.is(await page.locator('form button:visible').count(), 1);
  await page.getByLabel(desk.t.link.quantity).fill('২');
  await desk.openPayment().click();
  await page.waitForURL('**/api/execute/*');
  await page.getByText('৳ 1,300.00').first().waitFor();
  await page.goto(
    await makeLink(checkout, { amount: undefined, min: '50', max: '5000', suggest: '100,1500' }),
  );
  await page.getByText('For example ৳ 100, ৳ 1,500.').waitFor();
  t.is(await page.locator('form button:visible').count(), 1);
});
