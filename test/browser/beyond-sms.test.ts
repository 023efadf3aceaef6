/**
 * Payments of which no SMS tells: by the Bangla QR code of the payment, which a bank reports, and in USDT. No
 * chain and no exchange answers here, so that what is given for those waits.
 */

import test from 'ava';
import { findValue, parseObjects } from '../../src/channels/qr-interbank/emv.js';
import { decodeQrImage } from '../../src/channels/qr-interbank/image.js';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, until, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { type Bank, openBank, PAYER, type PushedFields, sign } from '../helpers/shop/bank.js';
import { ADDRESS, type Checkout, EXCHANGE_USER, openCheckout } from '../helpers/shop/checkout.js';

const browser = browserOf(test);
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const NO_SCRIPT = { javaScriptEnabled: false };

const HASH = `0x${'9C2f41e7'.repeat(8)}`;
const ORDER = '312345678901234567';
const SHOWN_CODE = "document.querySelector('.card[open] figure img').naturalWidth > 0";

/** The bank calls over HTTPS, as banks do. @returns the HTTP status. */
async function report(checkout: Checkout, bank: Bank, fields: PushedFields): Promise<number> {
  const body = bank.written(fields);
  const headers = { 'acquirer-key': bank.key, 'x-signature': sign(bank.secret, body) };
  return (await checkout.daemon().post('/api/v2/acquirer/push', headers, JSON.parse(body))).status;
}

async function codeOf(
  picture: Buffer,
): Promise<{ readonly amount: string | undefined; readonly reference: string }> {
  const image = await decodeQrImage(picture);
  if (!image.ok) throw new Error(image.fault);
  const code = parseObjects(image.text);
  if (!code.ok) throw new Error(`unreadable from ${code.at} on`);
  const additional = parseObjects(findValue(code.objects, '62') ?? '');
  const reference = additional.ok ? (findValue(additional.objects, '05') ?? '') : '';
  return { amount: findValue(code.objects, '54'), reference };
}

test.serial('a scanned code settles automatically without typing, and the page continues', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const bank = await openBank(checkout.core, checkout.shop);
  const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(1_250));
  await desk.summary('qr_interbank').click();
  await until(page, SHOWN_CODE);
  t.is(await page.getByRole('link', { name: desk.t.code.save }).isVisible(), false);
  const { amount, reference } = await codeOf(await page.locator('.card[open] figure img').screenshot());
  t.is(amount, '1250.00');
  t.true((await page.locator('body').innerText()).includes(reference));

  t.is(await report(checkout, bank, { amount: '1250.00', bill: reference, payer: null }), 200);
  await desk.says(desk.t.completed.fresh.title);
  await page.waitForURL(`${checkout.site.url}/paid**`);
  const query = Object.fromEntries(checkout.site.returns[0]?.query ?? []);
  t.like(query, { paymentMethod: 'qr_interbank', paymentAmount: '1250.00', status: 'completed' });
  t.not(query.transactionId, reference, 'the bank’s own reference, for the browser that showed the code');
  t.like((await checkout.verify(query.transactionId ?? '')).body, { data: { status: 'COMPLETED' } });
  t.deepEqual(complaints, []);
});

test.serial(
  'on a phone the code is saved as a picture, and the number that paid finds the money',
  async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    const bank = await openBank(checkout.core, checkout.shop);
    const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
    const desk = reader(page, 'bn');
    await page.goto(await checkout.create(500));
    await desk.summary('qr_interbank').click();
    await page.getByText(desk.t.code.stepGallery).waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: desk.t.code.save }).click();
    const saved = await saving;
    t.regex(saved.suggestedFilename(), /^bangla-qr-[A-Z0-9]{12}\.png$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await saved.createReadStream()) chunks.push(Buffer.from(chunk));
    t.is((await codeOf(Buffer.concat(chunks))).amount, '500.00');

    await desk.enter('qr_interbank', 'আমি দিয়েছি');
    await desk.submit('qr_interbank').click();
    t.is(await desk.problem('qr_interbank').innerText(), desk.t.given.number.none('01712345678'));
    await desk.enter('qr_interbank', '০১৭১২ ৩৪৫৬৭৮');
    await desk.submit('qr_interbank').click();
    await desk.says(desk.t.waiting);
    await page.getByText(desk.t.given.number.waiting).waitFor();
    t.true(await page.getByText(PAYER).first().isVisible());
    t.is(await report(checkout, bank, { amount: '500.00', payer: `+88${PAYER}` }), 200);
    await page.waitForURL(`${checkout.site.url}/paid**`);
    t.deepEqual(complaints, []);
  },
);

