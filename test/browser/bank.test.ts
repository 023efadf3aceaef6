/** A bank transfer: the customer shows it, a person at the command line decides (spec 3, manual review). */

import test, { type ExecutionContext } from 'ava';
import { listReviews, loadSlip } from '../../src/actions/reviews/list-reviews.js';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, until, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { kashboxProgram, runNode } from '../helpers/programs/processes.js';
import { type Checkout, openCheckout } from '../helpers/shop/checkout.js';
import { noise } from '../helpers/shop/picture.js';
import { rows } from '../helpers/shop/scene.js';

const browser = browserOf(test);

const MIB = 1024 * 1024;
/** A whole picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
);

/** The real command line on the same home, beside the daemon. */
async function operator(t: ExecutionContext, { home }: Checkout, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runNode(t, [kashboxProgram, ...args], { KASHBOX_HOME: home });
  t.is(code, 0, stderr);
  return JSON.parse(stdout) as unknown;
}

test.serial(
  'a transfer with its slip goes to the shop as pending; approved, the link says paid',
  async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    const { page, complaints } = await visit(t, await browser(), { ...DESKTOP, ...ENGLISH });
    const desk = reader(page, 'en');
    const link = await checkout.create(500);
    await page.goto(link);
    await desk.summary('bank').click();
    await desk.enter('bank', 'ft 26 8812');
    await page
      .getByLabel(desk.t.slipLabel)
      .setInputFiles({ name: 'slip.png', mimeType: 'image/png', buffer: PNG });
    await desk.submit('bank').click();
    await desk.says(desk.t.review.fresh.title);
    await page.waitForURL(`${checkout.site.url}/paid**`);
    const { transactionId = '', ...query } = Object.fromEntries(checkout.site.returns[0]?.query ?? []);
    t.regex(transactionId, /^[A-Z0-9]{12}$/);
    t.deepEqual(query, {
      order: '7',
      paymentMethod: 'bank',
      paymentAmount: '500.00',
      paymentFee: '0.00',
      status: 'pending',
    });
    t.like((await checkout.verify(transactionId)).body, { data: { status: 'PENDING' } });

    await page.goto(link);
    await desk.says(desk.t.review.again.title);
    const [review] = (await operator(t, checkout, 'verifications', 'list', '--json')) as { id: string }[];
    const shown = await operator(t, checkout, 'verifications', 'show', review?.id ?? '', '--json');
    t.true(JSON.stringify(shown).includes('FT 26 8812'));
    const note = 'in the bank statement';
    await operator(t, checkout, 'verifications', 'approve', review?.id ?? '', '--note', note, '--json');
    await page.goto(link);
    await desk.says(desk.t.completed.fresh.title);
    t.like((await checkout.verify(transactionId)).body, { data: { status: 'COMPLETED', amount: '500.00' } });
    t.deepEqual(complaints, []);
  },
);

test.serial('without script an invalid slip is rejected at its field, and typed text is kept', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const options = { ...PHONE, ...BANGLA, javaScriptEnabled: false };
  const { page, complaints } = await visit(t, await browser(), options);
  const desk = reader(page, 'bn');
  await page.goto(await checkout.create(500));
  await desk.summary('bank').click();
  await desk.enter('bank', 'FT 26 8812');
  const slip = page.getByLabel(desk.t.slipLabel);
  const script = Buffer.from('<script>alert(1)</script>');
  await slip.setInputFiles({ name: 'slip.png', mimeType: 'image/png', buffer: script });
  await desk.submit('bank').click();
  t.is(await desk.problem('bank').innerText(), desk.t.problems.slip_unreadable);
  t.is(await slip.getAttribute('aria-invalid'), 'true');
  t.is(await desk.field('bank').inputValue(), 'FT 26 8812');
  await desk.submit('bank').click();
  await desk.says(desk.t.review.fresh.title);
  t.deepEqual(complaints, []);
});

const PDF = Buffer.from('%PDF-1.7\n');
const tooLarge = [
  ['of more than 2 MiB', Buffer.concat([PDF, Buffer.alloc(2 * MIB)])],
  ['of more than any form may have', Buffer.concat([PDF, Buffer.alloc(6 * MIB)])],
] as const;

for (const [size, buffer] of tooLarge) {
  test.serial(`without script a slip ${size} is refused in words, and nothing is claimed`, async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    const options = { ...PHONE, ...ENGLISH, javaScriptEnabled: false };
    const { page, complaints } = await visit(t, await browser(), options);
    const desk = reader(page, 'en');
    await page.goto(await checkout.create(500));
    await desk.summary('bank').click();
    await desk.enter('bank', 'FT 26 8812');
    const slip = page.getByLabel(desk.t.slipLabel);
    await slip.setInputFiles({ name: 'slip.pdf', mimeType: 'application/pdf', buffer });
    await desk.submit('bank').click();
    const words = [desk.t.problems.slip_too_large, desk.t.notices.upload_too_large.title];
    await page
      .getByText(new RegExp(words.join('|')))
      .first()
      .waitFor();
    t.deepEqual(await rows(checkout.core, 'claims'), []);
    t.deepEqual(complaints, []);
  });
}

test.serial('with script a slip that is too large is not even sent, and another one is', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const { page, complaints, requests } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(500));
  await desk.summary('bank').click();
  await desk.enter('bank', 'FT 26 8812');
  const slip = page.getByLabel(desk.t.slipLabel);
  const pdf = { name: 'slip.pdf', mimeType: 'application/pdf' };
  await slip.setInputFiles({ ...pdf, buffer: Buffer.concat([PDF, Buffer.alloc(2 * MIB)]) });
  await page.getByText(desk.t.slipTooLarge).waitFor();
  await desk.submit('bank').click();
  t.is(await desk.field('bank').inputValue(), 'FT 26 8812');
  await slip.setInputFiles({ ...pdf, buffer: PDF });
  await desk.submit('bank').click();
  await desk.says(desk.t.review.fresh.title);
  t.is(requests.filter((url) => url.endsWith('/bank')).length, 1);
  t.deepEqual(complaints, []);
});

test.serial('a photo that is too large is made smaller by the page, and arrives as a picture', async (t) => {
  const checkout = await openCheckout(t, { everything: true });
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'bn');
  const photo = noise(1_200, 900);
  t.true(photo.length > 2 * MIB);
  await page.goto(await checkout.create(500));
  await desk.summary('bank').click();
  await desk.enter('bank', 'FT 26 8813');
  await page
    .getByLabel(desk.t.slipLabel)
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: photo });
  await until(page, "document.querySelector('input[type=file]').files[0].type === 'image/jpeg'");
  await desk.submit('bank').click();
  await desk.says(desk.t.review.fresh.title);
  const [review] = await listReviews(checkout.core, { state: null, limit: 2 });
  const slip = await loadSlip(checkout.core, review?.id ?? '');
  t.is(slip.mediaType, 'image/jpeg');
  t.deepEqual(complaints, []);
});
