/** Spec 5: who may use the hosted API, by which credential, wherever it stands. */
import test from 'ava';
import { rotateKey } from '../../../src/actions/keys/keys.js';
import { changeMerchantStatus, updateMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { openShop } from '../../helpers/shop/shop.js';
import { type Api, type Call, HOSTED_CREATE, HOSTED_VERIFY, openApi, refusal } from '../api.js';
import { countSessions, type Fields, form, formText, multipart, ORDER, query, sessionOf } from './orders.js';

const DEPRECATED = '@1772323200';
const who = 'test';

/** The same order in every shape that it may have. */
function shapes(fields: Fields): [name: string, path: string, call: Call][] {
  return [
    ['JSON', HOSTED_CREATE, { body: fields }],
    ['urlencoded', HOSTED_CREATE, form(fields)],
    ['multipart', HOSTED_CREATE, multipart(fields)],
    ['GET', query(fields), { method: 'GET' }],
  ];
}

const headersOf = (key: string): Record<string, string>[] => [
  { 'brand-key': key },
  { 'BRAND-KEY': ` ${key} ` },
  { authorization: `Bearer ${key}` },
  { Authorization: `bearer ${key}` },
  { 'API-KEY': key },
  { 'SECRET-KEY': key },
  { 'X-API-KEY': key },
  { 'SOHOJPAY-API-KEY': key },
];

test('5.1 each header opens the door alone, for every shape of request', async (t) => {
  const { callBare, shop } = await openApi(t);
  for (const headers of headersOf(shop.brandKey)) {
    for (const [name, path, call] of shapes(ORDER)) {
      const response = await callBare(path, { ...call, headers: { ...headers, ...call.headers } });
      t.is(response.statusCode, 200, `${name} ${Object.keys(headers)}`);
      t.is(response.headers.deprecation, undefined);
    }
  }
});

test('5.1 api_key: in the query and in a body of every shape, and called deprecated', async (t) => {
  const { callBare, shop } = await openApi(t);
  const withKey = shapes({ ...ORDER, api_key: shop.brandKey });
  const inQuery = `${HOSTED_CREATE}?api_key=${shop.brandKey}`;
  const besides: typeof withKey = [
    ['query beside JSON', inQuery, { body: ORDER }],
    ['query beside a form', inQuery, form(ORDER)],
  ];
  for (const [name, path, call] of [...withKey, ...besides]) {
    const response = await callBare(path, call);
    t.is(response.statusCode, 200, name);
    t.is(response.headers.deprecation, DEPRECATED, name);
  }
});

test('5.1 order: the first credential that names an active brand is used, placeholders are passed over', async (t) => {
  const api = await openApi(t);
  const other = await openShop(api.core, 'Bela Store', '01711000002');
  const [a, b] = [api.shop.brandKey, other.brandKey];
  const brandOf = async (headers: Record<string, string>, fields: Fields = {}, path = HOSTED_CREATE) => {
    const call = form({ ...ORDER, ...fields });
    const response = await api.callBare(path, { ...call, headers: { ...headers, ...call.headers } });
    const { brand_id } = await sessionOf(api, response);
    return brand_id === api.shop.brand.brandId ? 'a' : 'b';
  };
  t.is(await brandOf({ 'brand-key': a, authorization: `Bearer ${b}` }), 'a');
  t.is(await brandOf({ authorization: `Bearer ${a}`, 'api-key': b }), 'a');
  t.is(await brandOf({ 'api-key': a, 'secret-key': b }), 'a');
  t.is(await brandOf({ 'secret-key': a, 'x-api-key': b }), 'a');
  t.is(await brandOf({ 'x-api-key': a, 'sohojpay-api-key': b }), 'a');
  t.is(await brandOf({ 'sohojpay-api-key': a }, { api_key: b }), 'a');
  t.is(await brandOf({}, { api_key: a }, `${HOSTED_CREATE}?api_key=${b}`), 'a');
  t.is(await brandOf({ 'brand-key': 'YOUR-KEY', authorization: 'Bearer null', 'secret-key': b }), 'b');
  t.is(await brandOf({ 'api-key': 'xxxx', 'secret-key': 'xxxx', 'brand-key': a }), 'a');
  t.is(await brandOf({ 'brand-key': 'xxxx' }, { api_key: b }), 'b');
});

/** What an order and a question are answered. */
async function answers(api: Api, headers: Record<string, string>, remoteAddress = '127.0.0.1') {
  const order = await api.callBare(HOSTED_CREATE, { headers, remoteAddress, body: ORDER });
  const asked = `${HOSTED_VERIFY}?transaction_id=x`;
  const question = await api.callBare(asked, { method: 'GET', headers, remoteAddress });
  return [order, question].map((response) => (response.statusCode === 200 ? '200' : refusal(response)));
}

test('5.4 no credential is 401, on both addresses', async (t) => {
  const api = await openApi(t);
  const missing = '401 BRAND-KEY header is required';
  for (const headers of [{}, { 'brand-key': ' ' }, { authorization: 'Basic YTpi' }] as Record<
    string,
    string
  >[])
    t.deepEqual(await answers(api, headers), [missing, missing]);
  t.is(
    refusal(await api.callBare(HOSTED_CREATE, form({ 'api_key[]': api.shop.brandKey, ...ORDER }))),
    missing,
  );
  t.is(await countSessions(api), 0);
});

test('5.4 a key of no active brand is 401, on both addresses', async (t) => {
  const api = await openApi(t);
  const invalid = '401 Invalid or inactive BRAND-KEY provided';
  for (const key of ['x', `bk_${'A'.repeat(40)}`, api.shop.deviceKey])
    t.deepEqual(await answers(api, { 'brand-key': key }), [invalid, invalid]);
});

test('5.4 a suspended merchant is 403 from the next request on, on both addresses', async (t) => {
  const api = await openApi(t);
  const headers = { 'brand-key': api.shop.brandKey };
  await changeMerchantStatus(api.core, { merchant: 'Alo Store', status: 'SUSPENDED', who });
  const suspended = '403 Merchant account suspended, contact compliance support';
  t.deepEqual(await answers(api, headers), [suspended, suspended]);
});

test('5.5 a merchant who named servers is served for them only', async (t) => {
  const api = await openApi(t);
  const headers = { 'brand-key': api.shop.brandKey };
  await updateMerchant(api.core, { merchant: 'Alo Store', allowIps: ['203.0.113.7'], who });
  const forbidden = '403 Requests from this IP address are not allowed for this merchant';
  t.deepEqual(await answers(api, headers, '198.51.100.1'), [forbidden, forbidden]);
  t.is((await answers(api, headers, '203.0.113.7'))[0], '200');
});

test('5.5 a new Brand Key puts the old one out of use', async (t) => {
  const api = await openApi(t);
  const { brand_key } = await rotateKey(api.core, { brand: 'Alo Store', overlapMs: 0, who });
  const invalid = '401 Invalid or inactive BRAND-KEY provided';
  t.deepEqual(await answers(api, { 'brand-key': api.shop.brandKey }), [invalid, invalid]);
  t.is((await answers(api, { 'brand-key': brand_key }))[0], '200');
});

test('a base path precedes both addresses and is in the link', async (t) => {
  const api = await openApi(t, { env: { KASHBOX_BASE_PATH: '/pay/v1' } });
  const headers = { host: 'pay.example.com' };
  const response = await api.call(`/pay/v1${HOSTED_CREATE}`, { headers, body: ORDER });
  const { payment_url } = response.json();
  t.regex(payment_url, /^https:\/\/pay\.example\.com\/pay\/v1\/api\/execute\/[0-9a-f]{32}$/);
  const { gateway_reference } = await sessionOf(api, response);
  const asked = `/pay/v1${HOSTED_VERIFY}?${formText({ trx: gateway_reference })}`;
  t.is((await api.call(asked, { method: 'GET' })).statusCode, 200);
  t.is((await api.call(HOSTED_CREATE, { body: ORDER })).statusCode, 404);
});

test('no key, name or reference of a request is logged', async (t) => {
  const api = await openApi(t);
  const secrets = { api_key: api.shop.brandKey, cus_name: 'Canary-Name', 'metadata[a]': 'Canary-Meta' };
  const created = await api.callBare(query({ ...ORDER, ...secrets }), { method: 'GET' });
  const { id, gateway_reference } = await sessionOf(api, created);
  await api.callBare(`${HOSTED_VERIFY}?${formText({ ...secrets, trx: gateway_reference })}`, {
    method: 'GET',
  });
  const log = api.logLines.join('');
  t.true(log.includes(HOSTED_VERIFY));
  for (const secret of [api.shop.brandKey, 'Canary', id, gateway_reference]) t.false(log.includes(secret));
});
