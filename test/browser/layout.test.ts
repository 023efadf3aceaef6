/** Layout of the checkout page: what is in sight on a phone and on a desktop, and what a touch changes. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { decodeQrImage } from '../../src/channels/qr-interbank/image.js';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, until, visitAlone } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { openCheckout, pay } from '../helpers/shop/checkout.js';
import { variants } from '../helpers/tiers.js';

const browser = browserOf(test);

const SUMMARIES = `Array.from(document.querySelectorAll('.card > summary'))`;
const inSight = (page: Page) =>
  page.evaluate<number>(`${SUMMARIES}.filter((tile) => {
    const { top, bottom } = tile.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }).length`);
const scrolls = (page: Page) => page.evaluate<boolean>('document.documentElement.scrollHeight > innerHeight');

for (const [language, locale] of variants([
  ['bn', BANGLA],
  ['en', ENGLISH],
] as const)) {
  test.serial(`in ${language} all eight methods are in sight, on a phone and on a desktop`, async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    const phone = await visitAlone(t, await browser(), { ...PHONE, ...locale });
    await phone.page.goto(await checkout.create(1_250));
    t.is(await inSight(phone.page), 8);
    const desktop = await visitAlone(t, await browser(), { ...DESKTOP, ...locale });
    await desktop.page.goto(await checkout.create(1_250));
    t.is(await inSight(desktop.page), 8);
    t.false(await scrolls(desktop.page));
  });
}

test.serial('the amount stays in sight on a phone, and the bill on a desktop', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  for (const [device, place] of [
    [PHONE, '.due'],
    [DESKTOP, '.bill'],
  ] as const) {
    const { page } = await visitAlone(t, await browser(), { ...device, ...ENGLISH });
    await page.goto(await checkout.create(1_250));
    await reader(page, 'en').summary('bank').click();
    await page.evaluate('scrollTo(0, 400)');
    const top = await page.evaluate<number>(`document.querySelector('${place}').getBoundingClientRect().top`);
    t.true((await page.evaluate<number>('scrollY')) > 0, place);
    t.true(top >= 0 && top < 100, `${place}: ${top}`);
  }
});

test.serial('a code on a desktop opens the same payment on the phone, and a phone shows none', async (t) => {
  const checkout = await openCheckout(t);
  const desktop = await visitAlone(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const link = await checkout.create(500);
  await desktop.page.goto(link);
  const code = desktop.page.locator('.phone img');
  await until(desktop.page, "document.querySelector('.phone img').naturalWidth > 0");
  t.deepEqual(await decodeQrImage(await code.screenshot()), { ok: true, text: link });
  const phone = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  await phone.page.goto(link);
  t.false(await phone.page.locator('.phone').isVisible());
  t.false(
    phone.requests.some((url) => url.endsWith('/qr')),
    'nor asks for it',
  );
});

test.serial('a copied row keeps its tick, the number is copied without a space', async (t) => {
  const checkout = await openCheckout(t);
  const { context, page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { t: texts, ...desk } = reader(page, 'en');
  await page.goto(await checkout.create(500));
  await desk.copy('mfs_a', texts.numbers.personal).click();
  const ticks = page.getByRole('button', { name: `✓ ${texts.copied}` });
  await ticks.waitFor();
  t.is(await page.evaluate('navigator.clipboard.readText()'), '01711000001');
  await desk.copy('mfs_a', texts.theAmount).click();
  await ticks.nth(1).waitFor();
  t.is(await ticks.count(), 2, 'the first one stays');
});

test.serial('progress advances with an open card, with a claim and with the money', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const { page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  const current = () => page.locator('.steps [aria-current=step]').allInnerTexts();
  const [choose = '', paying = '', confirmation = ''] = desk.t.progress;
  await page.goto(await checkout.create(500));
  t.deepEqual(await current(), [choose]);
  await desk.summary('mfs_a').click();
  await until(page, `document.querySelector('.steps [aria-current]').textContent === '${paying}'`);
  await desk.summary('mfs_a').click();
  await until(page, `document.querySelector('.steps [aria-current]').textContent === '${choose}'`);
  await desk.summary('mfs_a').click();
  const payment = pay('500.00');
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  t.deepEqual(await current(), [confirmation]);
  await page.route(`${checkout.site.url}/**`, (route) => route.fulfill({ status: 204 }));
  await checkout.deliver(payment.received);
  await desk.says(desk.t.completed.fresh.title);
  t.deepEqual(await current(), []);
  t.is(await page.locator('.steps .done').count(), 3);
});

test.serial('the method that this browser used last is the first of its next payment', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const { page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  const first = () => page.locator('.card h3').first().innerText();
  await page.goto(await checkout.create(500));
  t.is(await first(), desk.t.channels.mfs_a);
  await desk.summary('mfs_c').click();
  await until(page, "localStorage.getItem('kashbox way') !== null");
  await page.goto(await checkout.create(700));
  t.is(await first(), desk.t.channels.mfs_c);
});

test.serial('the link at the top of a phone leads to help', async (t) => {
  const checkout = await openCheckout(t, { everything: true, profile: { mobile: '01711000099' } });
  const { page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  await page.goto(await checkout.create(500));
  await page.getByRole('link', { name: reader(page, 'en').t.help }).click();
  await until(page, "document.querySelector('.help').getBoundingClientRect().bottom <= innerHeight");
  t.true(await page.locator('a[href^="tel:01711000099"]').isVisible());
});

test.serial('the receipt is printed by a button', async (t) => {
  const checkout = await openCheckout(t);
  const { page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  await page.route(`${checkout.site.url}/**`, (route) => route.fulfill({ status: 204 }));
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(500));
  const payment = pay('500.00');
  await checkout.deliver(payment.received);
  await desk.enter('mfs_a', payment.trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.completed.fresh.title);
  await page.evaluate('globalThis.print = () => { document.title = "printed"; }');
  await page.getByRole('button', { name: desk.t.receipt }).click();
  await until(page, "document.title === 'printed'");
  t.pass();
});

test.serial('the form for the id unfolds 20 s after the customer is back from the app', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const { page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  await page.clock.install();
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(500));
  await desk.summary('mfs_a').click();
  await page.clock.runFor(60_000);
  t.false(await desk.field('mfs_a').isVisible(), 'nobody was away');
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await page.clock.runFor(19_000);
  t.false(await desk.field('mfs_a').isVisible());
  await page.clock.runFor(2_000);
  await desk.field('mfs_a').waitFor();
  t.pass();
});
