/** A customer buys in the checkouts of a real WooCommerce, in Chromium, and pays. */
import type { Browser, Page } from 'playwright-core';
import { visitAlone } from '../../helpers/browser/browser.js';
import { orderOf, type Scenario } from './world.js';

/** By the end of the field's id, which begins with `billing-` or `billing_`. */
const FIELDS = {
  first_name: 'Rahima',
  last_name: 'Begum',
  address_1: 'House 1',
  city: 'Dhaka',
  postcode: '1207',
  phone: '01711000009',
};

async function fillIn(page: Page, email: string): Promise<void> {
  await page.fill(email, 'rahima@example.com');
  for (const [name, text] of Object.entries(FIELDS)) {
    const field = page.locator(`#billing-${name}, #billing_${name}`);
    if ((await field.count()) > 0) await field.fill(text);
  }
}

const KINDS = [
  ['block', '#email', 'button:has-text("Place Order")'],
  ['classic', '#billing_email', '#place_order'],
] as const;

export const checkouts = (browser: () => Promise<Browser>): readonly Scenario[] =>
  KINDS.map(([kind, email, button]) => [
    `the ${kind} checkout leads to the payment page, and the paid order is completed`,
    async (t, { site, shop }) => {
      const pages = await site.command<{ cart: string; block: string; classic: string }>('sell', {
        price: '500',
      });
      const { page } = await visitAlone(t, await browser(), { ignoreHTTPSErrors: true });
      await page.goto(pages.cart);
      await page.goto(pages[kind]);
      await page.waitForSelector('text=bKash, Nagad, Rocket, Upay');
      await fillIn(page, email);
      await page.click(button);
      await page.waitForURL(/\/api\/execute\/[0-9a-f]{32}/, { waitUntil: 'commit' });
      const customer = shop.customer(page.url());
      const trxId = await shop.receive('500.00');
      await customer.claim(trxId);
      await page.goto((await customer.wayBack())?.href ?? '');
      t.regex(page.url(), /order-received/);
      await shop.allTold();
      const { transaction, completed } = await orderOf(site, await site.command('lastOrder'));
      t.deepEqual({ transaction, completed }, { transaction: trxId, completed: 1 });
    },
  ]);
