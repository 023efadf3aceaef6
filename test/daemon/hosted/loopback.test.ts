/** The shop of a programmer on the same machine: where a test brand leads back to, and where it is told. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { createBrand, updateBrand } from '../../../src/actions/brands/change-brand.js';
import { pingWebhook } from '../../../src/actions/notifications/notifications.js';
import { createSender } from '../../../src/notify/send.js';
import { type Call, HOSTED_CREATE, openApi, refusal } from '../api.js';
import { ORDER } from './orders.js';

const LOCAL = { success_url: 'http://localhost:3000/paid?order=7', cancel_url: 'http://[::1]:3000/cart' };
const who = 'test';

async function openTrial(t: ExecutionContext<unknown>, given: Readonly<Record<string, string>> = {}) {
  const api = await openApi(t, { given });
  const { merchantId: merchant } = api.shop;
  const made = await createBrand(api.core, { merchant, name: 'Trial', test: true, who });
  const trial = (path: string, more: Call) =>
    api.callBare(path, { ...more, headers: { 'brand-key': made.brand_key } });
  return { ...api, trial };
}

test('a test brand leads back to http on this machine, and to no other http', async (t) => {
  const { call, trial } = await openTrial(t, { publicUrl: 'https://pay.example.com' });
  t.is((await trial(HOSTED_CREATE, { body: { ...ORDER, ...LOCAL } })).statusCode, 200);
  t.is(
    (await trial(HOSTED_CREATE, { body: { ...ORDER, success_url: 'http://127.0.0.1/x' } })).statusCode,
    200,
  );
  const elsewhere = [
    'http://shop.example/',
    'http://localhost.example/',
    'http://192.168.0.7/',
    'ftp://localhost/',
  ];
  for (const success_url of [...elsewhere, 'http://me@localhost/', 'http://127.0.0.1.nip.io/']) {
    const answer = await trial(HOSTED_CREATE, { body: { ...ORDER, success_url } });
    t.is(
      refusal(answer),
      '422 The success_url must be an absolute HTTPS URL, or HTTP on localhost',
      success_url,
    );
  }
  const live = await call(HOSTED_CREATE, { body: { ...ORDER, ...LOCAL } });
  t.is(refusal(live), '422 The success_url must be an absolute HTTPS URL');
});

test('a test brand gets webhooks on this machine, at its own address or that of a payment', async (t) => {
  const { core, trial, call } = await openTrial(t);
  const heard: string[] = [];
  const server = createServer(async (request, response) => {
    heard.push(await text(request));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://localhost:${(server.address() as AddressInfo).port}/hook`;
  await updateBrand(core, { brand: 'Trial', webhookUrl: url, who });
  const { attempt } = (await pingWebhook(core, createSender(), { brand: 'Trial', who })) as {
    readonly attempt?: { readonly outcome: string };
  };
  t.is(heard.length, 1, JSON.stringify(attempt));
  const body = { ...ORDER, webhook_url: url };
  t.is((await trial(HOSTED_CREATE, { body })).statusCode, 200);
  t.is((await call(HOSTED_CREATE, { body })).statusCode, 422);
});

const REACHED: [why: string, given: Readonly<Record<string, string>>][] = [
  ['listens for others', { host: '0.0.0.0' }],
  ['has a public address', { publicUrl: 'https://pay.example.com' }],
  ['stands behind a proxy', { trustProxy: '127.0.0.1' }],
];
for (const [why, given] of REACHED) {
  test(`a daemon that ${why} calls nothing on its own machine, also for a test brand`, async (t) => {
    const { core, trial } = await openTrial(t, given);
    const body = { ...ORDER, webhook_url: 'http://localhost:3000/hook' };
    t.is((await trial(HOSTED_CREATE, { body })).statusCode, 422);
    // One that was set before others could reach it.
    await core.store.write((db) =>
      db.query.updateTable('brands').set({ webhook_url: 'http://localhost:3000/hook' }).execute(),
    );
    await pingWebhook(core, createSender(), { brand: 'Trial', who });
    const [row] = await core.store.read((db) => db.query.selectFrom('attempts').select('outcome').execute());
    t.is(row?.outcome, 'blocked');
  });
}

test('refuses a webhook of a test brand at a database port or at a name that leads to this machine', async (t) => {
  const { trial } = await openTrial(t);
  const urls = [
    'http://localhost:6379/',
    'http://127.0.0.1:22/',
    'http://10.0.0.1:3000/',
    'http://local.example:3000/',
  ];
  for (const webhook_url of urls) {
    t.is((await trial(HOSTED_CREATE, { body: { ...ORDER, webhook_url } })).statusCode, 422, webhook_url);
  }
});
