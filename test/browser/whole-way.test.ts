/** A whole hosted payment in a real browser, from the shop to the shop (spec 4.1 to 4.3 and 6). */

import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { setAccount } from '../../src/actions/accounts/set-account.js';
import {
  BANGLA,
  browserOf,
  DESKTOP,
  ENGLISH,
  PHONE,
  until,
  visit,
  visitAlone,
} from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { tabTo } from '../helpers/programs/keyboard.js';
import { BRAND, type Checkout, openCheckout, type Payment, pay } from '../helpers/shop/checkout.js';
import { WALLET } from '../helpers/shop/shop.js';

const browser = browserOf(test);
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

/** What a customer copies in another app of the same telephone. */
async function copyElsewhere(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
}

/** The customer is back with everything that the shop must know, and the shop's server agrees. */
async function assertPaid(t: ExecutionContext, checkout: Checkout, { trxId }: Payment): Promise<void> {
  t.deepEqual(checkout.site.returns, [
    {
      method: 'GET',
      path: '/paid',
      query: [
        ['order', '7'],
        ['paymentMethod', 'mfs_a'],
        ['transactionId', trxId],
        ['paymentAmount', '500.00'],
        ['paymentFee', '0.00'],
        ['status', 'completed'],
      ],
      form: [],
      referrer: null,
    },
  ]);
  const { status, body } = await checkout.verify(trxId);
  t.is(status, 200);
  const { data } = body as { data: Record<string, unknown> };
  t.like(data, { amount: '500.00', transaction_id: trxId, payment_method: 'mfs_a', status: 'COMPLETED' });
}

test.serial('by mouse in Bangla at 360x640: choose, copy, paste the SMS, wait, and be back', async (t) => {
  const checkout = await openCheckout(t, { everything: true, asProgram: true });
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA, ...CLIPBOARD });
  const desk = reader(page, 'bn');
  const payment = pay('500.00');
  checkout.site.offer(await checkout.create(500));
  await page.goto(checkout.site.url);
  await page.getByRole('link', { name: 'Pay' }).click();

  await desk.summary('mfs_a').click();
  await desk.copy('mfs_a', desk.t.numbers.personal).click();
  t.is(await page.evaluate('navigator.clipboard.readText()'), WALLET);
  await desk.copy('mfs_a', desk.t.theAmount).click();
  t.is(await page.evaluate('navigator.clipboard.readText()'), '500.00');

  await copyElsewhere(page, payment.sent);
  await desk.unfold('mfs_a');
  await desk.field('mfs_a').click();
  await page.keyboard.press('Control+V');
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  t.true(await page.getByText(payment.trxId).first().isVisible());

  await checkout.deliver(payment.received);
  await desk.says(desk.t.completed.fresh.title);
  await page.waitForURL(`${checkout.site.url}/paid**`);
  await assertPaid(t, checkout, payment);
  t.deepEqual(complaints, []);
});

test.serial('by keyboard alone in English at 1280x800, with the focus always to be seen', async (t) => {
  const checkout = await openCheckout(t, { everything: true, asProgram: true });
  const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...BANGLA });
  const desk = reader(page, 'en');
  const payment = pay('500.00');
  await page.goto(await checkout.create(500));
  await tabTo(t, page, 'English');
  await page.keyboard.press('Enter');
  await desk.says(desk.t.choose.title);

  await tabTo(t, page, desk.t.wallets.mfs_a.name);
  await page.keyboard.press('Enter');
  await tabTo(t, page, desk.t.idByHand('TrxID'));
  await page.keyboard.press('Enter');
  await tabTo(t, page, desk.t.given.id.label('TrxID'));
  await page.keyboard.insertText(payment.trxId.toLowerCase());
  await tabTo(t, page, desk.t.submitClaim);
  await page.keyboard.press('Enter');
  await desk.says(desk.t.waiting);
  await checkout.deliver(payment.received);
  await page.waitForURL(`${checkout.site.url}/paid**`);
  await assertPaid(t, checkout, payment);
  t.deepEqual(complaints, []);
});

test.serial('a QR code is drawn when it is unfolded, and asked for no sooner', async (t) => {
  const checkout = await openCheckout(t, { everything: true, asProgram: true });
  await setAccount(checkout.core, {
    brand: BRAND,
    channel: 'mfs_a',
    type: 'personal',
    number: WALLET,
    details: { qr: `https://qr.bka.sh/${WALLET}` },
    who: 'test',
  });
  const { page, complaints, requests } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'bn');
  await page.goto(await checkout.create(500));
  await desk.says(desk.t.choose.title);
  const isCode = (url: string) => url.endsWith('/qr/mfs_a/personal');
  t.false(requests.some(isCode));
  await desk.summary('mfs_a').click();
  t.false(requests.some(isCode), 'on a phone it is folded');
  await page.getByText(desk.t.qr(desk.t.wallets.mfs_a.name)).click();
  await until(page, "document.querySelector('figure img').naturalWidth > 0");
  t.is(requests.filter(isCode).length, 1);
  t.deepEqual(complaints, []);
});

test.serial('where a WebView has no clipboard of its own, the buttons copy all the same', async (t) => {
  const checkout = await openCheckout(t, { asProgram: true });
  const { page, complaints } = await visitAlone(t, await browser(), { ...PHONE, ...BANGLA });
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  const desk = reader(page, 'bn');
  await page.goto(await checkout.create(500));
  await desk.copy('mfs_a', desk.t.numbers.personal).click();
  await page.getByRole('button', { name: desk.t.copied }).waitFor();
  await desk.unfold('mfs_a');
  await desk.field('mfs_a').click();
  await page.keyboard.press('Control+V');
  t.is(await desk.field('mfs_a').inputValue(), WALLET);
  t.deepEqual(complaints, []);
});

test.serial('in two parts the page shows each as it comes, live also where nothing was typed', async (t) => {
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
    await other.page
      .getByText(texts.advance.onDelivery('৳\u00a01,500.00', '৳\u00a02,000.00'))
      .first()
      .isVisible(),
  );
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(complaints, []);
});
