/** What a shop's server hears of a test payment: the same as of a real one, and that it is a test. */
import test from 'ava';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { changeMerchantStatus, updateMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { simulatePayment } from '../../../src/actions/test-payments/simulate-payment.js';
import { type engines, enginesOfTier } from '../../helpers/stores/engines.js';
import { type Call, CREATE, HOSTED_CREATE, HOSTED_VERIFY, openApi, refusal, VERIFY } from '../api.js';
import { ORDER } from './orders.js';

const WEBHOOK = 'https://shop.example.com/hear';

async function openTrial(t: Parameters<typeof openApi>[0], engine: (typeof engines)[number] = 'sqlite') {
  const api = await openApi(t, { engine });
  const about = {
    merchant: api.shop.merchantId,
    name: 'Trial',
    test: true,
    webhookUrl: WEBHOOK,
    who: 'test',
  };
  const made = await createBrand(api.core, about);
  const call = (path: string, more: Call = {}) =>
    api.callBare(path, { ...more, headers: { 'brand-key': made.brand_key } });
  const notified = async () => {
    const rows = await api.core.store.read((db) =>
      db.query.selectFrom('notifications').select(['content', 'session_id']).execute(),
    );
    return rows.map(({ content }) => content);
  };
  return { ...api, trial: call, made, notified };
}

for (const engine of enginesOfTier) {
  test(`${engine}: create, verify and notification of a test brand say that it is a test`, async (t) => {
    const { core, trial, notified } = await openTrial(t, engine);
    const opened = (await trial(CREATE, { body: { cus_name: 'Rahim', amount: 500 } })).json();
    t.like(opened, { status: true, test: true, brand: { name: 'Trial' } });
    const names = opened.methods.map(({ name }: { name: string }) => name);
    t.deepEqual(names, ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d']);
    const played = await simulatePayment(core, { payment: opened.id, play: 'unclaimed', who: 'test' });
    const claim = { id: opened.id, method: 'mfs_a', transaction_id: played.transaction_id };
    const verified = (await trial(VERIFY, { body: claim })).json();
    t.like(verified, { status: true, data: { status: 'COMPLETED', amount: 500, test: true } });
    const [content] = await notified();
    t.like(JSON.parse(content ?? '{}'), {
      event: 'payment.completed',
      session_id: opened.id,
      transaction_id: played.transaction_id,
      status: 'COMPLETED',
      test: true,
    });

    const page = (await trial(HOSTED_CREATE, { body: ORDER })).json();
    t.like(page, { status: true, test: true });
    const session = page.payment_url.slice(-32);
    const paid = await simulatePayment(core, { payment: session, play: 'exact', who: 'test' });
    const asked = await trial(HOSTED_VERIFY, { body: { transaction_id: paid.transaction_id } });
    t.like(asked.json(), { status: true, data: { status: 'COMPLETED', amount: '500.00', test: true } });
  });
}

test('of a live brand nothing says whether it is a test', async (t) => {
  const { call, shop } = await openTrial(t);
  const opened = (await call(CREATE, { body: { cus_name: 'Rahim', amount: 500 } })).json();
  t.false('test' in opened);
  t.false('test' in (await call(HOSTED_CREATE, { body: ORDER })).json());
  const asked = (await call(HOSTED_VERIFY, { body: { transaction_id: opened.id } })).json();
  t.false('test' in asked.data);
  t.is(shop.brandKey.slice(0, 3), 'bk_');
});

test('a test key opens nothing of a live brand, and a live key nothing of a test brand', async (t) => {
  const { call, trial } = await openTrial(t);
  const live = (await call(CREATE, { body: { cus_name: 'Rahim', amount: 500 } })).json();
  const tried = (await trial(CREATE, { body: { cus_name: 'Rahim', amount: 500 } })).json();
  const claim = (id: string) => ({ body: { id, method: 'mfs_a', transaction_id: 'DKL7CD1EF2' } });
  t.is(refusal(await trial(VERIFY, claim(live.id))), '404 Payment session not found or expired');
  t.is(refusal(await call(VERIFY, claim(tried.id))), '404 Payment session not found or expired');
  for (const [ask, id] of [
    [trial, live.id],
    [call, tried.id],
  ] as const) {
    t.is((await ask(HOSTED_VERIFY, { body: { transaction_id: id } })).statusCode, 404);
  }
});

test('suspension and addresses of the merchant hold for its test brand, too', async (t) => {
  const { core, shop, trial } = await openTrial(t);
  const body = { cus_name: 'Rahim', amount: 500 };
  const become = (status: 'ACTIVE' | 'SUSPENDED') =>
    changeMerchantStatus(core, { merchant: shop.merchantId, status, who: 'test' });
  await become('SUSPENDED');
  t.is((await trial(CREATE, { body })).statusCode, 403);
  await become('ACTIVE');
  t.is((await trial(CREATE, { body })).statusCode, 200);
  await updateMerchant(core, { merchant: shop.merchantId, allowIps: ['203.0.113.7'], who: 'test' });
  t.is((await trial(CREATE, { body })).statusCode, 403);
});
