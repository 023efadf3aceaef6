/** Whose page it is: a brand's logo, colour and domain in a real browser, and a whole page without. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { updateBrand } from '../../src/actions/brands/change-brand.js';
import { deriveShades } from '../../src/domain/brands/colour.js';
import { faults } from '../helpers/browser/axe.js';
import { BANGLA, browserOf, ENGLISH, PHONE, until, visit, visitAlone } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { BRAND, openCheckout, pay } from '../helpers/shop/checkout.js';
import { jpegLogo, pngLogo, webpLogo } from '../helpers/shop/logos.js';
import { variants } from '../helpers/tiers.js';

const browser = browserOf(test);

const COLOUR = '#ffcc00';
const LOOK = { website: 'https://alo.example/shop', colour: COLOUR, logo: jpegLogo() };
const HELP = { questions: ['How do I pay?=Open the app.', 'কেন?=এজন্য।'], video: 'https://video.example/pay' };
const LOADED = "document.querySelector('.shop img').naturalWidth > 0";
const styleOf = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector('${selector}')).${property}`;
const rgb = (colour: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).join(', ')})`;

async function buttonOf(page: Page): Promise<readonly [ground: string, text: string, bill: string]> {
  return [
    await page.evaluate<string>(styleOf('form button:not([type])', 'backgroundColor')),
    await page.evaluate<string>(styleOf('form button:not([type])', 'color')),
    await page.evaluate<string>(styleOf('.bill', 'borderTopColor')),
  ];
}

for (const [language, locale] of variants([
  ['bn', BANGLA],
  ['en', ENGLISH],
] as const)) {
  test.serial(
    `in ${language} logo, colour and domain are there without a complaint, by day and by night`,
    async (t) => {
      const checkout = await openCheckout(t, { everything: true });
      await updateBrand(checkout.core, { brand: BRAND, ...LOOK, ...HELP, who: 'test' });
      const { page, complaints, requests } = await visitAlone(t, await browser(), { ...PHONE, ...locale });
      const desk = reader(page, language);
      await page.goto(await checkout.create(500));
      await until(page, LOADED);
      const logos = requests.filter((url) =>
        /\/api\/picture\/[0-9a-f]{32}\.jpg$/.test(new URL(url).pathname),
      );
      t.is(new Set(logos).size, 1, 'beside the name and as icon');
      const others = requests.filter((url) => !url.includes('/events') && !logos.includes(url));
      t.is(others.length, 1, 'the page');
      const box = await page.locator('.shop img').boundingBox();
      t.like(box, { width: 96, height: 48 });
      t.true(await page.getByText(`${desk.t.youPay}: alo.example`).isVisible());
      t.is(await page.getByRole('heading', { level: 1 }).innerText(), BRAND, 'the name is read once');
      const { light, dark } = deriveShades(COLOUR);
      t.deepEqual(await buttonOf(page), [rgb(light.colour), rgb(light.text), rgb(light.colour)]);
      await page.emulateMedia({ colorScheme: 'dark' });
      t.deepEqual(await buttonOf(page), [rgb(dark.colour), rgb(dark.text), rgb(dark.colour)]);
      await page.emulateMedia({ colorScheme: 'light' });
      await desk.summary('mfs_a').click();
      t.false(await page.getByText('Open the app.').isVisible());
      await page.getByText('How do I pay?').click();
      t.true(await page.getByText('Open the app.').isVisible());
      t.true(await page.getByRole('link', { name: `${desk.t.video} (video.example)` }).isVisible());
      t.deepEqual(await faults(page, [320, 360], [320, 360, 1280]), []);

      await page.emulateMedia({ colorScheme: 'light' });
      const payment = pay('500.00');
      await checkout.deliver(payment.received);
      await page.route(`${checkout.site.url}/**`, (route) => route.fulfill({ status: 204 }));
      await desk.enter('mfs_a', payment.trxId);
      await desk.submit('mfs_a').click();
      await desk.says(desk.t.completed.fresh.title);
      await until(page, LOADED);
      t.true(await page.getByText(`${desk.t.website}: alo.example`).isVisible());
      t.deepEqual(await faults(page, [320], [320]), []);
      t.deepEqual(complaints, []);
    },
  );
}

test.serial('the icon of a brand without a logo is a square picture with its letter', async (t) => {
  const checkout = await openCheckout(t);
  await updateBrand(checkout.core, { brand: BRAND, colour: COLOUR, who: 'test' });
  const { page, complaints } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
  await page.goto(await checkout.create(500));
  const drawn = await page.evaluate<readonly number[]>(`(async () => {
    const picture = new Image();
    picture.src = document.querySelector('link[rel=icon]').href;
    await picture.decode();
    const sheet = document.createElement('canvas').getContext('2d');
    sheet.drawImage(picture, 0, 0, 160, 160);
    const { data } = sheet.getImageData(84, 0, 1, 160);
    const reds = new Set(Array.from({ length: 160 }, (_, y) => data[y * 4]));
    return [picture.naturalWidth / picture.naturalHeight, ...data.slice(16, 20), reds.size > 1 ? 1 : 0];
  })()`);
  const { colour } = deriveShades(COLOUR).light;
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  t.deepEqual(drawn, [1, ...parts, 255, 1]);
  t.deepEqual(complaints, []);
});

test.serial(
  'a logo that does not come leaves a whole page: no broken picture, and nothing waits',
  async (t) => {
    const checkout = await openCheckout(t);
    await updateBrand(checkout.core, { brand: BRAND, ...LOOK, logo: pngLogo(), who: 'test' });
    const { page } = await visitAlone(t, await browser(), { ...PHONE, ...ENGLISH });
    const desk = reader(page, 'en');
    let answer = (_status: number) => {};
    const held = new Promise<number>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/picture/**', async (route) => route.fulfill({ status: await held }));
    await page.goto(await checkout.create(500), { waitUntil: 'commit' });
    await desk.enter('mfs_a', 'typed while the logo is on its way');
    await until(page, "performance.getEntriesByName('first-contentful-paint').length === 1");
    const waiting = await page.locator('h1').boundingBox();
    const button = await page.getByRole('button', { name: desk.t.submitClaim }).boundingBox();
    t.is((await page.locator('.shop span').boundingBox())?.width, 48);
    answer(404);
    await until(page, 'document.images[0].complete');
    await page.emulateMedia({ colorScheme: 'dark' });
    t.is((await page.locator('.shop img').boundingBox())?.width, 0, 'neither icon nor light ground');
    const after = await page.locator('h1').boundingBox();
    t.is(after?.height, waiting?.height);
    const buttonAfter = await page.getByRole('button', { name: desk.t.submitClaim }).boundingBox();
    t.is(buttonAfter?.y, button?.y, 'and so does what is below');
  },
);

test.serial('each kind of logo is drawn, and the next payment asks for it from nobody', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  for (const logo of [pngLogo(256, 128), webpLogo(), jpegLogo()]) {
    await updateBrand(checkout.core, { brand: BRAND, logo, who: 'test' });
    await page.goto(await checkout.create(500));
    await until(page, LOADED);
    await page.goto(await checkout.create(500));
    await until(page, LOADED);
    const transferred =
      "performance.getEntriesByType('resource').find((one) => one.name.includes('/picture/'))";
    t.is(await page.evaluate<number>(`${transferred}.transferSize`), 0);
  }
  await updateBrand(checkout.core, { brand: BRAND, logo: null, who: 'test' });
  await page.goto(await checkout.create(500));
  t.is(await page.locator('header img').count(), 0);
  t.deepEqual(complaints, []);
});

test.serial(
  'the marks of the ways to pay have shapes of their own, also where colours are forced',
  async (t) => {
    const checkout = await openCheckout(t, { everything: true });
    const { page } = await visit(t, await browser(), { ...PHONE, ...ENGLISH, forcedColors: 'active' });
    await page.goto(await checkout.create(500));
    const marks = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('.mark')).map((mark) => {
      const { borderRadius, clipPath, backgroundColor } = getComputedStyle(mark);
      return [borderRadius, clipPath, backgroundColor].join(' ');
    })`,
    );
    t.is(new Set(marks.map((mark) => mark.replace(/ rgb.*/, ''))).size, 8, marks.join('\n'));
    t.is(new Set(marks.map((mark) => mark.replace(/.* rgb/, ''))).size, 8, marks.join('\n'));
  },
);
