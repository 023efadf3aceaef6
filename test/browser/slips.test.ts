/** Slips over slow and bad networks: each arrives once, no larger than it need be, or after its claim. */
import test, { type ExecutionContext } from 'ava';
import type { Route } from 'playwright-core';
import { listReviews, loadSlip } from '../../src/actions/reviews/list-reviews.js';
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
import { openCheckout } from '../helpers/shop/checkout.js';
import { noise } from '../helpers/shop/picture.js';
import { until as untilTrue } from '../helpers/until.js';

const browser = browserOf(test);

const UPLOAD = /\/bank$/;
const FILE = "document.querySelector('input[type=file]').files[0]";
/** A form with this in it takes longer than any time limit of a request that does not tell how it moves. */
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(150_000, 0x20)]);
const SLOW_BYTES_S = 10_000;

async function openBank(
  t: ExecutionContext<unknown>,
  device: Parameters<typeof visit>[2],
  come: typeof visit = visit,
) {
  const checkout = await openCheckout(t, { everything: true });
  const visitor = await come(t, await browser(), device);
  const { page } = visitor;
  const desk = reader(page, device?.locale === 'en-US' ? 'en' : 'bn');
  await page.goto(await checkout.create(500));
  await desk.summary('bank').click();
  await desk.enter('bank', 'FT 26 8812');
  const slip = page.getByLabel(desk.t.slipLabel);
  const kept = async () => {
    const [review] = await listReviews(checkout.core, { state: null, limit: 2 });
    return loadSlip(checkout.core, review?.id ?? '');
  };
  return { ...visitor, checkout, desk, slip, kept };
}

test.serial('a slip that moves slowly is sent once, and the page says how far it is', async (t) => {
  const { context, page, requests, desk, slip, kept } = await openBank(
    t,
    { ...PHONE, ...ENGLISH },
    visitAlone,
  );
  const cdp = await context.newCDPSession(page);
  const network = { offline: false, latency: 100, downloadThroughput: -1, uploadThroughput: SLOW_BYTES_S };
  await cdp.send('Network.emulateNetworkConditions', network);
  await slip.setInputFiles({ name: 'slip.pdf', mimeType: 'application/pdf', buffer: PDF });
  await desk.submit('bank').click();
  await page.getByRole('button', { name: /[1-9]\d?%$/ }).waitFor();
  await desk.says(desk.t.review.fresh.title);
  t.is(requests.filter((url) => UPLOAD.test(url)).length, 1);
  t.is((await kept()).bytes.length, PDF.length);
});

test.serial('after two failures the claim goes alone, and its slip follows it', async (t) => {
  const { checkout, context, page, desk, slip, kept } = await openBank(t, { ...PHONE, ...BANGLA });
  const large = (route: Route) => (route.request().postDataBuffer()?.length ?? 0) > PDF.length;
  let isBad = true;
  let failures = 0;
  await context.route(UPLOAD, (route) => {
    if (!isBad || !large(route)) return route.continue();
    failures += 1;
    return route.abort('connectionreset');
  });
  await slip.setInputFiles({ name: 'slip.pdf', mimeType: 'application/pdf', buffer: PDF });
  await desk.submit('bank').click();
  await page.getByRole('button', { name: desk.t.slipWithout }).click();
  await desk.says(desk.t.review.fresh.title);
  const [review] = await listReviews(checkout.core, { state: 'OPEN', limit: 2 });
  t.is(review?.reference, 'FT 26 8812', 'the seller has the claim');
  const before = failures;
  t.true(before >= 2);
  await untilTrue(() => failures > before);
  t.deepEqual(checkout.site.returns, [], 'nobody is sent on while the slip is on its way');
  isBad = false;
  await page.waitForURL(`${checkout.site.url}/paid**`);
  t.is((await kept()).bytes.length, PDF.length);
});

test.serial('a picture above 300 KB is made smaller before it is sent', async (t) => {
  const { page, desk, slip, kept, complaints } = await openBank(t, { ...DESKTOP, ...ENGLISH });
  const photo = noise(400, 300);
  t.true(photo.length > 300 * 1024);
  await slip.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: photo });
  await until(page, `${FILE}.type === 'image/jpeg' && ${FILE}.size < 300 * 1024`);
  await desk.submit('bank').click();
  await desk.says(desk.t.review.fresh.title);
  t.is((await kept()).mediaType, 'image/jpeg');
  t.deepEqual(complaints, []);
});

test.serial(
  'a WebP becomes a JPEG, and a file that is not a picture is rejected before upload',
  async (t) => {
    const { page, desk, slip, kept, requests, complaints } = await openBank(t, { ...PHONE, ...ENGLISH });
    const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic', 'latin1'), Buffer.alloc(2_000)]);
    await slip.setInputFiles({ name: 'slip.jpg', mimeType: 'image/jpeg', buffer: heic });
    await page.getByText(desk.t.problems.slip_unreadable).waitFor();
    await desk.submit('bank').click();
    t.is(requests.filter((url) => UPLOAD.test(url)).length, 0);
    const webp = String(
      await page.evaluate(`(() => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 40;
      return canvas.toDataURL('image/webp').split(',')[1];
    })()`),
    );
    await slip.setInputFiles({
      name: 'slip.webp',
      mimeType: 'image/webp',
      buffer: Buffer.from(webp, 'base64'),
    });
    await until(page, `${FILE}.type === 'image/jpeg'`);
    await desk.submit('bank').click();
    await desk.says(desk.t.review.fresh.title);
    t.is((await kept()).mediaType, 'image/jpeg');
    t.deepEqual(complaints, []);
  },
);
