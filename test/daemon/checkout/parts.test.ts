/** The page of a payment that comes in parts, and of an advance; what a shop sends to open them. */
import test, { type ExecutionContext } from 'ava';
import { linkCard } from '../../../daemon/checkout/link-page.js';
import { BN } from '../../../daemon/checkout/texts/bn.js';
import { EN } from '../../../daemon/checkout/texts/en.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { loadLink } from '../../../src/actions/links/open-link-payment.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { openBank } from '../../helpers/shop/bank.js';
import { addBank, hostedOrder } from '../../helpers/shop/hosted.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';
import { CREATE, HOSTED_CREATE, refusal } from '../api.js';
import { form, ORDER } from '../hosted/orders.js';
import { openBrowser, openCheckout, PAGES, stateOf } from './browser.js';
import { openLinks, target } from './link-page.js';

/** A shop whose payments may come in parts, with a code and a bank account, and one payment of 500.00. */
async function openParts(...args: Parameters<typeof openCheckout>) {
  const checkout = await openCheckout(...args);
  const { core, shop, clock, browser } = checkout;
  await addBank(core, shop.brand.name);
  await openBank(core, shop);
  await updateBrand(core, { brand: shop.brand.name, parts: 'on', who: 'test' });
  const id = await hostedOrder(core, shop.brand.name, 50_000);
  const page = `${PAGES}/${id}`;
  const pay = async (n: number, taka: string) => {
    const trxId = bkashId(clock.now(), n);
    await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
    await shop.receive(bkashText({ taka, trxId, at: clock.now() }));
    return trxId;
  };
  const english = async (by = browser) => (await by.visit(`${page}?lang=en`)).body;
  return { ...checkout, id, page, pay, english };
}

const says = (t: ExecutionContext<unknown>, body: string, ...texts: readonly string[]) => {
  for (const text of texts) t.true(body.includes(text), text);
};
const saysNot = (t: ExecutionContext<unknown>, body: string, ...texts: readonly string[]) => {
  for (const text of texts) t.false(body.includes(text), text);
};

for (const engine of engines) {
  test(`on ${engine}, after a part the page shows the rest, by wallet and bank alone`, async (t) => {
    const { app, browser, core, id, page, pay, english } = await openParts(t, { engine });
    const before = await english();
    says(t, before, EN.parts.may, EN.code.name, 'data-copy="500.00"', EN.cancelText);
    const first = await pay(1, '300.00');
    t.deepEqual((await browser.visit(`${page}/state`)).json(), { state: 'open 1' });

    const after = await english();
    says(t, after, 'data-state="open 1"', EN.parts.arrived.title, EN.parts.due, EN.parts.choose);
    says(t, after, EN.parts.soFar('৳ 300.00', '৳ 500.00'), `…${first.slice(-4)}`, EN.channels.bank);
    says(t, after, 'data-copy="200.00"', EN.parts.cancelText('৳ 300.00'));
    saysNot(t, after, 'data-copy="500.00"', EN.code.name, EN.parts.may, first);
    t.is((await browser.visit(`${page}/qr/qr_interbank/qr`)).statusCode, 404);
    const stranger = await english(openBrowser(app));
    says(t, stranger, EN.parts.soFar('৳ 300.00', '৳ 500.00'));
    saysNot(t, stranger, `…${first.slice(-4)}`);

    const second = await pay(2, '200.00');
    t.is(stateOf(await browser.visit(page)), 'completed');
    const done = await english();
    says(t, done, `…${first.slice(-4)}`, second, '৳ 300.00', '৳ 200.00', '৳ 500.00');
    saysNot(t, await english(openBrowser(app)), `…${first.slice(-4)}`, second);
    t.like(await showPayment(core, id), {
      status: 'COMPLETED',
      takes_parts: true,
      paid: '500.00',
      due: null,
    });
    t.deepEqual(
      (await showPayment(core, id)).parts.map(({ transaction_id, amount }) => [transaction_id, amount]),
      [
        [first, '300.00'],
        [second, '200.00'],
      ],
    );
  });
}

test('the payer of any part is the payer, and a refused id does not hide what was paid', async (t) => {
  const { app, shop, clock, core, browser, id, page, pay, english } = await openParts(t);
  const first = await pay(1, '300.00');
  const late = bkashId(clock.now() - 30 * 3_600_000, 7);
  await shop.receive(bkashText({ taka: '200.00', trxId: late, at: clock.now() - 30 * 3_600_000 }));
  const refused = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: late });
  t.is(refused.statusCode, 422);
  says(t, await english(), EN.parts.arrived.title, `…${first.slice(-4)}`);
  t.like(await showPayment(core, id), { status: 'PENDING', paid: '300.00', due: '200.00' });
  const other = openBrowser(app);
  const second = bkashId(clock.now(), 2);
  await other.submit(page, 'claim', { method: 'mfs_a', transaction_id: second });
  await shop.receive(bkashText({ taka: '200.00', trxId: second, at: clock.now() }));
  for (const by of [browser, other]) says(t, await english(by), second, `…${first.slice(-4)}`);
});

test('after the time is over the page says what was paid, and later what was returned', async (t) => {
  const { clock, core, id, page, browser, pay, english } = await openParts(t);
  await pay(1, '300.00');
  clock.advance(24 * 3_600_000);
  const over = await english();
  says(t, over, 'data-state="expired"', EN.parts.kept('৳ 300.00'));
  says(t, (await browser.visit(`${page}?lang=bn`)).body, BN.parts.kept('৳ ৩০০.০০'));
  const returned = (paisa: number) =>
    core.store.write((db) =>
      db.query.updateTable('sessions').set({ refunded_paisa: paisa }).where('id', '=', id).execute(),
    );
  await returned(10_000);
  says(t, await english(), EN.parts.kept('৳ 200.00'), EN.refunded('৳ 100.00'));
  await returned(30_000);
  const all = await english();
  says(t, all, EN.refunded('৳ 300.00'));
  saysNot(t, all, EN.parts.kept('৳ 0.00'), EN.parts.kept('৳ 300.00'));
});

