/** A customer buys in the checkout block of a real WooCommerce, in Chromium, and pays. */
import type { ExecutionContext, TestFn } from 'ava';
import { browserOf, visitAlone } from '../../helpers/browser/browser.js';
import type { World } from './orders.js';
import type { ShopOrder } from './site.js';

const FIELDS = {
  email: 'rahima@example.com',
  'billing-first_name': 'Rahima',
  'billing-last_name': 'Begum',
  'billing-address_1': 'House 1',
  'billing-city': 'Dhaka',
  'billing-postcode': '1207',
  'billing-phone': '01711000009',
};

export function declareCheckoutTest(test: TestFn, title: string, world: () => Promise<World>): void {
  const browser = browserOf(test);
  test.serial(
    `${title}: the checkout block leads to the payment page, and the paid order is completed`,
    async (t: ExecutionContext) => {
      const { site, shop } = await world();
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
      const link = page.url();
      const trxId = await shop.receive('500.00');
      await shop.customer(link).claim(trxId);
      const back = await shop.customer(link).wayBack();
      await page.goto(back?.href ?? '');
      t.regex(page.url(), /order-received|order_received/);
      await shop.allTold();
      const id = await site.command<number>('lastOrder');
      const { transaction, completed } = await site.command<ShopOrder>('order', { id });
      t.deepEqual({ transaction, completed }, { transaction: trxId, completed: 1 });
    },
  );
}
