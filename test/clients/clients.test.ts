/**
 * Other people's shop programs against a real daemon: what is paid is booked once, and nothing else is
 * booked, with the settings of the program, with none, and where PHP once took `true` for paid.
 */
import test, { type ExecutionContext } from 'ava';
import type { BrandProfile } from '../../src/actions/brands/change-brand.js';
import { PLUGIN_NAMES, PLUGINS, type PluginName } from '../../src/domain/plugins/plugins.js';
import { isSoak } from '../helpers/tiers.js';
import { DEAR, type MakeProgram, requestOf } from './client.js';
import { type Ground, openGround, type Shop } from './ground.js';
import { creditsUnseen, drutopaySmm, genericPhp, turbopayWooCommerce } from './returning.js';
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
  'sohojpay-smm': ['PENDING'],
  'drutopay-smm': ['PENDING'],
  'rupantorpay-smm': ['PENDING'],
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
  // Where the page does not lead to the order, they can only guess.
  const address =
    (await other.wayBack())?.href.replaceAll('slip', 'forged') ?? 'https://shop.example/?order_id=forged';
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

/**
 * Somebody who has paid one order puts all that he has seen of its payment into the way back of a dearer
 * order, and into what its shop is told: as the published program builds the addresses, and, where the page
 * leads there, by the very address of that order.
 * @param paid name and link of the paid order, and the id that the customer's wallet gave.
 */
async function putIntoAnother(
  shop: Shop,
  paid: { readonly name: string; readonly link: string; readonly trxId: string; readonly back: URL | null },
  name: string,
): Promise<void> {
  const { program } = shop;
  const other = await shop.order(name);
  await other.customer.bank(`INVENTED ${name}`);
  const own = await other.customer.wayBack();
  const built = new URL(paid.back?.href.replaceAll(paid.name, name) ?? 'https://shop.example/');
  const ids = [paid.trxId, paid.link.slice(-32), paid.back?.searchParams.get('transactionId') ?? ''];
  for (const id of ids) {
    const said = { transactionId: id, transaction_id: id, status: 'completed' };
    for (const address of [built, own ?? built]) {
      const url = new URL(address);
      for (const [field, value] of Object.entries(said)) url.searchParams.set(field, value);
      await program.visit(url);
    }
    const told = shop.heard.find((one) => one.url.href.includes(paid.name) || one.body.includes(paid.name));
    if (told === undefined) continue;
    const url = new URL(told.url.href.replaceAll(paid.name, name));
    const body = new URLSearchParams({ ...requestOf(told), ...said }).toString().replaceAll(paid.name, name);
    await program.hear({ ...told, url, body });
  }
}

/** @returns what became of the notifications. */
async function pay(shop: Shop): Promise<readonly string[]> {
  const paid = await shop.order('paid');
  await paid.customer.claim(await shop.receive(shop.program.taka));
  await shop.goBack(paid.customer);
  return shop.allTold();
}

/** What is around a library decides; docs/plugins.md says so. */
const BINDING = PLUGIN_NAMES.filter((name) => PLUGINS[name].binds !== 'shop');

for (const name of BINDING) {
  test(`${name}: with its settings a paid id books its own order once, and no dearer one`, async (t) => {
    const shop = await ground.shop(`${name}-ids`, PROGRAMS[name], { plugin: name });
    const first = await shop.order('first');
    const firstId = await shop.receive(shop.program.taka);
    await first.customer.claim(firstId);
    const firstBack = await first.customer.wayBack();
    await shop.goBack(first.customer);
    await shop.allTold();
    await putIntoAnother(
      shop,
      { name: 'first', link: first.link, trxId: firstId, back: firstBack },
      `replayed-${DEAR}`,
    );

    // This one never comes back by himself: what he has paid is spent on the other order at once.
    const cheap = await shop.order('cheap');
    const cheapId = await shop.receive(shop.program.taka);
    await cheap.customer.claim(cheapId);
    const cheapBack = await cheap.customer.wayBack();
    await putIntoAnother(
      shop,
      { name: 'cheap', link: cheap.link, trxId: cheapId, back: cheapBack },
      `underpaid-${DEAR}`,
    );
    await shop.allTold();
    await putIntoAnother(
      shop,
      { name: 'cheap', link: cheap.link, trxId: cheapId, back: cheapBack },
      `late-${DEAR}`,
    );
    await shop.goBack(cheap.customer);
    await shop.goBack(first.customer);

    for (const trick of ['replayed', 'underpaid', 'late'])
      t.is(shop.program.booked(`${trick}-${DEAR}`), 0, trick);
    for (const paid of ['first', 'cheap']) t.is(shop.program.booked(paid), 1, paid);
  });
}

const UNSEEN: [settings: string, profile: BrandProfile][] = [
  ['drutopay-smm', { plugin: 'drutopay-smm' }],
  ['generic with its meta data as a text', { plugin: 'generic', metadataAs: 'string' }],
];
for (const [number, [settings, profile]] of UNSEEN.entries()) {
  test(`${settings}: a program that never reads the status credits what is paid, and nothing else`, async (t) => {
    const shop = await ground.shop(`unseen-${number}`, creditsUnseen, profile);
    await pay(shop);
    t.is(shop.program.booked('paid'), 1);
    await unpaid(t, shop);
  });
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

  // The settings of the program are what a shop is told to take.
  const others: [settings: string, profile: BrandProfile][] = !isSoak
    ? []
    : [
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