test('a payment that does not take parts has none of these texts', async (t) => {
  const { browser, open } = await openCheckout(t);
  const { body } = await browser.visit(`${await open()}?lang=en`);
  saysNot(t, body, EN.parts.may, EN.parts.due, EN.advance.toPay);
});

test('both creates take parts and an advance, in every form of a body; lines are of the order', async (t) => {
  const { call, core } = await openCheckout(t);
  const items = [{ name: 'Sofa', price: '1000.01' }];
  const order = { amount: 200, parts: true, due_on_delivery: 800.01, items };
  const texts = { amount: '200', parts: 'on', due_on_delivery: '800.01', items: JSON.stringify(items) };
  const kept = async () =>
    core.store.write(async (db) => {
      const row = await db.query
        .selectFrom('sessions')
        .select(['amount_paisa', 'takes_parts', 'delivery_paisa'])
        .executeTakeFirstOrThrow();
      await db.query.deleteFrom('sessions').execute();
      return Object.values(row);
    });
  for (const [path, sent] of [
    [HOSTED_CREATE, { body: { ...ORDER, ...order } }],
    [HOSTED_CREATE, form({ ...ORDER, ...texts })],
    [CREATE, { body: { cus_name: 'Rahima', ...order } }],
    [CREATE, form({ cus_name: 'Rahima', ...texts })],
  ] as const) {
    t.is((await call(path, sent)).statusCode, 200);
    t.deepEqual(await kept(), [20_000, 1, 80_001]);
  }
  const brand = (await core.store.read((db) => db.query.selectFrom('brands').selectAll().execute()))[0];
  await updateBrand(core, { brand: brand?.name ?? '', parts: 'on', who: 'test' });
  await call(HOSTED_CREATE, { body: { ...ORDER, parts: false } });
  t.deepEqual(await kept(), [50_000, 0, 0], 'off, whatever the brand says');
  await call(HOSTED_CREATE, { body: ORDER });
  t.deepEqual(await kept(), [50_000, 1, 0]);
  for (const [change, message] of [
    [{ parts: 'maybe' }, /^422 The parts must be true or false$/],
    [{ due_on_delivery: '800.001' }, /^422 /],
    [{ due_on_delivery: 1_000_001 }, /^422 /],
    [{ due_on_delivery: -1 }, /^422 /],
    [
      { ...order, due_on_delivery: 800 },
      /^400 The items add up to 1000.01 taka, but amount and due_on_delivery together are 1000.00/,
    ],
  ] as const) {
    t.regex(refusal(await call(HOSTED_CREATE, { body: { ...ORDER, ...change } })), message);
  }
});

test('an advance is shown on the page of its link, on the payment, and when it is paid', async (t) => {
  const { core, browser, shop, clock, create, press } = await openLinks(t);
  const link = await create({ title: 'Sofa', amount: '1000', advance: '200', parts: true });
  t.like(link, { amount: '200.00', due_on_delivery: '800.00', parts: true });
  const onDelivery = EN.advance.onDelivery('৳\u00a0800.00', '৳\u00a01,000.00');
  says(t, (await browser.visit(`${link.path}?lang=en`)).body, EN.advance.toPay, onDelivery, EN.parts.may);
  const loaded = await loadLink(core, link.id);
  t.is(loaded === null ? null : linkCard(loaded, 'en').amount, 'Advance ৳ 200');
  const page = target(await press(link.path));
  const open = await browser.visit(`${page}?lang=en`);
  says(t, open.body, EN.advance.toPay, onDelivery, 'data-copy="200.00"');
  const trxId = bkashId(clock.now(), 1);
  await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  await shop.receive(bkashText({ taka: '200.00', trxId, at: clock.now() }));
  says(t, (await browser.visit(`${page}?lang=en`)).body, onDelivery, EN.link.thanks('Alo Store').title);
  t.like(await showPayment(core, page.slice(-32)), {
    ...{ status: 'COMPLETED', amount: '200.00', due_on_delivery: '800.00', takes_parts: true },
  });
  await t.throwsAsync(create({ amount: '1000', advance: '1000' }), { message: /advance must be/ });
  await t.throwsAsync(create({ amount: undefined, min: '1', max: '9', advance: '2' }), {
    message: /advance needs a fixed amount/,
  });
  await t.throwsAsync(create({ amount: '1000', advance: '200', quantity: 3 }), {
    message: /quantity does not go with an advance/,
  });
});

test('a counter display takes an advance and no parts', async (t) => {
  const { browser, core, create, press } = await openLinks(t);
  await t.throwsAsync(create({ display: true, parts: true }), { message: /counter display has no/ });
  const made = await create({ display: true, amount: '1000', advance: '200' });
  await updateBrand(core, { brand: made.brand, parts: 'on', who: 'test' });
  const path = new URL(made.display_url ?? '').pathname;
  await press(`${path}/show`, { token: await browser.tokenOf(path) });
  says(
    t,
    (await browser.visit(`${path}?lang=en`)).body,
    EN.advance.onDelivery('৳\u00a0800.00', '৳\u00a01,000.00'),
  );
  const [row] = await core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());
  t.like(row, { amount_paisa: 20_000, delivery_paisa: 80_000, takes_parts: 0 });
});
