/**
 * What shops' programs in the wild do, one behaviour a test, each sent as its language would send it: the
 * client side of the API family, from create to verify.
 */
import test from 'ava';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { returnAddress, returnParameters, withParameters } from '../../../src/domain/sessions/redirect.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { type Api, type Call, HOSTED_CREATE, HOSTED_VERIFY, openApi } from '../api.js';
import { form, formText, multipart, ORDER, query, referenceOf, sessionOf, setBrand } from './orders.js';

/** PHP: curl with http_build_query of everything that the plugin knows of the order. */
const PHP_FIELDS = {
  cus_name: 'Alo & Sons',
  cus_email: 'alo@example.com',
  cus_phone: '01711000000',
  amount: '100.00',
  'metadata[order_id]': '42',
  'metadata[cart][0]': 'চাল',
  uid: '9',
  type: 'GET',
  success_url: 'https://shop.example/index.php?route=payment/callback&order_id=42',
  cancel_url: 'https://shop.example/index.php?route=checkout',
};

/** Pays what an order asks for and follows the customer back. @returns the address that the shop then sees */
async function payAndReturn({ core, clock, shop }: Api, id: string, taka: string): Promise<URL> {
  const trxId = bkashId(clock.now(), 1);
  await shop.receive(bkashText({ taka, trxId, at: clock.now() }));
  await claimCheckout(core, { sessionId: id, channel: 'mfs_a', text: trxId });
  const checkout = await loadCheckout(core, id);
  if (checkout === null || checkout.addresses === null) throw new Error('there is no such page');
  const { facts, addresses } = checkout;
  return new URL(withParameters(returnAddress(addresses, facts.status), returnParameters(facts)));
}

test('PHP, urlencoded: from create over the redirect to verify, all by form', async (t) => {
  const api = await openApi(t);
  const created = await api.call(HOSTED_CREATE, form(PHP_FIELDS));
  t.true(created.json().status === true);
  const back = await payAndReturn(api, referenceOf(created), '100.00');
  t.is(back.origin + back.pathname, 'https://shop.example/index.php');
  const { route, order_id, transactionId = '', ...told } = Object.fromEntries(back.searchParams);
  t.deepEqual([route, order_id], ['payment/callback', '42']);
  t.deepEqual(told, {
    paymentMethod: 'mfs_a',
    paymentAmount: '100.00',
    paymentFee: '0.00',
    status: 'completed',
  });
  const verified = (await api.call(HOSTED_VERIFY, form({ transaction_id: transactionId }))).json();
  t.like(verified, {
    status: true,
    data: { status: 'COMPLETED', amount: '100.00', cus_name: 'Alo & Sons' },
  });
  t.deepEqual(verified.data.meta_data, { order_id: '42', cart: ['চাল'] });
});

test('PHP, multipart: curl is handed the array itself', async (t) => {
  const api = await openApi(t);
  const created = await api.call(HOSTED_CREATE, multipart(PHP_FIELDS));
  t.like(await sessionOf(api, created), { amount_paisa: 10_000, success_url: PHP_FIELDS.success_url });
  const { gateway_reference } = await sessionOf(api, created);
  t.is((await api.call(HOSTED_VERIFY, multipart({ trx_id: gateway_reference }))).statusCode, 200);
});

test('PHP, JSON: json_encode of an order with a numeric text and an empty array', async (t) => {
  const api = await openApi(t);
  const body =
    '{"amount":"10","success_url":"https:\\/\\/shop.example\\/ok","cancel_url":"https:\\/\\/shop.example\\/no","metadata":[]}';
  const { amount_paisa, meta_data, success_url } = await sessionOf(
    api,
    await api.call(HOSTED_CREATE, { body }),
  );
  t.deepEqual([amount_paisa, meta_data, success_url], [1_000, null, 'https://shop.example/ok']);
});

test('Node: JSON with a number, its own charset and an Accept header', async (t) => {
  const api = await openApi(t);
  const headers = {
    'content-type': 'application/json;charset=utf-8',
    accept: 'application/json, text/plain, */*',
    'user-agent': 'axios/1.7',
  };
  const created = await api.call(HOSTED_CREATE, {
    headers,
    body: { ...ORDER, amount: 10.5, metadata: { a: 1 } },
  });
  t.is((await sessionOf(api, created)).amount_paisa, 1_050);
  t.regex(String(created.headers['content-type']), /^application\/json/);
});

