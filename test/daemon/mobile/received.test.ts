/** SMS that the app heard: each is stored once, however often and under whatever names it is told. */
import test from 'ava';
import { findDevices } from '../../../src/store/tables/devices.js';
import { rows } from '../../helpers/shop/scene.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { VERIFY } from '../api.js';
import { openPaired } from './ground.js';

test('an SMS completes the payment that waits for it', async (t) => {
  const { api, app } = await openPaired(t);
  const id = await api.shop.order(50_000);
  const at = api.clock.now();
  const trxId = bkashId(at, 1);
  const body = { id, method: 'mfs_a', transaction_id: trxId };
  t.is((await api.call(VERIFY, { body })).statusCode, 404);
  const text = bkashText({ taka: '500.00', trxId, at });
  t.deepEqual(await app.hear({ sender: 'bKash', text, at: at - 4_000, simNumber: 1 }), [200]);
  t.is((await api.call(VERIFY, { body })).json().data.status, 'COMPLETED');
  const [sms] = await rows(api.core, 'sms');
  t.like(sms, {
    sender: 'bKash',
    body: text,
    received_at: at - 4_000,
    sim_slot: 1,
    recipient: '01711000001',
  });
});

test('the second SIM is distinguished from the first, and none is guessed', async (t) => {
  const { api, app } = await openPaired(t);
  const at = api.clock.now();
  await app.hear({ sender: 'A', text: 'to the second', at, simNumber: 2 });
  await app.hear({ sender: 'A', text: 'to one of both', at });
  const stored = new Map((await rows(api.core, 'sms')).map((sms) => [sms.body, sms]));
  t.like(stored.get('to the second'), { sim_slot: 2, recipient: '01811000002' });
  t.like(stored.get('to one of both'), { sim_slot: null, recipient: null });
});

test('versions before 1.54 name the sender as phoneNumber', async (t) => {
  const { api, app } = await openPaired(t);
  t.deepEqual(await app.hear({ sender: 'bKash', text: 'hello', at: api.clock.now() }, true), [200]);
  t.like((await rows(api.core, 'sms'))[0], { sender: 'bKash' });
});

test('an SMS whose answer is lost is sent again and stored once', async (t) => {
  const { api, app, line } = await openPaired(t);
  line.lost = 3;
  t.deepEqual(await app.hear({ sender: 'A', text: 'hello', at: api.clock.now(), simNumber: 1 }), [0]);
  api.clock.advance(5_000);
  t.deepEqual(await app.flush(), [0]);
  api.clock.advance(10_000);
  t.deepEqual(await app.flush(), [0]);
  t.is(app.queue.length, 1);
  t.deepEqual(await app.flush(), [200]);
  t.is(app.queue.length, 0);
  t.is((await rows(api.core, 'sms')).length, 1);
});

test('an SMS that arrives again under a new id is stored once, even if its second differs', async (t) => {
  const { api, app } = await openPaired(t);
  const at = api.clock.now();
  const plain = { sender: 'A', text: 'no transaction in it', at, simNumber: 1 };
  await app.hear(plain);
  await app.hear(plain);
  const paid = {
    sender: 'bKash',
    text: bkashText({ taka: '5.00', trxId: bkashId(at, 2), at }),
    simNumber: 1,
  };
  await app.hear({ ...paid, at });
  await app.hear({ ...paid, at: at + 3_000 });
  t.is((await rows(api.core, 'sms')).length, 2);
});

test('the same text in another second is another SMS, where no transaction says otherwise', async (t) => {
  const { api, app } = await openPaired(t);
  const at = api.clock.now();
  await app.hear({ sender: 'A', text: 'ping', at });
  await app.hear({ sender: 'A', text: 'ping', at: at + 1_000 });
  t.is((await rows(api.core, 'sms')).length, 2);
});

test('an SMS of 1970 is kept with the time of its coming', async (t) => {
  const { api, app } = await openPaired(t);
  t.deepEqual(await app.hear({ sender: 'A', text: 'hello', at: 0 }), [200]);
  t.is((await rows(api.core, 'sms'))[0]?.received_at, api.clock.now());
});

test('an SMS without a readable time is stored once, whenever and however often it arrives', async (t) => {
  const { api, app } = await openPaired(t);
  const told = { sender: 'A', message: 'no transaction in it', messageId: 'a80532bb' };
  for (const receivedAt of ['1970-01-01T06:00:00.000+06:00', 'nobody can read this', undefined]) {
    app.emit('sms:received', { ...told, receivedAt });
    const retries = app.queue;
    for (const laterMs of [0, 5_000, 10 * 60_000, 3 * 86_400_000]) {
      api.clock.advance(laterMs);
      app.queue = retries;
      t.deepEqual(await app.flush(), [200]);
    }
  }
  t.is((await rows(api.core, 'sms')).length, 1);
  app.emit('sms:received', { ...told, messageId: 'b80532bb', receivedAt: undefined });
  app.emit('sms:received', { ...told, message: 'another text', receivedAt: undefined });
  t.deepEqual(await app.flush(), [200, 200]);
  t.is((await rows(api.core, 'sms')).length, 3, 'another name or another text is another SMS');
});

