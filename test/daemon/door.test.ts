/** Before any endpoint: methods, addresses, health, base path, and what the log keeps to itself. */
import test from 'ava';
import { buildApp } from '../../daemon/http/app.js';
import { KashboxError } from '../../src/base/errors/errors.js';
import { openLog } from '../../src/base/io/log.js';
import { CREATE, openApi, PAIR, refusal, SMS, SYNC, VERIFY } from './api.js';

const ORDER = { cus_name: 'R', amount: 5 };

test('a wrong method is 405, names the right one and does nothing, whatever is sent with it', async (t) => {
  const { call, core } = await openApi(t);
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    for (const path of [CREATE, VERIFY, PAIR, SYNC, SMS, `${CREATE}/`]) {
      const response = await call(path, { method, ...(method === 'GET' ? {} : { body: '{broken' }) });
      t.is(refusal(response), '405 This address does not support that HTTP method', `${method} ${path}`);
      t.is(response.headers.allow, 'POST');
    }
  }
  const head = await call(CREATE, { method: 'HEAD' });
  t.is(head.statusCode, 405);
  const health = await call('/healthz', { method: 'POST', body: {} });
  t.is(health.statusCode, 405);
  t.is(health.headers.allow, 'GET, HEAD');
  const sessions = await core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());
  t.is(sessions.length, 0);
});

test('an unknown address is 404 for every method and body', async (t) => {
  const { call } = await openApi(t);
  const unknown = [
    '/api',
    '/api/v2',
    '/api/v2/payment',
    `${CREATE}/x`,
    `${CREATE}x`,
    '/API/V2/payment/create',
  ];
  for (const path of [...unknown, '/api/v2/payment/../payment/zzz', '/%00', '/__proto__']) {
    t.is(refusal(await call(path, { method: 'GET' })), '404 There is nothing at this address', path);
    t.is(refusal(await call(path, { body: '{broken' })), '404 There is nothing at this address', path);
  }
  t.is(refusal(await call('/%zz', { method: 'GET' })), '400 The request is not valid');
});

test('repeated slashes count as one: keys, methods and base paths are checked as usual', async (t) => {
  const { call, callBare } = await openApi(t, { env: { KASHBOX_BASE_PATH: '/pay' } });
  const path = `/pay//${CREATE.slice(1).replace('/payment', '//payment')}`;
  t.is((await call(`//${path.slice(1)}`, { body: ORDER })).statusCode, 200);
  t.is((await callBare(path, { body: ORDER })).statusCode, 401);
  t.is((await call(path, { method: 'GET' })).statusCode, 405);
  t.is((await call(`/${CREATE}`, { body: ORDER })).statusCode, 404);
});

test('answers are not to be cached or sniffed', async (t) => {
  const { call } = await openApi(t);
  const response = await call(CREATE, { body: ORDER });
  t.is(response.headers['cache-control'], 'no-store');
  t.is(response.headers['x-content-type-options'], 'nosniff');
});

test('with a base path the API is available only below it', async (t) => {
  const { call } = await openApi(t, { env: { KASHBOX_BASE_PATH: '/pay/v9/' } });
  t.is((await call(`/pay/v9${CREATE}`, { body: ORDER })).statusCode, 200);
  t.is((await call(CREATE, { body: ORDER })).statusCode, 404);
  t.is((await call('/healthz', { method: 'GET' })).statusCode, 200);
  await t.throwsAsync(openApi(t, { env: { KASHBOX_BASE_PATH: 'pay' } }), { code: 'config_invalid' });
});

