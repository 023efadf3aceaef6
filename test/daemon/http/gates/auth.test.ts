/** Who is let in: credentials in the specification's order, addresses, limits, changes that hold at once. */
import test from 'ava';
import { revokeDevice } from '../../../../src/actions/devices/enroll-device.js';
import { rotateKey } from '../../../../src/actions/keys/keys.js';
import { changeMerchantStatus, updateMerchant } from '../../../../src/actions/merchants/change-merchant.js';
import { openShop } from '../../../helpers/shop/shop.js';
import { enginesOfTier } from '../../../helpers/stores/engines.js';
import {
  type Api,
  CREATE,
  HOSTED_CREATE,
  HOSTED_VERIFY,
  openApi,
  PAIR,
  PUSH,
  REFUND,
  refusal,
  SMS,
  SYNC,
  VERIFY,
} from '../../api.js';

const ORDER = { cus_name: 'R', amount: 5 };
const MISSING = '401 BRAND-KEY header is required';
const INVALID = '401 Invalid or inactive BRAND-KEY provided';
const SUSPENDED = '403 Merchant account suspended, contact compliance support';
const TOO_MANY = '429 Too many requests, slow down';
const who = 'test';

test('each place of a key opens the door alone, and only api_key is called deprecated', async (t) => {
  const { callBare, shop } = await openApi(t);
  const key = shop.brandKey;
  const places: [
    name: string,
    headers: Record<string, string>,
    body: object,
    query: string,
    deprecated: boolean,
  ][] = [
    ['BRAND-KEY', { 'BRAND-KEY': key }, {}, '', false],
    ['brand-key', { 'brand-key': ` ${key} ` }, {}, '', false],
    ['Authorization', { Authorization: `Bearer ${key}` }, {}, '', false],
    ['bearer', { authorization: `bearer  ${key}` }, {}, '', false],
    ['API-KEY', { 'API-KEY': key }, {}, '', false],
    ['SECRET-KEY', { 'SECRET-KEY': key }, {}, '', false],
    ['X-API-KEY', { 'X-API-KEY': key }, {}, '', false],
    ['SOHOJPAY-API-KEY', { 'SOHOJPAY-API-KEY': key }, {}, '', false],
    ['body', {}, { api_key: key }, '', true],
    ['query', {}, {}, `?api_key=${key}`, true],
    ['header and body', { 'BRAND-KEY': key }, { api_key: key }, '', false],
    ['placeholder and body', { 'BRAND-KEY': 'YOUR_KEY' }, { api_key: key }, '', true],
  ];
  for (const [name, headers, body, query, deprecated] of places) {
    const response = await callBare(`${CREATE}${query}`, { headers, body: { ...ORDER, ...body } });
    t.is(response.statusCode, 200, name);
    t.is(response.headers.deprecation, deprecated ? '@1772323200' : undefined, name);
  }
});

test('of several valid keys the first in the order of the specification decides', async (t) => {
  const { callBare, core, shop } = await openApi(t);
  const other = await openShop(core, 'Bela Store', '01711000002');
  const brandOf = async (headers: Record<string, string>, body: object = {}, query = '') => {
    const response = await callBare(`${CREATE}${query}`, { headers, body: { ...ORDER, ...body } });
    return response.json().brand.name;
  };
  const [a, b] = [shop.brandKey, other.brandKey];
  t.is(await brandOf({ 'brand-key': a, authorization: `Bearer ${b}` }), 'Alo Store');
  t.is(await brandOf({ authorization: `Bearer ${a}`, 'api-key': b }), 'Alo Store');
  t.is(await brandOf({ 'api-key': a, 'secret-key': b }), 'Alo Store');
  t.is(await brandOf({ 'secret-key': a }, { api_key: b }), 'Alo Store');
  t.is(await brandOf({}, { api_key: a }, `?api_key=${b}`), 'Alo Store');
  t.is(
    await brandOf({ 'brand-key': 'xxxx', authorization: 'Bearer null', 'api-key': b, 'secret-key': a }),
    'Bela Store',
  );
});

test('no key and a key of nobody are 401 and say how to come in, whatever the key looks like', async (t) => {
  const { callBare } = await openApi(t);
  const answer = async (headers: Record<string, string>, body: object = {}) => {
    const response = await callBare(CREATE, { headers, body: { ...ORDER, ...body } });
    t.is(response.headers['www-authenticate'], 'Bearer realm="kashbox"');
    return refusal(response);
  };
  t.is(await answer({}), MISSING);
  t.is(await answer({ 'brand-key': '' }), MISSING);
  t.is(await answer({ authorization: 'Basic YTpi' }), MISSING);
  t.is(await answer({}, { api_key: 5 }), MISSING);
  t.is(await answer({}, { api_key: ['bk_x'] }), MISSING);
  for (const key of ['x', 'bk_', `bk_${'A'.repeat(40)}`, 'A'.repeat(200)])
    t.is(await answer({ 'brand-key': key }), INVALID);
});

