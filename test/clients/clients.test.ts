/**
 * Other people's shop programs against a real daemon: what is paid is booked once, and nothing else is
 * booked, with the settings of the program, with none, and where PHP once took `true` for paid.
 */
import test, { type ExecutionContext } from 'ava';
import type { BrandProfile } from '../../src/actions/brands/brand-parts.js';
import { PLUGIN_NAMES, type PluginName } from '../../src/domain/plugins/plugins.js';
import type { MakeProgram } from './client.js';
import { type Ground, openGround, type Shop } from './ground.js';
import { drutopaySmm, genericPhp, turbopayWooCommerce } from './returning.js';
import { rupantorpayFastapi, rupantorpayLaravel, rupantorpaySmm } from './rupantorpay.js';
import { sohojpayJs, sohojpayPhp, sohojpaySmm, sohojpayWhmcs, sohojpayWooCommerce } from './sohojpay.js';
import { nagorikpay, openapi, standardWebhooks } from './strict.js';

const PROGRAMS: Readonly<Record<PluginName, MakeProgram>> = {
  'sohojpay-whmcs': sohojpayWhmcs,
  'sohojpay-woocommerce': sohojpayWooCommerce,
  'sohojpay-smm': sohojpaySmm,
  'sohojpay-php': sohojpayPhp,
  'sohojpay-js': sohojpayJs,
  'drutopay-smm': drutopaySmm,
  'turbopay-woocommerce': turbopayWooCommerce,
  'rupantorpay-fastapi': rupantorpayFastapi,
  'rupantorpay-smm': rupantorpaySmm,
  'rupantorpay-laravel': rupantorpayLaravel,
  nagorikpay,
  'standard-webhooks': standardWebhooks,
  openapi,
  generic: genericPhp,
};

/** What became of the one notification of a payment where it is not delivered: docs/plugins.md says why. */
const ANSWERS: Readonly<Partial<Record<PluginName, readonly string[]>>> = {
  'turbopay-woocommerce': [],
  'sohojpay-smm': ['DUE'],
  'drutopay-smm': ['DUE'],
  'rupantorpay-smm': ['DUE'],
};

let ground: Ground;
test.before('a daemon, PHP and the shops’ servers are started', async () => {
  ground = await openGround();
});
test.after.always('and ended', () => ground.close());

/** The last is an order that a program could not tell. */
const UNPAID = ['cancelled', 'slip', 'overpaid', 'forged', ''];

/** Everything that is no payment: nothing of it may be booked, whatever the settings. */
async function unpaid(t: ExecutionContext<unknown>, shop: Shop): Promise<void> {
  const cancelled = await shop.order('cancelled');
  await cancelled.customer.cancel();
  await shop.goBack(cancelled.customer);

  const slip = await shop.order('slip');
  await slip.customer.bank('INVENTED 1');
  await shop.goBack(slip.customer);

  const overpaid = await shop.order('overpaid');
  const more = (Number(shop.program.taka) + 100).toFixed(2);
  await overpaid.customer.claim(await shop.receive(more));
  await shop.goBack(overpaid.customer);

  const forged = await shop.order('forged');
  await forged.customer.claim('ZZZZZZZZZZ');
  await forge(shop, forged.link, slip.customer);

  await shop.allTold();
  for (const order of UNPAID) t.is(shop.program.booked(order), 0, order);
}

/** Somebody writes the address of the thank-you page, or a notification, with an open payment's reference. */
async function forge(
  { program }: Shop,
  link: string,
  other: { wayBack(): Promise<URL | null> },
): Promise<void> {
  const address = (await other.wayBack())?.href.replaceAll('slip', 'forged') ?? '';
  const url = new URL(address);
  const told = {
    paymentMethod: 'mfs_a',
    transactionId: link.slice(-32),
    transaction_id: link.slice(-32),
    paymentAmount: program.taka,
    paymentFee: '0.00',
    status: 'completed',
  };
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
  await program.visit(url);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await program.hear({ url, headers, body: new URLSearchParams(told).toString() });
}

/** @returns what became of the notifications. */
async function pay(shop: Shop): Promise<readonly string[]> {
  const paid = await shop.order('paid');
  await paid.customer.claim(await shop.receive(shop.program.taka));
  await shop.goBack(paid.customer);
  return shop.allTold();
}

for (const name of PLUGIN_NAMES) {
  test(`${name}: with its settings what is paid is booked once, what is approved later, too, and nothing else`, async (t) => {
    const shop = await ground.shop(name, PROGRAMS[name], { plugin: name });
    t.deepEqual(await pay(shop), ANSWERS[name] ?? ['DELIVERED']);
    t.is(shop.program.booked('paid'), 1);
    await unpaid(t, shop);

    const doubtful = await shop.order('doubtful');
    await doubtful.customer.claim(await shop.receive((Number(shop.program.taka) + 50).toFixed(2)));
    await shop.goBack(doubtful.customer);
    await shop.allTold();
    t.is(shop.program.booked('doubtful'), 0);
    await shop.decide('approve', doubtful.link);
    await shop.goBack(doubtful.customer);
    await shop.allTold();
    t.is(shop.program.booked('doubtful'), 1);
    t.is(shop.program.booked('paid'), 1);
    for (const order of UNPAID) t.is(shop.program.booked(order), 0, order);
  });

  const others: [settings: string, profile: BrandProfile][] = [
    ['without any settings', {}],
    ['notified by form beside the dialect standard', { webhookFormat: 'form', dialect: 'standard' }],
    ['notified by form alone', { webhookFormat: 'form' }],
  ];
  for (const [number, [settings, profile]] of others.entries()) {
    test(`${name}: ${settings} nothing unpaid is booked, and what is paid not twice`, async (t) => {
      const shop = await ground.shop(`${name}-${number}`, PROGRAMS[name], profile);
      await pay(shop);
      t.true(shop.program.booked('paid') <= 1);
      await unpaid(t, shop);
      await shop.decide('reject');
      await shop.allTold();
      for (const order of UNPAID) t.is(shop.program.booked(order), 0, order);
    });
  }
}
