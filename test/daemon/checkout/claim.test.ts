/** A customer gives a transaction id on the checkout page. */
import test from 'ava';
import { EN } from '../../../daemon/checkout/texts/en.js';
import { openBank, PAYER } from '../../helpers/shop/bank.js';
import { rows } from '../../helpers/shop/scene.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { openBrowser, openCheckout } from './browser.js';

test('an id whose SMS has arrived completes the payment, and the page returns it to the shop', async (t) => {
  const { browser, open, shop, clock } = await openCheckout(t);
  const page = await open();
  const trxId = bkashId(clock.now(), 1);
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  const answer = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  t.is(answer.statusCode, 303);
  t.is(answer.headers.location, `${page}?now=1`);
  const done = await browser.visit(`${page}?now=1`);
  t.is(done.statusCode, 200);
  const query = `paymentMethod=mfs_a&amp;transactionId=${trxId}&amp;paymentAmount=500.00&amp;paymentFee=0.00&amp;status=completed`;
  t.true(done.body.includes(`content="5;url=https://shop.example.com/done?order=7&amp;${query}"`));
});

test('an id whose SMS is not here yet waits, and settles by itself when it comes', async (t) => {
  const { browser, open, shop, clock } = await openCheckout(t);
  const page = await open();
  const trxId = bkashId(clock.now(), 1);
  const answer = await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  t.is(answer.headers.location, page);
  t.deepEqual((await browser.visit(`${page}/state`)).json(), { state: 'waiting' });
  t.true((await browser.visit(page)).body.includes(trxId));
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  t.deepEqual((await browser.visit(`${page}/state`)).json(), { state: 'completed' });
});

test('a customer who gave two ids is the payer, whichever is paid', async (t) => {
  for (const paid of [1, 2]) {
    const { browser, open, shop, clock } = await openCheckout(t);
    const page = await open();
    for (const n of [1, 2]) {
      const transaction_id = bkashId(clock.now(), n);
      await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id });
    }
    const trxId = bkashId(clock.now(), paid);
    await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
    t.true((await browser.visit(`${page}?now=1`)).body.includes(`transactionId=${trxId}&amp;`));
  }
});

test('another browser with the same link sees neither the id nor takes it to the shop', async (t) => {
  const { app, browser, open, shop, clock } = await openCheckout(t);
  const page = await open();
  const trxId = bkashId(clock.now(), 1);
  await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  const stranger = openBrowser(app);
  t.false((await stranger.visit(page)).body.includes(trxId));
  await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
  await stranger.submit(page, 'claim', {
    method: 'mfs_a',
    transaction_id: bkashId(clock.now(), 2),
    token: await stranger.tokenOf(page),
  });
  for (const path of [page, `${page}?now=1`]) {
    t.false((await stranger.visit(path)).body.includes(trxId));
    t.true((await browser.visit(path)).body.includes(trxId));
  }
});

test('guessing the number of the payer reveals nothing about a completed payment', async (t) => {
  const { app, browser, core, open, shop } = await openCheckout(t);
  const bank = await openBank(core, shop);
  const page = await open();
  const number = PAYER.slice(-4);
  await browser.submit(page, 'claim', { method: 'qr_interbank', transaction_id: number });
  const stranger = openBrowser(app);
  const token = await stranger.tokenOf(page);
  t.is((await bank.push({ reference: 'RRN7' })).state, 'stored');
  const claim = { method: 'qr_interbank', transaction_id: number, token };
  t.is((await stranger.submit(page, 'claim', claim)).statusCode, 303);
  t.false((await stranger.visit(`${page}?now=1`)).body.includes('RRN7'));
  t.true((await browser.visit(`${page}?now=1`)).body.includes('RRN7'));
});

test('a waiting page is notified if the received amount is wrong, and says so', async (t) => {
  const { app, browser, core, open, shop, clock } = await openCheckout(t);
  const page = await open();
  const trxId = bkashId(clock.now(), 1);
  await browser.submit(page, 'claim', { method: 'mfs_a', transaction_id: trxId });
  let told = 0;
  core.moved.listen(page.slice(-32), () => {
    told += 1;
  });
  await shop.receive(bkashText({ taka: '499.00', trxId, at: clock.now() }));
  t.is(told, 1);
  const refused = (await browser.visit(page)).body;
  t.true(refused.includes('role="alert"') && refused.includes(`>${trxId}</textarea>`));
  const stranger = (await openBrowser(app).visit(page)).body;
  t.false(stranger.includes('role="alert"') || stranger.includes(trxId));
});

test('a PIN, a phone number and the sum are named as what they are, and none is stored', async (t) => {
  const { browser, core, open } = await openCheckout(t);
  const page = await open();
  for (const [text, said] of [
    ['12345', EN.mistaken.is_pin],
    ['১২৩৪৫', EN.mistaken.is_pin],
    ['01712-345678', EN.mistaken.is_phone],
    ['+8801712345678', EN.mistaken.is_phone],
    ['500', EN.mistaken.is_amount],
    ['৳ 500.00', EN.mistaken.is_amount],
  ] as const) {
    const fields = { method: 'mfs_a', transaction_id: text };
    const answer = await browser.submit(page, 'claim', fields, { 'accept-language': 'en' });
    t.is(answer.statusCode, 422, text);
    t.true(answer.body.includes(said), text);
    t.false(answer.body.includes('>12345<'), 'nor is a PIN shown again');
  }
  t.deepEqual(await rows(core, 'claims'), []);
});
