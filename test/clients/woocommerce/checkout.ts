/** A customer buys in the checkout block of a real WooCommerce, in Chromium, and pays. */
import type { Browser } from 'playwright-core';
import { visitAlone } from '../../helpers/browser/browser.js';
import { orderOf, type Scenario } from './world.js';

const FIELDS = {
  email: 'rahima@example.com',
  'billing-first_name': 'Rahima',
  'billing-last_name': 'Begum',
  'billing-address_1': 'House 1',
  'billing-city': 'Dhaka',
  'billing-postcode': '1207',
  'billing-phone': '01711000009',
};

export const checkoutBlock = (browser: () => Promise<Browser>): Scenario => [
  'the checkout block leads to the payment page, and the paid order is completed',
  async (t, { site, shop }) => {
    const { cart, checkout } = await site.command<{ cart: string; checkout: string }>('sell', {
      price: '500',
    });
    const { page } = await visitAlone(t, await browser(), { ignoreHTTPSErrors: true });
    await page.goto(cart);
    await page.goto(checkout);
    await page.waitForSelector('#email');
    await page.waitForSelector('text=bKash, Nagad, Rocket, Upay');
    for (const [id, text] of Object.entries(FIELDS)) {
      const field = page.locator(`#${id}`);
      if ((await field.count()) > 0) await field.fill(text);
    }
    await page.click('button:has-text("Place Order")');
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
];