test('Bangla texts are signed and stored to the letter', async (t) => {
  const { api, app } = await openPaired(t);
  const text = 'আপনি ৫০০.০০ টাকা পেয়েছেন 😀 "উদ্ধৃতি" \\ \n শেষ';
  t.deepEqual(await app.hear({ sender: 'বিকাশ', text, at: api.clock.now() }), [200]);
  t.like((await rows(api.core, 'sms'))[0], { sender: 'বিকাশ', body: text });
});

test('a request not signed by this phone at this time is refused and stores nothing', async (t) => {
  const { api, app, phone } = await openPaired(t);
  const { signing_key } = app.settings.webhooks ?? {};
  const sms = { sender: 'bKash', text: 'hello', at: api.clock.now() };
  const told = async () => (await app.hear(sms)).at(-1);
  app.settings = { webhooks: { signing_key: `${signing_key}0` } };
  t.is(await told(), 401);
  app.settings = {};
  t.is(await told(), 401);
  app.settings = { webhooks: { signing_key } };
  const url = `/mobile/v1/webhooks/${phone.device.id}`;
  const bare = await api.callBare(url, {
    body: { event: 'sms:received', payload: { sender: 'x', message: 'y' } },
  });
  t.is(bare.statusCode, 401);
  const stranger = await api.callBare('/mobile/v1/webhooks/dev_0', { body: {} });
  t.is(stranger.statusCode, 401);
  t.is(stranger.body, bare.body);
  t.is((await rows(api.core, 'sms')).length, 0);
  t.true((await app.flush()).every((status) => status === 200));
  t.is((await rows(api.core, 'sms')).length, 1);
});

test('a phone whose clock is half an hour off gets 401', async (t) => {
  const { api, app, newApp } = await openPaired(t);
  const slow = newApp({ now: () => api.clock.now() - 30 * 60_000 });
  slow.registered = app.registration;
  await slow.provision();
  t.deepEqual(await slow.hear({ sender: 'A', text: 'hello', at: api.clock.now() }), [401]);
  t.is((await rows(api.core, 'sms')).length, 0);
});

test('an invalid SMS is refused with its reason', async (t) => {
  const { api, app } = await openPaired(t);
  app.emit('sms:received', { messageId: 'm1', message: 'who wrote this?' });
  t.deepEqual(await app.flush(), [400]);
  t.is((await rows(api.core, 'sms')).length, 0);
});

test('a ping reports battery, power and network', async (t) => {
  const { api, app } = await openPaired(t);
  const row = async () => (await api.core.store.read((db) => findDevices(db, 'Counter')))[0];
  await app.ping({
    'battery:level': 81,
    'battery:charging': 3,
    'connection:transport': 4,
    'messages:failed': 0,
  });
  t.like(await row(), { battery: 81, charging: 1, network: 'wifi', app_version: '1.66.1' });
  await app.ping({ 'battery:level': 15, 'battery:charging': 0, 'connection:transport': 2 });
  t.like(await row(), { battery: 15, charging: 0, network: 'cellular' });
  await app.ping({ 'battery:level': 100, 'battery:charging': 2, 'connection:transport': 0 });
  t.like(await row(), { battery: 100, charging: 1, network: 'none' });
  await app.ping({});
  t.like(await row(), { battery: 100, charging: 1, network: 'none', last_seen_at: api.clock.now() });
});

test('events that mean nothing here are taken, so that they do not come for a week', async (t) => {
  const { api, app } = await openPaired(t);
  api.clock.advance(60_000);
  app.hooks = [...app.hooks, ...app.hooks.slice(0, 1).map((hook) => ({ ...hook, event: 'app:started' }))];
  app.emit('app:started', { simCards: [] });
  t.deepEqual(await app.flush(), [200]);
  const [device] = await api.core.store.read((db) => findDevices(db, 'Counter'));
  t.is(device?.last_seen_at, api.clock.now());
  t.is((await rows(api.core, 'sms')).length, 0);
});

test('neither keys nor signing keys nor texts are logged', async (t) => {
  const { api, app, phone } = await openPaired(t);
  await app.hear({ sender: 'bKash', text: 'a secret text', at: api.clock.now() });
  const log = api.logLines.join('');
  t.true(log.includes('/mobile/v1/webhooks/:device'));
  const secrets = [
    phone.device_key,
    phone.pairing_code,
    String(app.settings.webhooks?.signing_key),
    'secret text',
  ];
  for (const secret of secrets) t.false(log.includes(secret));
});
