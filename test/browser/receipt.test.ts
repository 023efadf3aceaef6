/** The receipt: what stands on it and for whom, that it waits for readers, and how it is printed. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { formatDateTime } from '../../daemon/checkout/figures.js';
import type { Texts } from '../../daemon/checkout/texts/en.js';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { BRAND, openCheckout, pay } from '../helpers/shop/checkout.js';
import { WALLET } from '../helpers/shop/shop.js';

const browser = browserOf(test);

/** Longer than a page that has been paid waits before it goes on. */
const LONG_MS = 6_500;

async function openPaid(t: ExecutionContext<unknown>, language: 'bn' | 'en', more = {}) {
  const checkout = await openCheckout(t);
  const device = language === 'bn' ? { ...PHONE, ...BANGLA } : { ...DESKTOP, ...ENGLISH };
  const { page, complaints } = await visit(t, await browser(), { ...device, ...more });
  const desk = reader(page, language);
  const payment = pay('500.00');
  await checkout.deliver(payment.received);
  const link = await checkout.create(500);
  await page.goto(link);
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.completed.fresh.title);
  return { checkout, page, desk, payment, link, complaints };
}

/** Names and values of the receipt. */
async function factsOf(page: Page): Promise<Record<string, string>> {
  const rows = (await page.evaluate(
    `[...document.querySelectorAll('dl div')].map((row) => [...row.children].map((part) => part.textContent))`,
  )) as [string, string][];
  return Object.fromEntries(rows);
}

async function checkReceipt(t: ExecutionContext<unknown>, page: Page, texts: Texts, trxId: string) {
  const { [texts.paidAt]: at = '', ...facts } = await factsOf(page);
  const amount = texts.language === 'bn' ? '৳ ৫০০.০০' : '৳ 500.00';
  t.deepEqual(facts, {
    [texts.paidBy]: texts.channels.mfs_a,
    [texts.paidTo]: WALLET,
    [texts.transactionId]: trxId,
    [texts.paidAmount]: amount,
    [texts.contact]: '01711000099',
  });
  const minutes = [0, 1].map((ago) => formatDateTime(texts, Date.now() - ago * 60_000));
  t.true(minutes.includes(at), at);
}

test.serial(
  'the way back is counted down and can be stopped with the keyboard; the receipt then stays',
  async (t) => {
    const { checkout, page, desk, payment, link, complaints } = await openPaid(t, 'en');
    await page.getByText(/^Taking you back to Alo Store… [1-4]$/).waitFor();
    const said = await page.locator('#live').textContent();
    t.regex(String(said), /^Taking you back to Alo Store… 5 Stay on this page$/);
    await checkReceipt(t, page, desk.t, payment.trxId);
    // Receipt, the way back, and to stay.
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Tab');
    t.is(await page.evaluate('document.activeElement.textContent'), desk.t.stay);
    await page.keyboard.press('Enter');
    t.is(await page.getByText(desk.t.goingBack(BRAND)).count(), 0);
    t.is(await page.evaluate('document.activeElement.id'), 'back');
    await page.waitForTimeout(LONG_MS);
    t.deepEqual(checkout.site.returns, []);

    await page.goto(link);
    await desk.says(desk.t.completed.again.title);
    await checkReceipt(t, page, desk.t, payment.trxId);
    t.is(await page.getByRole('button', { name: desk.t.stay }).count(), 0);
    await page.waitForTimeout(LONG_MS);
    t.deepEqual(checkout.site.returns, []);
    await page.getByRole('link', { name: desk.t.goBack(BRAND) }).click();
    await page.waitForURL(`${checkout.site.url}/paid**`);
    t.deepEqual(complaints, []);
  },
);

test.serial('returns to the shop automatically; a stranger with the link sees no receipt', async (t) => {
  const { checkout, page, desk, payment, link, complaints } = await openPaid(t, 'bn');
  await page.getByText(`${desk.t.goingBack(BRAND)} ৪`, { exact: true }).waitFor();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.is(checkout.site.returns.length, 1);
  await page.goto(link);
  await desk.says(desk.t.completed.again.title);
  await checkReceipt(t, page, desk.t, payment.trxId);

  const other = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  await other.page.goto(link);
  await reader(other.page, 'bn').says(desk.t.completed.again.title);
  t.deepEqual(await factsOf(other.page), {});
  t.false((await other.page.content()).includes(payment.trxId));
  t.deepEqual([...complaints, ...other.complaints], []);
});

const PAPER = `[...document.querySelectorAll('body, main, .bill, .status, h1, h2, dt, dd')].map((element) => {
  const { color, backgroundColor } = getComputedStyle(element);
  return color + ' on ' + backgroundColor.replace('rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)');
})`;

test.serial(
  'a printed receipt is black on white and nothing but the receipt, also from a dark screen',
  async (t) => {
    const { page, desk, payment, complaints } = await openPaid(t, 'en', { colorScheme: 'dark' });
    await page.getByRole('button', { name: desk.t.stay }).click();
    await page.emulateMedia({ media: 'print' });
    t.deepEqual(
      [...new Set((await page.evaluate(PAPER)) as string[])],
      ['rgb(0, 0, 0) on rgb(255, 255, 255)'],
    );
    const text = await page.locator('body').innerText();
    t.true(
      text.includes(payment.trxId) && text.includes(desk.t.completed.fresh.title) && text.includes(BRAND),
    );
    for (const words of [desk.t.call, desk.t.whatsapp, desk.t.goBack(BRAND), desk.t.neverPin, 'বাংলা']) {
      t.false(text.includes(words), words);
    }
    t.is(await page.locator('button:visible, .button:visible').count(), 0);
    t.deepEqual(complaints, []);
  },
);