test('the process is up even when the store is not; it is ready only with it and while it is not draining', async (t) => {
  const { core } = await openApi(t);
  const { log } = openLog('silent');
  const draining = new AbortController();
  let broken = false;
  const store = {
    ...core.store,
    read: ((work) =>
      broken
        ? Promise.reject(new KashboxError('store_unreachable'))
        : core.store.read(work)) as typeof core.store.read,
  };
  const app = await buildApp({ ...core, store }, { log, draining: draining.signal });
  t.teardown(() => app.close());
  const get = async (url: string) => (await app.inject({ url })).statusCode;
  t.deepEqual([await get('/healthz'), await get('/readyz')], [200, 200]);
  broken = true;
  t.deepEqual([await get('/healthz'), await get('/readyz')], [200, 503]);
  broken = false;
  draining.abort();
  const refused = await app.inject({ url: '/readyz' });
  t.is(refusal(refused), '503 The daemon is shutting down');
  t.regex(String(refused.headers['retry-after']), /^\d+$/);
  t.is(await get('/healthz'), 200);
});

test('an unexpected error shows its text to the log and to nobody else', async (t) => {
  const { core, shop } = await openApi(t);
  const lines: string[] = [];
  const { log } = openLog('info', { write: (line) => lines.push(line) });
  const write = () => Promise.reject(new Error('secret table t_17 is on fire'));
  const store = { ...core.store, write };
  const app = await buildApp({ ...core, store }, { log });
  t.teardown(() => app.close());
  const headers = { 'brand-key': shop.brandKey };
  const response = await app.inject({ method: 'POST', url: CREATE, headers, payload: ORDER });
  t.is(refusal(response), '500 An unexpected error occurred');
  t.true(lines.some((line) => line.includes('on fire')));
});

test('the log of a busy run names no key, no query, no header and no body', async (t) => {
  const { call, callBare, shop, logLines } = await openApi(t);
  const canaries = [
    'CANARYquery',
    'CANARYheader',
    'CANARYbody',
    'CANARYpath',
    'CANARYtrx',
    shop.brandKey,
    shop.deviceKey,
  ];
  const headers = { 'x-api-secret': 'CANARYheader', cookie: 'CANARYheader', 'user-agent': 'CANARYheader' };
  const keys = [
    { 'brand-key': shop.brandKey },
    { 'brand-key': 'CANARYheader' },
    { 'device-key': shop.deviceKey },
  ];
  for (const key of keys) {
    for (const path of [CREATE, VERIFY, SYNC, SMS, PAIR, '/CANARYpath', '/%zzCANARYpath']) {
      const body = {
        cus_name: 'CANARYbody',
        amount: 5,
        transaction_id: 'CANARYtrx',
        messages: ['CANARYbody'],
      };
      await callBare(`${path}?api_key=CANARYquery`, { headers: { ...headers, ...key }, body });
      await callBare(path, { headers: { ...headers, ...key }, body: '{"a":CANARYbody' });
      await callBare(path, {
        headers: { ...headers, ...key, 'content-type': 'text/CANARYheader' },
        body: 'x',
      });
    }
  }
  await call(CREATE, { body: ORDER });
  t.true(logLines.length > 50);
  for (const line of logLines) for (const canary of canaries) t.false(line.includes(canary), line);
  const { ms, time, ...last } = JSON.parse(logLines.at(-1) ?? '');
  t.is(typeof ms, 'number');
  t.is(typeof time, 'string');
  t.deepEqual(last, {
    level: 'info',
    method: 'POST',
    route: CREATE,
    status: 200,
    caller: shop.brand.brandId,
  });
});

test('every answer forbids frames, and names HTTPS for good where the public address is a site', async (t) => {
  const headersOf = async (publicUrl: string) => {
    const { callBare } = await openApi(t, publicUrl === '' ? {} : { env: { KASHBOX_PUBLIC_URL: publicUrl } });
    const paths = ['/healthz', '/api/payment/verify', '/nowhere', '/api/execute/nobody'];
    return Promise.all(paths.map(async (path) => (await callBare(path)).headers));
  };
  for (const headers of await headersOf('https://pay.example.com')) {
    t.true(String(headers['content-security-policy']).includes("frame-ancestors 'none'"));
    t.is(headers['strict-transport-security'], 'max-age=31536000');
  }
  for (const url of ['', 'https://pay.example.com:8443']) {
    for (const headers of await headersOf(url)) t.is(headers['strict-transport-security'], undefined, url);
  }
});