test('Python: requests with data= is a form, with params= a query', async (t) => {
  const api = await openApi(t);
  const headers = { 'accept-encoding': 'gzip, deflate', accept: '*/*', 'user-agent': 'python-requests/2.32' };
  const asForm = form({ ...ORDER, metadata: '{"order": 7}' });
  const posted = await api.call(HOSTED_CREATE, { ...asForm, headers: { ...headers, ...asForm.headers } });
  t.is((await sessionOf(api, posted)).meta_data, '{"order": 7}');
  const asked = await api.call(query({ ...ORDER, metadata: '{"order": 7}' }), { method: 'GET', headers });
  t.is((await sessionOf(api, asked)).meta_data, '{"order": 7}');
});

test('accepts the same key in several headers, and placeholders next to a valid one', async (t) => {
  const { callBare, shop } = await openApi(t);
  const key = shop.brandKey;
  const same = { 'api-key': key, 'secret-key': key, 'brand-key': key, authorization: `Bearer ${key}` };
  const mixed = {
    'api-key': 'gnXi7etgWNhFyFGZFrOMYyrmnF4A1eGU5SC2QRmUvILOlNc2Ef',
    'secret-key': '0',
    'brand-key': key,
  };
  const last = { 'brand-key': 'YOUR_BRAND_KEY', authorization: 'Bearer ', 'api-key': '', 'secret-key': key };
  for (const headers of [same, mixed, last] as Record<string, string>[]) {
    const call = form(ORDER);
    const response = await callBare(HOSTED_CREATE, { ...call, headers: { ...headers, ...call.headers } });
    t.is(response.statusCode, 200);
  }
});

test('a key in the query and nothing in the headers', async (t) => {
  const { callBare, shop } = await openApi(t);
  const path = query({ ...ORDER, api_key: shop.brandKey });
  const created = await callBare(path, { method: 'GET' });
  t.is(created.statusCode, 200);
  const asked = `${HOSTED_VERIFY}?${formText({ api_key: shop.brandKey, transactionId: 'X' })}`;
  t.is((await callBare(asked, { method: 'GET' })).statusCode, 404);
});

test('a path before /api that the client has built in', async (t) => {
  const { call } = await openApi(t, { env: { KASHBOX_BASE_PATH: '/gateway' } });
  const created = await call(`/gateway${HOSTED_CREATE}`, form(ORDER));
  t.regex(created.json().payment_url, /\/gateway\/api\/execute\/[0-9a-f]{32}$/);
});

test('payment_url ends with 32 hex digits, which some clients cut off and verify with', async (t) => {
  const { call } = await openApi(t);
  const { payment_url } = (await call(HOSTED_CREATE, form(ORDER))).json();
  const verified = await call(HOSTED_VERIFY, form({ transaction_id: payment_url.slice(-32) }));
  t.like(verified.json(), { status: true, data: { status: 'PENDING' } });
});

test('verify with the transactionId of the redirect, also of a payment that was never made', async (t) => {
  const api = await openApi(t);
  const created = await api.call(HOSTED_CREATE, form(ORDER));
  api.clock.advance(61 * 60_000);
  const checkout = await loadCheckout(api.core, referenceOf(created));
  const back = Object.fromEntries(checkout === null ? [] : returnParameters(checkout.facts));
  t.like(back, { status: 'failed', paymentAmount: '0.00', paymentFee: '0.00' });
  const verified = await api.call(HOSTED_VERIFY, form({ transactionId: back.transactionId ?? '' }));
  t.like(verified.json(), { status: true, data: { status: 'FAILED', transaction_id: back.transactionId } });
});

test('flat dialect: the top-level status is compared with COMPLETED, metadata is an object or a JSON text', async (t) => {
  const api = await openApi(t);
  await setBrand(api, { dialect: 'flat' });
  const created = await api.call(HOSTED_CREATE, form(PHP_FIELDS));
  const back = await payAndReturn(api, referenceOf(created), '100.00');
  const verify = async (call: Call) => (await api.call(HOSTED_VERIFY, call)).json();
  const reference = { transaction_id: back.searchParams.get('transactionId') ?? '' };
  const read = await verify({ body: reference });
  t.deepEqual([read.status, read.amount, read.metadata.order_id], ['COMPLETED', '100.00', '42']);
  await setBrand(api, { metadata_as: 'string' });
  const decoded = JSON.parse((await verify({ body: reference })).metadata);
  t.is(decoded.order_id, '42');
});
