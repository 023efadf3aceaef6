/** A developer of a shop tries the page of a test brand: no phone, no SIM, no money. */
import test from 'ava';
import { createBrand } from '../../src/actions/brands/create-brand.js';
import { BANGLA, browserOf, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { reader } from '../helpers/browser/checkout-page.js';
import { BRAND, openCheckout } from '../helpers/shop/checkout.js';
import { variants } from '../helpers/tiers.js';

const browser = browserOf(test);

async function openTestShop(t: Parameters<typeof openCheckout>[0] & { deepEqual: unknown }) {
  const checkout = await openCheckout(t);
  const made = await createBrand(checkout.core, { merchant: BRAND, name: 'Try it', test: true, who: 'test' });
  const create = async (amount: number) => {
    const { body } = await checkout.daemon().post(
      '/api/payment/create',
      { 'brand-key': made.brand_key },
      {
        amount,
        success_url: `${checkout.site.url}/paid?order=7`,
        cancel_url: `${checkout.site.url}/cart`,
      },
    );
    return body as { readonly payment_url: string; readonly test?: boolean };
  };
  return { ...checkout, create };
}

for (const [language, device] of variants([
  ['bn', BANGLA],
  ['en', ENGLISH],
] as const)) {
  test.serial(`a press plays the wallet, and the shop has its customer back (${language})`, async (t) => {
    const { create, site } = await openTestShop(t);
    const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...device });
    const { t: texts, ...desk } = reader(page, language);
    for (const [at, channel] of (['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d'] as const).entries()) {
      const { payment_url: link, test: isTest } = await create(1_250);
      t.true(isTest);
      await page.goto(link);
      t.true(await page.getByText(texts.played.band).isVisible());
      await desk.summary(channel).click();
      await page.getByRole('button', { name: texts.played.button(texts.channels[channel]) }).click();
      await desk.says(texts.completed.fresh.title);
      t.true(await page.getByText(texts.played.band).isVisible());
      await page.waitForURL(`${site.url}/paid**`);
      t.is(site.returns.length, at + 1);
      const told = Object.fromEntries(site.returns.at(-1)?.query ?? []);
      t.like(told, { order: '7', status: 'completed', paymentMethod: channel, paymentAmount: '1250.00' });
    }
    t.deepEqual(complaints, []);
  });
}

test.serial('too little money is named on the page, and the right sum pays afterwards', async (t) => {
  const { create, site } = await openTestShop(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const { t: texts, ...desk } = reader(page, 'en');
  await page.goto((await create(800)).payment_url);
  await desk.summary('mfs_a').click();
  const card = page.locator('details[open]');
  await card.getByLabel(texts.played.label).selectOption(texts.played.choices.less);
  await card.getByRole('button', { name: texts.played.button(texts.channels.mfs_a) }).click();
  await page.getByText(texts.came('৳ 790.00', '৳ 800.00')).first().waitFor();
  await card.getByRole('button', { name: texts.played.button(texts.channels.mfs_a) }).click();
  await page.waitForURL(`${site.url}/paid**`);
  t.deepEqual(complaints, []);
});
