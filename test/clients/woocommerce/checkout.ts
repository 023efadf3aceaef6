/** A real WooCommerce in Chromium: a customer buys in its checkouts, a shopkeeper refunds on an order. */
import type { Browser, Page } from 'playwright-core';
import { visitAlone } from '../../helpers/browser/browser.js';
import { allowRefunds, PAYER } from './refunds.js';
import { orderOf, PRICE, paid, type Scenario } from './world.js';

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

export const shopkeeper = (browser: () => Promise<Browser>): Scenario => [
  'the page of an order requests a refund with restock, and shows what was sent since, without a notification',
  async (t, at) => {
    const { site, shop } = at;
    await allowRefunds(t, at);
    const { order } = await paid(at);
    t.is(await site.command('stock', order), 4);
    const { context, page } = await visitAlone(t, await browser(), { ignoreHTTPSErrors: true });
    page.on('dialog', (dialog) => dialog.accept());
    const data = { do: 'logIn', id: order.id };
    const address = await (await context.request.post(`${site.url}/?kashbox_driver=1`, { data })).json();
    await page.goto(address);
    await page.click('button.refund-items');
    await page.fill('input.refund_order_item_qty', '1');
    await page.locator('input.refund_order_item_qty').blur();
    t.is(await page.inputValue('#refund_amount'), PRICE);
    await page.click('button.do-api-refund');
    await page.waitForSelector('text=/is requested.*send exactly this sum, once, to/');
    t.is(await site.command('stock', order), 5);
    site.setDeaf(true);
    t.teardown(() => site.setDeaf(false));
    const trxId = await shop.send(PRICE, PAYER);
    await shop.allTold();
    await page.goto(address);
    await page.waitForSelector(`text=sent back by bKash, transaction id ${trxId}`);
    t.deepEqual((await orderOf(site, order.id)).refunds, [PRICE]);
  },
];
