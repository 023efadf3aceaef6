/** The app finds its way in with a pairing code, is told what to do, and is shut out with its key. */
import test from 'ava';
import { revokeDevice, rotateDevice } from '../../../src/actions/devices/enroll-device.js';
import { findDevices } from '../../../src/store/tables/devices.js';
import { openApi } from '../api.js';
import { BASE, openGround, openPaired } from './ground.js';

test('the pairing code is the private token, once, however it is typed', async (t) => {
  const { app, newApp, phone } = await openGround(t);
  const typed = phone.pairing_code.replace('-', ' ').toLowerCase();
  const answer = await app.register(`Bearer ${typed}`);
  t.is(answer.status, 201);
  t.deepEqual(JSON.parse(answer.text), {
    id: phone.device.id,
    token: phone.device_key,
    login: 'Counter',
    password: '',
  });
  t.is((await newApp().register(`Bearer ${typed}`)).status, 401);
});

test('a code is refused after ten minutes, and so are logins, one-time codes and nothing at all', async (t) => {
  const { api, app, phone } = await openGround(t);
  for (const authorization of [
    'Code 123456',
    `Code ${phone.pairing_code}`,
    `Basic ${Buffer.from('login:pw').toString('base64')}`,
    '',
  ]) {
    const answer = await app.register(authorization);
    t.is(answer.status, 401);
    t.regex(answer.text, /Enter the pairing code as Private Token/);
  }
  api.clock.advance(10 * 60_000);
  const late = await app.register(`Bearer ${phone.pairing_code}`);
  t.is(late.status, 401);
  t.regex(late.text, /wrong, used or expired/);
});

test('guessed codes of one address are soon not even looked up', async (t) => {
  const { app, phone } = await openGround(t, { env: { KASHBOX_FAILED_AUTH_PER_MINUTE: '2' } });
  const statuses: number[] = [];
  for (const code of ['AAAA-AAAA', 'BBBB-BBBB', 'CCCC-CCCC', phone.pairing_code]) {
    statuses.push((await app.register(`Bearer ${code}`)).status);
  }
  t.deepEqual(statuses, [401, 401, 429, 429]);
});

test('the app gets its settings, with a signing key that it can keep, and the webhooks of its phone', async (t) => {
  const { app, phone } = await openPaired(t);
  t.regex(String(app.settings.webhooks?.signing_key), /^[\da-f]{64}$/);
  t.like(app.settings, {
    ping: { interval_seconds: 60 },
    messages: { processing_order: 'FIFO' },
    gateway: { notification_channel: 'SSE_ONLY' },
  });
  t.deepEqual(
    app.hooks.map(({ event }) => event),
    ['sms:received', 'sms:sent', 'sms:delivered', 'sms:failed', 'system:ping'],
  );
  for (const { id, url } of app.hooks) {
    t.is(url, `${BASE}/webhooks/${phone.device.id}`);
    t.true(id.startsWith(phone.device.id));
  }
  t.is(new Set(app.hooks.map(({ id }) => id)).size, 5);
});

test('the webhooks use the public address and the base path', async (t) => {
  const env = { KASHBOX_PUBLIC_URL: 'https://shop.example.com', KASHBOX_BASE_PATH: '/pay' };
  const api = await openApi(t, { env });
  const headers = { authorization: `Bearer ${api.shop.deviceKey}` };
  const webhooks = await api.callBare('/pay/mobile/v1/webhooks', { method: 'GET', headers });
  t.is(webhooks.json()[0].url, `https://shop.example.com/pay/mobile/v1/webhooks/${api.shop.deviceId}`);
  t.is((await api.callBare('/mobile/v1/webhooks', { method: 'GET', headers })).statusCode, 404);
});

test('every call is a sign of life, and says what speaks for the phone', async (t) => {
  const { api, app } = await openPaired(t);
  const row = async () => (await api.core.store.read((db) => findDevices(db, 'Counter')))[0];
  t.like(await row(), { agent: 'app', last_seen_at: api.clock.now() });
  for (const [method, path] of [
    ['GET', '/device'],
    ['PATCH', '/device'],
    ['GET', '/message'],
    ['PATCH', '/message'],
    ['GET', '/settings'],
    ['GET', '/webhooks'],
  ] as const) {
    api.clock.advance(1_000);
    const body = method === 'GET' ? undefined : path === '/message' ? [] : { id: app.registration.id };
    t.is((await app.call(method, path, body)).status, method === 'GET' ? 200 : 204, path);
    t.is((await row())?.last_seen_at, api.clock.now(), path);
  }
});

test('returns the address of a caller without a key, and stores nothing', async (t) => {
  const { api } = await openGround(t);
  const response = await api.callBare('/mobile/v1/device', { method: 'GET' });
  t.deepEqual(response.json(), { externalIp: '127.0.0.1' });
});

test('with new keys the old registration is over at once, and its signatures with it', async (t) => {
  const { api, app, newApp } = await openPaired(t);
  const before = app.settings.webhooks?.signing_key;
  const rotated = await rotateDevice(api.core, { device: 'Counter', who: 'test' });
  for (const path of ['/device', '/message', '/settings', '/webhooks']) {
    t.is((await app.call('GET', path)).status, 401, path);
  }
  t.is((await app.call('PATCH', '/device', { id: app.registration.id })).status, 401);
  t.deepEqual(await app.ping({ 'battery:level': 50 }), [401]);
  const again = newApp();
  t.is((await again.register(`Bearer ${rotated.pairing_code}`)).status, 201);
  await again.provision();
  t.not(again.settings.webhooks?.signing_key, before);
  t.deepEqual(await again.ping({ 'battery:level': 50 }), [200]);
});

test('a revoked phone is refused at once', async (t) => {
  const { api, app } = await openPaired(t);
  await revokeDevice(api.core, { device: 'Counter', who: 'test' });
  t.is((await app.call('GET', '/message')).status, 401);
  t.deepEqual(await app.hear({ sender: 'bKash', text: 'hello', at: api.clock.now() }), [401]);
});

test('accounts that several phones share are not offered', async (t) => {
  const { app } = await openPaired(t);
  t.is((await app.call('GET', '/user/code')).status, 501);
  t.is((await app.call('PATCH', '/user/password', {})).status, 501);
  t.is((await app.call('GET', '/nothing')).status, 404);
  t.is((await app.call('POST', '/settings', {})).status, 405);
});