for (const engine of enginesOfTier) {
  test(`${engine}: suspension, rotation and revocation hold from the next request on`, async (t) => {
    const { call, callBare, core, shop, clock } = await openApi(t, { engine });
    const order = async (key: string) => {
      const response = await callBare(CREATE, { headers: { 'brand-key': key }, body: ORDER });
      return response.statusCode === 200 ? '200' : refusal(response);
    };
    t.is(await order(shop.brandKey), '200');
    await changeMerchantStatus(core, { merchant: 'Alo Store', status: 'SUSPENDED', who });
    t.is(await order(shop.brandKey), SUSPENDED);
    const sync = () => callBare(SYNC, { headers: { 'device-key': shop.deviceKey }, body: {} });
    t.is(refusal(await sync()), SUSPENDED);
    await changeMerchantStatus(core, { merchant: 'Alo Store', status: 'ACTIVE', who });
    t.is(await order(shop.brandKey), '200');

    const { brand_key: next } = await rotateKey(core, { brand: 'Alo Store', overlapMs: 60_000, who });
    t.deepEqual([await order(shop.brandKey), await order(next)], ['200', '200']);
    clock.advance(60_000);
    t.deepEqual([await order(shop.brandKey), await order(next)], [INVALID, '200']);
    const { brand_key: last } = await rotateKey(core, { brand: 'Alo Store', overlapMs: 0, who });
    t.deepEqual([await order(next), await order(last)], [INVALID, '200']);
    t.is(refusal(await call(VERIFY, { body: {} })), INVALID);

    t.is((await sync()).statusCode, 200);
    await revokeDevice(core, { device: 'Alo Store phone', who });
    t.is(refusal(await sync()), '401 Invalid or revoked DEVICE-KEY provided');
  });
}

test('a suspended merchant whose client also sends a living key of another comes in by that one', async (t) => {
  const { callBare, core, shop } = await openApi(t);
  const other = await openShop(core, 'Bela Store', '01711000002');
  await changeMerchantStatus(core, { merchant: 'Alo Store', status: 'SUSPENDED', who });
  const headers = { 'brand-key': shop.brandKey };
  t.is((await callBare(CREATE, { headers, body: { ...ORDER, api_key: other.brandKey } })).statusCode, 200);
  t.is(refusal(await callBare(CREATE, { headers, body: { ...ORDER, api_key: 'dead' } })), SUSPENDED);
});

const FORBIDDEN = '403 Requests from this IP address are not allowed for this merchant';
const LAN = { remoteAddress: '10.0.0.9' };

async function comeFrom(api: Api, remoteAddress: string, forwarded?: string): Promise<string> {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const response = await api.call(CREATE, { headers, remoteAddress, body: ORDER });
  return response.statusCode === 200 ? '200' : refusal(response);
}

test('a list of addresses is held against the socket, and a forged X-Forwarded-For changes nothing', async (t) => {
  const api = await openApi(t);
  await updateMerchant(api.core, { merchant: 'Alo Store', allowIps: ['203.0.113.0/24'], who });
  t.is(await comeFrom(api, '203.0.113.7'), '200');
  t.is(await comeFrom(api, '::ffff:203.0.113.7'), '200');
  t.is(await comeFrom(api, '10.0.0.9'), FORBIDDEN);
  t.is(await comeFrom(api, '10.0.0.9', '203.0.113.7'), FORBIDDEN);
  t.is(await comeFrom(api, '203.0.113.7', '10.0.0.9'), '200');
});

test('behind a trusted proxy the right-most address that is not a proxy counts', async (t) => {
  const api = await openApi(t, { env: { KASHBOX_TRUST_PROXY: '10.0.0.9, 10.1.0.0/16' } });
  await updateMerchant(api.core, { merchant: 'Alo Store', allowIps: ['203.0.113.7'], who });
  t.is(await comeFrom(api, LAN.remoteAddress, '203.0.113.7'), '200');
  t.is(await comeFrom(api, LAN.remoteAddress, '203.0.113.7, 10.1.2.3'), '200');
  t.is(await comeFrom(api, LAN.remoteAddress, '203.0.113.7, 198.51.100.1'), FORBIDDEN);
  t.is(await comeFrom(api, '10.0.0.8', '203.0.113.7'), FORBIDDEN);
  t.is(await comeFrom(api, LAN.remoteAddress), FORBIDDEN);
});

