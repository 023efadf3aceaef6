/**
 * What must hold of orders, in a shop of stubs as in a real WooCommerce: what is paid is completed once, and
 * nothing else is completed.
 */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { ExecutionContext, TestFn } from 'ava';
import { Webhook } from 'standardwebhooks';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { simulatePayment } from '../../../src/actions/test-payments/simulate-payment.js';
import { newTlsPair, tlsPair } from '../../helpers/network/tls-pair.js';
import type { MakeProgram, ShopPlace } from '../client.js';
import type { Ground, Shop } from '../ground.js';
import type { ShopOrder, Site } from './site.js';

const PRICE = '1250.50';

export interface World {
  readonly ground: Ground;
  readonly shop: Shop;
  readonly site: Site;
  /** Key and webhook secret of the live brand. */
  readonly place: ShopPlace;
}

interface Paid {
  readonly result: string;
  readonly redirect?: string;
  readonly notices: readonly { readonly notice: string }[];
}

interface Made {
  readonly id: number;
  readonly key: string;
}

/** Opens the brand whose shop the site is, and connects the site to it. */
export async function connect(ground: Ground, site: Site, name: string): Promise<World> {
  let place: ShopPlace | undefined;
  const make: MakeProgram = (its) => {
    place = its;
    const ids = new Map<string, number>();
    return {
      taka: PRICE,
      open: async (order) => {
        const { id } = await create(site);
        ids.set(order, id);
        return (await pay(site, id)).redirect ?? '';
      },
      visit: async ({ href }) => void (await site.get(href)),
      hear: async () => 404,
      booked: () => 0,
    };
  };
  const shop = await ground.shop(name, make, {});
  if (place === undefined) throw new Error('the shop has no place');
  const live = { url: ground.daemonUrl, key: place.key, secret: place.secret };
  await setSettings(site, { enabled: 'yes', ...live });
  await site.command('set', { options: { woocommerce_currency: 'BDT' } });
  await site.command('forgetJobs');
  return { ground, shop, site, place };
}

const setSettings = (site: Site, settings: object) =>
  site.command('set', { options: { woocommerce_kashbox_settings: settings } });
const create = (site: Site, total = PRICE, currency = 'BDT') =>
  site.command<Made>('create', { total, currency });
const pay = (site: Site, id: number) => site.command<Paid>('pay', { id });
const orderOf = (site: Site, id: number) => site.command<ShopOrder>('order', { id });

/** An order whose customer is at the payment page. */
async function placed({ site, shop }: World) {
  const made = await create(site);
  const { redirect = '' } = await pay(site, made.id);
  return { ...made, link: redirect, customer: shop.customer(redirect) };
}

/** The customer returns. @returns where the shop leads next */
async function goBack({ site }: World, { customer }: Awaited<ReturnType<typeof placed>>): Promise<string> {
  const address = await customer.wayBack();
  return address === null ? '' : (await site.get(address.href)).location;
}

const lastNote = ({ notes }: ShopOrder) => notes.join('\n');

function isCompletedOnce(t: ExecutionContext<unknown>, order: ShopOrder, transaction: string): void {
  const { status, isPaid, completed, stockTaken } = order;
  t.deepEqual(
    { status, isPaid, completed, stockTaken, transaction: order.transaction },
    {
      ...{ status: 'processing', isPaid: true, completed: 1, stockTaken: true },
      transaction,
    },
  );
  t.is(order.notes.filter((note) => note.includes('bKash') && note.includes(transaction)).length, 1);
}

function isUnpaid(t: ExecutionContext<unknown>, order: ShopOrder, status: string): void {
  t.deepEqual([order.status, order.isPaid, order.completed], [status, false, 0]);
}

