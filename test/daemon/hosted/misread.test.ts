/** What shops send by mistake: amounts in another form, compressed bodies; and what a browser asks for. */
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { CREATE, HOSTED_CREATE, openApi, refusal } from '../api.js';
import { ORDER, sessionOf, setBrand } from './orders.js';

test('distinguishes an amount that is not a number from one out of range', async (t) => {
  const { call } = await openApi(t);
  const NO_NUMBER =
    '422 The amount is not a number: write plain digits, such as 500 or 500.50, without commas and currency signs';
  for (const amount of ['1,000', '৳500', '৫০০', '1e3', 'Tk 500', true, [500]]) {
    t.is(refusal(await call(HOSTED_CREATE, { body: { ...ORDER, amount } })), NO_NUMBER, String(amount));
    t.is(refusal(await call(CREATE, { body: { cus_name: 'A', amount } })), NO_NUMBER, String(amount));
  }
  for (const amount of ['0', '-5', '1000000.01', '99999999999999999999', -5]) {
    const answer = await call(HOSTED_CREATE, { body: { ...ORDER, amount } });
    t.is(refusal(answer), '422 The amount must be between 1 and 1000000', String(amount));
  }
});

test('a price times a rate is rounded half up for a program that does not round, and refused for others', async (t) => {
  const api = await openApi(t);
  const open = (amount: string) =>
    api.call(HOSTED_CREATE, {
      body: `{"amount":${amount},"success_url":"https://a.example","cancel_url":"https://a.example"}`,
    });
  t.is(refusal(await open('1335.8345')), '422 The amount has more than two decimals: round it to 2');
  await setBrand(api, { plugin: 'sohojpay-whmcs' });
  for (const rate of [120, 121.5, 121.55, 122.35]) {
    for (const cents of [1, 99, 199, 1_099, 1_999]) {
      // Whole numbers: cents of a dollar times hundredths of a rate are ten-thousandths of a taka.
      const exact = cents * Math.round(rate * 100);
      if (exact < 10_000) continue;
      const answer = await open(JSON.stringify((cents / 100) * rate));
      t.is((await sessionOf(api, answer)).amount_paisa, Math.floor((exact + 50) / 100), `${cents} ${rate}`);
    }
  }
  await setBrand(api, { plugin: 'rupantorpay-smm' });
  t.is((await open('1335.8345')).statusCode, 422);
});

test('a body that is compressed is refused with how it is to be sent', async (t) => {
  const { call } = await openApi(t);
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd']) {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const answer = await call(HOSTED_CREATE, { headers, body: gzipSync(JSON.stringify(ORDER)) });
    t.is(refusal(answer), '415 The body is compressed: send it as it is, without Content-Encoding');
    t.is(answer.headers['accept-encoding'], 'identity');
  }
  const plain = { 'content-type': 'application/json', 'content-encoding': 'identity' };
  t.is((await call(HOSTED_CREATE, { headers: plain, body: JSON.stringify(ORDER) })).statusCode, 200);
});

test('a browser that opens the address of the daemon is redirected to the reference', async (t) => {
  const { callBare } = await openApi(t);
  for (const method of ['GET', 'HEAD'] as const) {
    const root = await callBare('/', { method });
    t.deepEqual([root.statusCode, root.headers.location, root.body], [302, '/docs', ''], method);
    t.is(root.headers['cache-control'], 'no-store');
  }
  const posted = await callBare('/', { method: 'POST' });
  t.deepEqual([posted.statusCode, posted.headers.allow], [405, 'GET, HEAD']);
  t.is((await callBare('/favicon.ico', { method: 'GET' })).statusCode, 204);
});

test('with a base path the address alone leads to the reference as well', async (t) => {
  const { callBare } = await openApi(t, { env: { KASHBOX_BASE_PATH: '/pay' } });
  for (const path of ['/', '/pay', '/pay/', '/?utm_source=sms']) {
    const { statusCode, headers } = await callBare(path, { method: 'GET' });
    t.deepEqual([statusCode, headers.location], [302, '/pay/docs'], path);
  }
  t.is((await callBare('/pay/docs', { method: 'HEAD' })).statusCode, 200);
  t.is((await callBare('/docs', { method: 'GET' })).statusCode, 404);
});