const WIDE = ['0.0.0.0/0', '::/0', '0.0.0.0/00', '128.0.0.0/1', '8000::/1', '::ffff:0:0/96'];

test('refuses at startup a trusted proxy that is not an address or covers all', async (t) => {
  for (const range of ['true', '1', 'localhost', '10.0.0.0/99', ...WIDE]) {
    await t.throwsAsync(
      openApi(t, { env: { KASHBOX_TRUST_PROXY: range } }),
      { code: 'config_invalid' },
      range,
    );
  }
});

test('a key over its request limit gets 429, and other brands do not', async (t) => {
  const { call, callBare, core } = await openApi(t, { env: { KASHBOX_REQUESTS_PER_MINUTE: '5' } });
  const other = await openShop(core, 'Bela Store', '01711000002');
  for (let turn = 0; turn < 5; turn += 1) t.is((await call(CREATE, { body: ORDER })).statusCode, 200);
  const refused = await call(CREATE, { body: ORDER });
  t.is(refusal(refused), TOO_MANY);
  const wait = Number(refused.headers['retry-after']);
  t.true(wait >= 1 && wait <= 60);
  const headers = { 'brand-key': other.brandKey };
  t.is((await callBare(CREATE, { headers, body: ORDER })).statusCode, 200);
  const sessions = await core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());
  t.is(sessions.length, 6);
});

test('an address with too many failed authentications gets 429, its neighbours and right keys do not', async (t) => {
  const { call, callBare } = await openApi(t, { env: { KASHBOX_FAILED_AUTH_PER_MINUTE: '3' } });
  const fail = (remoteAddress: string, path = CREATE) =>
    callBare(path, { remoteAddress, headers: { 'brand-key': 'dead', 'device-key': 'dead' }, body: ORDER });
  for (const path of [CREATE, SYNC, VERIFY]) t.is((await fail('198.51.100.1', path)).statusCode, 401);
  const refused = await fail('198.51.100.1');
  t.is(refusal(refused), TOO_MANY);
  t.regex(String(refused.headers['retry-after']), /^\d+$/);
  t.is((await fail('198.51.100.2')).statusCode, 401);
  t.is((await call(CREATE, { remoteAddress: '198.51.100.1', body: ORDER })).statusCode, 200);
  const pair = { remoteAddress: '198.51.100.1', body: { code: 'ABCD-EFGH' } };
  t.is(refusal(await callBare(PAIR, pair)), TOO_MANY);
});

const EVENTS = '/api/v2/relay/events';
/** Other programs' names for create and verify. */
const CHECKOUT = '/api/payment/checkout';
const VERIFY_PAYMENT = '/api/payment/verify-payment';
const OF_PHONES = [
  SMS,
  SYNC,
  EVENTS,
  '/api/v2/relay/forward/:format',
  '/api/v2/device/status',
  '/api/v2/gateway/send',
];

test('every address of the API except pairing refuses requests without a key', async (t) => {
  const { app, callBare } = await openApi(t, { env: { KASHBOX_FAILED_AUTH_PER_MINUTE: '1000' } });
  // Below the root's own route the router prints paths without their first slash.
  const paths = [...app.printRoutes({ commonPrefix: false }).matchAll(/── (\S+) \([^)]*\)/g)].map(
    ([, path = '']) => `/${path.replace(/^\//, '')}`,
  );
  // The checkout page, its codes and its pictures are for customers, who have no key.
  const isGuarded = (path: string) =>
    path.startsWith('/api/') && !/^\/api\/(execute|qr|picture)\//.test(path);
  const guarded = [...new Set(paths)].filter((path) => isGuarded(path) && path !== PAIR);
  const displays = ['/api/v2/display/show', '/api/v2/display/clear'];
  const ofShops = [CREATE, VERIFY, REFUND, HOSTED_CREATE, HOSTED_VERIFY, CHECKOUT, ...displays];
  t.deepEqual(guarded.sort(), [...ofShops, PUSH, ...OF_PHONES].sort());
  t.is((await callBare(EVENTS, { method: 'GET' })).statusCode, 401);
  // The router prints the second name of verify as a branch of the first.
  for (const path of [...guarded, VERIFY_PAYMENT].filter((one) => one !== EVENTS)) {
    const bodies = [
      {},
      { id: 'x', method: 'mfs_a', transaction_id: 'x', cus_name: 'x', amount: 1, messages: [] },
    ];
    for (const body of bodies) t.is((await callBare(path, { body })).statusCode, 401, path);
  }
});