test.serial('without script a payer gives the last four digits and comes back to the shop', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const bank = await openBank(checkout.core, checkout.shop);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH, ...NO_SCRIPT });
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(500));
  await desk.summary('qr_interbank').click();
  await desk.enter('qr_interbank', PAYER.slice(-4));
  await desk.submit('qr_interbank').click();
  await desk.says(desk.t.waiting);
  t.is(await report(checkout, bank, { amount: '500.00' }), 200);
  await desk.says(desk.t.completed.fresh.title);
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(complaints, []);
});

test.serial('four digits shared by two payers: the field asks for all eleven', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const bank = await openBank(checkout.core, checkout.shop);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'bn');
  await page.goto(await checkout.create(500));
  for (const payer of [PAYER, `018${PAYER.slice(3)}`]) {
    t.is(await report(checkout, bank, { amount: '500.00', payer }), 200);
  }
  await desk.summary('qr_interbank').click();
  await desk.enter('qr_interbank', PAYER.slice(-4));
  await desk.submit('qr_interbank').click();
  t.is(await desk.problem('qr_interbank').innerText(), desk.t.problems.ask_full_number);
  await desk.enter('qr_interbank', PAYER);
  await desk.submit('qr_interbank').click();
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.deepEqual(complaints, []);
});

test.serial(
  'USDT on a chain: address and amount are copied bare, and an explorer link is a hash',
  async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA, ...CLIPBOARD });
    const desk = reader(page, 'bn');
    await page.goto(await checkout.create(1_250));
    await desk.summary('bep20').click();
    await desk.copy('bep20', desk.t.usdt.theAddress).click();
    t.is(await page.evaluate('navigator.clipboard.readText()'), ADDRESS);
    await desk.copy('bep20', desk.t.theAmount).click();
    // 1,250.00 at 121.50 is 10.28806…, and the shop never gets less than it asked for.
    t.is(await page.evaluate('navigator.clipboard.readText()'), '10.2881');
    await page.getByText(desk.t.usdt.addressCode).click();
    await until(page, SHOWN_CODE);
    const image = await decodeQrImage(await page.locator('.card[open] figure img').screenshot());
    t.deepEqual(image, { ok: true, text: ADDRESS });

    await desk.enter('bep20', ADDRESS);
    await desk.field('bep20').blur();
    await page.getByText(desk.t.hashOdd).waitFor();
    await desk.submit('bep20').click();
    t.is(await desk.problem('bep20').innerText(), desk.t.given.hash.none('0x9c2f…41e7'));
    await desk.enter('bep20', `https://bscscan.com/tx/${HASH}`);
    await desk.submit('bep20').click();
    await desk.says(desk.t.waiting);
    await page.getByText(desk.t.given.hash.waiting).waitFor();
    t.true(await page.getByText(HASH.toLowerCase()).first().isVisible());
    t.false((await page.locator('main > section').allInnerTexts()).join().includes('এসএমএস'));
    t.deepEqual(complaints, []);
  },
);

test.serial('Binance Pay: user id and amount are copied bare, and an order id waits', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH, ...CLIPBOARD });
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(1_250));
  await desk.summary('exchange_pay').click();
  await desk.copy('exchange_pay', 'Binance ID').click();
  t.is(await page.evaluate('navigator.clipboard.readText()'), EXCHANGE_USER);
  await desk.copy('exchange_pay', desk.t.theAmount).click();
  t.is(await page.evaluate('navigator.clipboard.readText()'), '10.2881');

  await desk.enter('exchange_pay', 'I have paid');
  await desk.submit('exchange_pay').click();
  t.is(await desk.problem('exchange_pay').innerText(), desk.t.given.order.none(ORDER));
  await desk.enter('exchange_pay', `Order ID ${ORDER}`);
  await desk.submit('exchange_pay').click();
  await desk.says(desk.t.waiting);
  await page.getByText(desk.t.given.order.waiting).waitFor();
  t.true(await page.getByText(ORDER).first().isVisible());
  t.false((await page.locator('main > section').allInnerTexts()).join().includes('SMS'));
  t.deepEqual(complaints, []);
});

test.serial('without script a hash is claimed as well, and can be corrected', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA, ...NO_SCRIPT });
  const desk = reader(page, 'bn');
  await page.goto(await checkout.create(1_250));
  await desk.summary('bep20').click();
  await desk.enter('bep20', HASH);
  await desk.submit('bep20').click();
  await desk.says(desk.t.waiting);
  await page.getByRole('link', { name: desk.t.correctLink }).click();
  await desk.says(desk.t.given.hash.correct.title);
  t.true(await desk.field('bep20').isVisible());
  t.deepEqual(complaints, []);
});