/** @returns the address of a server whose certificate nobody trusts */
async function untrusted(t: ExecutionContext<unknown>): Promise<string> {
  const server = createServer(await newTlsPair()).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** @param title before the names of the tests @param world opened by the first of them */
export function declareOrderTests(test: TestFn, title: string, world: () => Promise<World>): void {
  const given = (name: string, run: (t: ExecutionContext<unknown>, world: World) => Promise<void>) =>
    test.serial(`${title}: ${name}`, async (t) => run(t, await world()));

  given('a paid order is completed once, by return, notification and repeats', async (t, at) => {
    const order = await placed(at);
    const trxId = await at.shop.receive(PRICE);
    await order.customer.claim(trxId);
    t.regex(await goBack(at, order), /order-received/);
    t.true((await at.shop.allTold()).every((state) => state === 'DELIVERED'));
    await goBack(at, order);
    t.is((await at.site.command<{ ran: number; next: number[] }>('jobs')).next.length, 0);
    isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
  });

  given(
    'a notification that arrives many times at once, with the customer, completes the order once',
    async (t, at) => {
      const order = await placed(at);
      const trxId = await at.shop.receive(PRICE);
      at.site.setDeaf(true);
      await order.customer.claim(trxId);
      await at.shop.allTold();
      at.site.setDeaf(false);
      const told = at.site.heard.at(-1);
      if (told === undefined) throw new Error('nothing was told');
      const back = (await order.customer.wayBack())?.href ?? '';
      const calls = Array.from({ length: 6 }, (_, at2) =>
        at2 === 2 ? at.site.get(back) : at.site.post(told),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      t.true(
        statuses.every((status) => [200, 302, 503].includes(status)),
        statuses.join(),
      );
      t.is((await at.site.post(told)).status, 200);
      isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
    },
  );

  given('an order is completed by the notification alone if the browser was closed', async (t, at) => {
    const order = await placed(at);
    const trxId = await at.shop.receive(PRICE);
    await order.customer.claim(trxId);
    await at.shop.allTold();
    isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
  });

  given('an order is completed by the job alone if no notification arrives', async (t, at) => {
    const order = await placed(at);
    at.site.setDeaf(true);
    t.teardown(() => at.site.setDeaf(false));
    t.deepEqual((await at.site.command<{ next: number[] }>('jobs')).next, [5]);
    t.deepEqual((await at.site.command<{ next: number[] }>('jobs')).next, [10]);
    t.false(await at.site.command('isCancelled', { id: order.id }));
    const trxId = await at.shop.receive(PRICE);
    await order.customer.claim(trxId);
    await at.shop.allTold();
    t.deepEqual(await at.site.command('jobs'), { ran: 1, next: [] });
    isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
  });

  given('pressing again leads to the same payment, after a cancelled one to another', async (t, at) => {
    const order = await placed(at);
    t.is((await pay(at.site, order.id)).redirect, order.link);
    await order.customer.cancel();
    t.regex(await goBack(at, order), /pay_for_order/);
    await at.shop.allTold();
    const failed = await orderOf(at.site, order.id);
    isUnpaid(t, failed, 'failed');
    t.false(failed.stockTaken);
    const { redirect = '' } = await pay(at.site, order.id);
    t.not(redirect, order.link);
    t.is((await orderOf(at.site, order.id)).status, 'pending');
    const trxId = await at.shop.receive(PRICE);
    await at.shop.customer(redirect).claim(trxId);
    await at.shop.allTold();
    isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
    t.regex((await pay(at.site, order.id)).redirect ?? '', /order-received/);
  });

  given(
    'an invented bank slip puts the order on hold; refused, it fails and gives the stock back',
    async (t, at) => {
      const order = await placed(at);
      await order.customer.bank(`INVENTED ${title}`);
      await at.shop.allTold();
      t.regex(await goBack(at, order), /order-received/);
      const held = await orderOf(at.site, order.id);
      isUnpaid(t, held, 'on-hold');
      t.true(held.stockTaken);
      await at.shop.decide('reject', order.link);
      await at.shop.allTold();
      const refused = await orderOf(at.site, order.id);
      isUnpaid(t, refused, 'failed');
      t.false(refused.stockTaken);
    },
  );

  given('an approved bank slip completes the order', async (t, at) => {
    const order = await placed(at);
    await order.customer.bank(`SLIP ${title}`);
    await at.shop.allTold();
    await at.shop.decide('approve', order.link);
    await at.shop.allTold();
    const { status, completed, stockTaken } = await orderOf(at.site, order.id);
    t.deepEqual([status, completed, stockTaken], ['processing', 1, true]);
  });

  given('another sum than the price is never booked, though an operator accepts it', async (t, at) => {
    const less = await placed(at);
    await t.throwsAsync(less.customer.claim(await at.shop.receive('1240.50')), { message: /422/ });
    await goBack(at, less);
    isUnpaid(t, await orderOf(at.site, less.id), 'pending');

    const more = await placed(at);
    await more.customer.claim(await at.shop.receive('1300.50'));
    await at.shop.allTold();
    isUnpaid(t, await orderOf(at.site, more.id), 'on-hold');
    await at.shop.decide('approve', more.link);
    await at.shop.allTold();
    await goBack(at, more);
    const held = await orderOf(at.site, more.id);
    isUnpaid(t, held, 'on-hold');
    t.is(held.notes.filter((note) => note.includes('1300.50') && note.includes('1250.50')).length, 1);
  });

  given('an order that was changed after its payment was opened is held, not completed', async (t, at) => {
    const order = await placed(at);
    await at.site.command('change', { id: order.id, total: '2250.50' });
    await order.customer.claim(await at.shop.receive(PRICE));
    await goBack(at, order);
    await at.shop.allTold();
    const held = await orderOf(at.site, order.id);
    isUnpaid(t, held, 'on-hold');
    t.is(held.notes.filter((note) => note.includes('2250.50')).length, 1);
  });

  given('the ids of a paid order complete no other', async (t, at) => {
    const first = await placed(at);
    const trxId = await at.shop.receive(PRICE);
    await first.customer.claim(trxId);
    await at.shop.allTold();
    const other = await placed(at);
    await other.customer.claim(trxId).catch(() => {});
    for (const id of [trxId, first.link.slice(-32)]) {
      const said = new URLSearchParams({ transactionId: id, transaction_id: id, status: 'completed' });
      const address = `${at.site.url}/?wc-api=kashbox_return&order=${other.id}&key=${other.key}&${said}`;
      t.regex((await at.site.get(address)).location, /order-received/);
      const wrong = `${at.site.url}/?wc-api=kashbox_return&order=${other.id}&key=${first.key}&${said}`;
      t.notRegex((await at.site.get(wrong)).location, /order-received/);
    }
    isUnpaid(t, await orderOf(at.site, other.id), 'pending');
    isCompletedOnce(t, await orderOf(at.site, first.id), trxId);
  });

  given(
    'only a signed notification is taken, and an unknown order is answered like any other',
    async (t, at) => {
      const order = await placed(at);
      const [payment] = (await orderOf(at.site, order.id)).payments;
      const body = JSON.stringify({
        ...{ event: 'payment.completed', id: 'ntf_1', session_id: payment?.reference, amount: PRICE },
        ...{ transaction_id: 'AAAA', status: 'COMPLETED', meta_data: { order: String(order.id) } },
      });
      const signed = (secret: string, text: string) => {
        const now = new Date();
        return {
          'webhook-id': 'ntf_1',
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign('ntf_1', now, text),
        };
      };
      const wrong = signed('whsec_S2FzaGJveCBleGFtcGxlIHNlY3JldCwgbm90IHJlYWw=', body);
      t.is((await at.site.post({ headers: {}, body })).status, 401);
      t.is((await at.site.post({ headers: wrong, body })).status, 401);
      t.is((await at.site.post({ headers: signed(at.place.secret, body), body: `${body} ` })).status, 401);
      const own = await at.site.post({ headers: signed(at.place.secret, body), body });
      const unknown = body.replace(`"${order.id}"`, '"999999-00000000"');
      const other = await at.site.post({ headers: signed(at.place.secret, unknown), body: unknown });
      t.deepEqual([own.status, own.text], [other.status, other.text]);
      t.is(own.status, 200);
      const form = 'status=completed';
      t.is((await at.site.post({ headers: signed(at.place.secret, form), body: form })).status, 400);
      isUnpaid(t, await orderOf(at.site, order.id), 'pending');
    },
  );

  given('a disputed payment holds its order, which is not completed again', async (t, at) => {
    const order = await placed(at);
    const trxId = await at.shop.receive(PRICE);
    await order.customer.claim(trxId);
    await at.shop.allTold();
    const told = at.site.heard.findLast(({ body }) => body.includes(trxId));
    const body = told?.body.replace('payment.completed', 'payment.disputed') ?? '';
    const now = new Date();
    const headers = {
      'webhook-id': 'ntf_2',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(at.place.secret).sign('ntf_2', now, body),
    };
    for (let count = 0; count < 2; count += 1) t.is((await at.site.post({ headers, body })).status, 200);
    await goBack(at, order);
    const held = await orderOf(at.site, order.id);
    t.deepEqual([held.status, held.completed], ['on-hold', 1]);
    t.is(held.notes.filter((note) => note.includes('disputed')).length, 1);
  });

  given('money for an order that was paid in another way is reported, not booked', async (t, at) => {
    const order = await placed(at);
    await at.site.command('change', { id: order.id, status: 'completed' });
    await order.customer.claim(await at.shop.receive(PRICE));
    await at.shop.allTold();
    await order.customer.cancel().catch(() => {});
    const kept = await orderOf(at.site, order.id);
    t.deepEqual([kept.status, kept.completed], ['completed', 0]);
    t.regex(lastNote(kept), /already paid or closed/);
  });

  given('a refund is recorded with a note that no money was moved', async (t, at) => {
    const order = await placed(at);
    const trxId = await at.shop.receive(PRICE);
    await order.customer.claim(trxId);
    await goBack(at, order);
    t.true(await at.site.command('refund', { id: order.id, amount: PRICE }));
    t.regex(lastNote(await orderOf(at.site, order.id)), new RegExp(`No money was moved.*${trxId}`));
    t.regex(await at.site.command<string>('page', { id: order.id }), /Kashbox cannot send money/);
    await at.shop.allTold();
  });

  given('notes of an order are in the language of the shop', async (t, at) => {
    const language = (locale: string) => at.site.command('set', { options: { kashbox_test_locale: locale } });
    await language('bn_BD');
    const order = await placed(at);
    const trxId = await at.shop.receive(PRICE);
    await order.customer.claim(trxId);
    await at.shop.allTold();
    await language('');
    t.regex(lastNote(await orderOf(at.site, order.id)), new RegExp(`বিকাশ, ট্রানজ্যাকশন আইডি ${trxId}`));
  });

  given('a payment is opened without notifications where Kashbox may not call the shop', async (t, at) => {
    const asked: { attempt: string; webhook: string | undefined }[] = [];
    const fake = createServer(await tlsPair(), async (request, response) => {
      const body = JSON.parse(await textOf(request)) as { readonly webhook_url?: string };
      const attempt = String(request.headers['idempotency-key']);
      asked.push({ attempt, webhook: body.webhook_url });
      const refuse = (status: number, message: string) =>
        response.writeHead(status).end(JSON.stringify({ status: false, message }));
      if (body.webhook_url !== undefined) return void refuse(422, 'The webhook_url may not be private');
      if (asked.length === 2) return void refuse(409, 'This idempotency_key was used for another payment');
      const payment_url = `https://pay.example.com/api/execute/${'a'.repeat(32)}`;
      response.end(JSON.stringify({ status: true, payment_url }));
    }).listen(0, '127.0.0.1');
    t.teardown(() => fake.close());
    await once(fake, 'listening');
    const live = { url: at.ground.daemonUrl, key: at.place.key, secret: at.place.secret };
    const url = `https://127.0.0.1:${(fake.address() as AddressInfo).port}`;
    await setSettings(at.site, { enabled: 'yes', ...live, url });
    const { id } = await create(at.site);
    const { redirect } = await pay(at.site, id);
    await setSettings(at.site, { enabled: 'yes', ...live });
    t.is(redirect, `https://pay.example.com/api/execute/${'a'.repeat(32)}`);
    t.deepEqual(
      asked.map(({ webhook }) => webhook),
      [`${at.site.url}/?wc-api=kashbox`, undefined, undefined],
    );
    t.is(asked[0]?.attempt, asked[1]?.attempt);
    t.not(asked[1]?.attempt, asked[2]?.attempt);
  });

  given('an order in dollars is refused, and a shop in dollars does not offer Kashbox', async (t, at) => {
    const { id } = await create(at.site, '10.99', 'USD');
    const { result, notices } = await pay(at.site, id);
    t.is(result, 'failure');
    t.regex(notices[0]?.notice ?? '', /taka \(BDT\) only/);
    t.deepEqual((await orderOf(at.site, id)).payments, []);
    t.true(await at.site.command('isAvailable'));
    await at.site.command('set', { options: { woocommerce_currency: 'USD' } });
    t.false(await at.site.command('isAvailable'));
    const faults = await at.site.command<string[]>('test', { isTest: false });
    await at.site.command('set', { options: { woocommerce_currency: 'BDT' } });
    t.regex(faults.join('\n'), /currency is USD/);
  });

  given('the connection test says in one sentence what is wrong', async (t, at) => {
    const live = { enabled: 'yes', url: at.ground.daemonUrl, key: at.place.key, secret: at.place.secret };
    const faultsWith = async (change: object) => {
      await setSettings(at.site, { ...live, ...change });
      return at.site.command<string[]>('test', { isTest: false });
    };
    const wrong: [change: object, sentence: RegExp][] = [
      [{ key: `bk_${'a'.repeat(43)}` }, /The Brand Key is not valid at 127\.0\.0\.1/],
      [{ secret: '' }, /connection is not complete/],
      [{ url: at.site.url }, /127\.0\.0\.1 answers, but it is not Kashbox/],
      [{ url: 'https://127.0.0.1:9' }, /127\.0\.0\.1 cannot be reached/],
      [{ url: await untrusted(t) }, /certificate of 127\.0\.0\.1 is not trusted/],
    ];
    for (const [change, sentence] of wrong) {
      const faults = await faultsWith(change);
      t.is(faults.length, 1, faults.join('\n'));
      t.regex(faults[0] ?? '', sentence);
    }
    // A login page in place of Kashbox: the customer is told, and nothing is opened.
    await setSettings(at.site, { ...live, url: at.site.url });
    const { id } = await create(at.site);
    t.is((await pay(at.site, id)).result, 'failure');
    t.deepEqual((await orderOf(at.site, id)).payments, []);
    t.deepEqual(await faultsWith({}), []);
  });

  given('test payments complete orders in test mode, marked, and none outside of it', async (t, at) => {
    const { ground, site } = at;
    const brand = await createBrand(ground.core, {
      merchant: title,
      name: `${title} test`,
      test: true,
      who: 'test',
    });
    const live = { enabled: 'yes', url: ground.daemonUrl, key: at.place.key, secret: at.place.secret };
    const test_ = {
      test_url: ground.daemonUrl,
      test_key: brand.brand_key,
      test_secret: brand.webhook_secret,
    };
    await setSettings(site, { ...live, ...test_, testmode: 'yes' });
    t.deepEqual(await site.command('test', { isTest: true }), []);
    const simulate = (link: string) =>
      simulatePayment(ground.core, { payment: link.slice(-32), play: 'exact', who: 'test' });

    const order = await placed(at);
    await simulate(order.link);
    await goBack(at, order);
    const marked = await orderOf(site, order.id);
    t.deepEqual([marked.status, marked.completed], ['processing', 1]);
    t.regex(lastNote(marked), /THIS IS A TEST/);

    const late = await placed(at);
    await setSettings(site, { ...live, ...test_ });
    await simulate(late.link);
    await goBack(at, late);
    const kept = await orderOf(site, late.id);
    isUnpaid(t, kept, 'pending');
    t.regex(lastNote(kept), /not in test mode/);
  });

  given('a connection code fills the settings, and no secret is printed', async (t, at) => {
    const live = { url: at.ground.daemonUrl, key: at.place.key, secret: at.place.secret };
    const codeOf = (parts: object) => `kashbox1.${Buffer.from(JSON.stringify(parts)).toString('base64url')}`;
    const save = (fields: object) =>
      at.site.command<{ settings: Record<string, string>; html: string; errors: string[] }>('save', {
        fields,
      });
    await setSettings(at.site, {});
    const code = codeOf(live);
    const saved = await save({
      enabled: '1',
      code: ` ${code.slice(0, 30)}\r\n ${code.slice(30)}\u00a0\n`,
      title: 'Pay',
    });
    t.like(saved.settings, { ...live, enabled: 'yes', title: 'Pay', code: '' });
    t.deepEqual(saved.errors, []);
    const again = await save({ enabled: '1', url: live.url, key: '', secret: '', code: code.slice(0, -20) });
    t.like(again.settings, live);
    t.regex(again.errors.join(), /not a whole connection code/);
    t.regex((await save({ url: live.url, key: 'test_abc' })).errors.join(), /must begin with bk_/);
    const tested = await save({ url: live.url, code: codeOf({ ...live, key: 'test_abc' }) });
    t.like(tested.settings, { ...live, test_url: live.url, test_key: 'test_abc', test_secret: live.secret });
    for (const { html } of [saved, again, tested]) {
      for (const part of [live.key, live.secret, code]) t.false(html.includes(part));
      t.true(html.includes('?wc-api=kashbox'));
    }
    await setSettings(at.site, { enabled: 'yes', ...live });
  });
}
