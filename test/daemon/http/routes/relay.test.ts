/** What phones say and hear: pairing once, messages one by one, and nothing that costs a good message. */
import { createHmac } from 'node:crypto';
import test from 'ava';
import { enrollDevice } from '../../../../src/actions/devices/enroll-device.js';
import { dhakaIso } from '../../../../src/base/values/clock.js';
import { findDevices } from '../../../../src/store/tables/devices.js';
import { bkashId, bkashText } from '../../../helpers/shop/shop.js';
import { type Api, openApi, PAIR, refusal, SMS, SYNC, VERIFY } from '../../api.js';

const phone = (api: Api) => ({ 'device-key': api.shop.deviceKey });

const message = (api: Api, n: number) => ({
  id: `m${n}`,
  sender: 'bKash',
  body: bkashText({ taka: '500.00', trxId: bkashId(api.clock.now(), n), at: api.clock.now() }),
  received_at: '2026-08-21T12:35:00+06:00',
  sim_slot: 1,
});

/** As a phone computes it, with nothing of the server's. */
const receiptOf = (key: string, pairs: string) =>
  createHmac('sha256', key).update(`kashbox-relay-receipt-v1\n${pairs}`).digest('hex');

const storedSms = (api: Api) =>
  api.core.store.read((db) => db.query.selectFrom('sms').selectAll().execute()).then((rows) => rows.length);

test('a phone pairs once with its code and can sync with the key that it was handed', async (t) => {
  const api = await openApi(t);
  const enrolled = await enrollDevice(api.core, {
    merchant: 'Alo Store',
    name: 'Till',
    sims: ['1=01711000001'],
    who: 'test',
  });
  const typed = enrolled.pairing_code.replace('-', '').toLowerCase();
  const paired = await api.callBare(PAIR, { body: { code: typed, app_version: '1', platform: 'simulator' } });
  t.is(paired.statusCode, 200);
  t.deepEqual(paired.json(), {
    status: true,
    device: { id: enrolled.device.id, name: 'Till' },
    device_key: enrolled.device_key,
    gateway_key: enrolled.gateway_key,
    server_time: '2026-08-21T12:35:00+06:00',
  });
  const headers = { 'device-key': paired.json().device_key };
  t.is((await api.callBare(SYNC, { headers, body: {} })).statusCode, 200);
  const again = await api.callBare(PAIR, { body: { code: typed } });
  t.is(refusal(again), '401 The pairing code is wrong, used or expired');
  t.is(refusal(await api.callBare(PAIR, { body: {} })), '400 code is required');
  t.is(refusal(await api.callBare(PAIR, { body: { code: 5 } })), '400 code must be a string');
});

test('a sync stores messages, notes health and says when to come again', async (t) => {
  const api = await openApi(t);
  const health = { battery: 81, charging: true, network: 'wifi', queued: 3, app_version: '1.2.0', sims: [] };
  const body = { messages: [message(api, 1), message(api, 2)], reports: [], health };
  const response = await api.callBare(SYNC, { headers: phone(api), body });
  t.is(response.statusCode, 200);
  t.deepEqual(response.json(), {
    status: true,
    results: [
      { id: 'm1', state: 'stored' },
      { id: 'm2', state: 'stored' },
    ],
    receipt: receiptOf(api.shop.deviceKey, '[["m1","stored"],["m2","stored"]]'),
    dispatches: [],
    next_poll_ms: 10_000,
    server_time: '2026-08-21T12:35:00+06:00',
  });
  const again = await api.callBare(SMS, { headers: phone(api), body: { messages: [message(api, 1)] } });
  t.deepEqual(again.json(), {
    status: true,
    results: [{ id: 'm1', state: 'duplicate' }],
    receipt: receiptOf(api.shop.deviceKey, '[["m1","duplicate"]]'),
  });
  t.is(await storedSms(api), 2);
  const [row] = await api.core.store.read((db) => findDevices(db, 'Alo Store phone'));
  t.like(row, { battery: 81, charging: 1, network: 'wifi', queued: 3, app_version: '1.2.0' });
});

test('a malformed message is rejected with its reason and does not affect other messages', async (t) => {
  const api = await openApi(t);
  const { id: _id, ...nameless } = message(api, 3);
  const bad = [
    nameless,
    null,
    5,
    'text',
    [],
    { ...message(api, 4), body: 5 },
    { ...message(api, 5), sender: '' },
  ];
  const messages = [message(api, 1), ...bad, message(api, 2)];
  const response = await api.callBare(SYNC, { headers: phone(api), body: { messages } });
  t.is(response.statusCode, 200);
  const results = response.json().results as { id: string | null; state: string; reason?: string }[];
  t.deepEqual(
    results.map(({ id, state }) => [id, state]),
    [
      ['m1', 'stored'],
      ...[null, null, null, null, null].map((id) => [id, 'rejected']),
      ['m4', 'rejected'],
      ['m5', 'rejected'],
      ['m2', 'stored'],
    ],
  );
  for (const { state, reason } of results) t.is(reason === undefined, state === 'stored');
  t.is(await storedSms(api), 2);
});

test('any malformed message is refused on its own, and the receipt covers every result', async (t) => {
  const api = await openApi(t);
  const strange = [
    { ...message(api, 1), id: 'টাকা "\n\u0000\u2028' },
    { ...message(api, 2), id: '\ud800' },
    { ...message(api, 3), id: 'x'.repeat(201) },
    { ...message(api, 4), body: 'x'.repeat(16_385) },
    { ...message(api, 5), sender: 'x'.repeat(101) },
    { ...message(api, 6), received_at: 'yesterday' },
    { ...message(api, 7), received_at: 1e300 },
    { ...message(api, 8), sim_slot: 'both', body: '\u0000\ud83d' },
    { ...message(api, 9), sender: '\u0000' },
  ];
  for (const path of [SYNC, SMS]) {
    const response = await api.callBare(path, { headers: phone(api), body: { messages: strange } });
    t.is(response.statusCode, 200);
    const { results, receipt } = response.json();
    const pairs = results.map(({ id, state }: { id: string | null; state: string }) => [id, state]);
    t.deepEqual(
      pairs.map(([id]: [string | null]) => id),
      strange.map(({ id }) => (id.length > 200 ? null : id)),
    );
    t.deepEqual(
      pairs.map(([, state]: [null, string]) => state === 'rejected'),
      // A time that cannot be is no reason to refuse an SMS.
      [false, false, true, true, true, false, false, false, false],
    );
    t.is(receipt, receiptOf(api.shop.deviceKey, JSON.stringify(pairs)));
  }
});

test('a round without messages has a receipt over none, also where the answer waits', async (t) => {
  const api = await openApi(t);
  const right = receiptOf(api.shop.deviceKey, '[]');
  for (const body of [{}, { wait_ms: 1 }, { reports: [], messages: [] }]) {
    const { receipt } = (await api.callBare(SYNC, { headers: phone(api), body })).json();
    t.is(receipt, right);
  }
  t.is((await api.callBare(SMS, { headers: phone(api), body: { messages: [] } })).json().receipt, right);
  const refused = await api.callBare(SYNC, { headers: phone(api), body: { messages: {} } });
  t.is(refused.json().receipt, undefined, 'a refused request has none');
});

test('a sync that says what its phone takes for now has a clock that is off reported as a problem', async (t) => {
  const api = await openApi(t);
  const troubleAfter = async (sent_at: unknown) => {
    const body = { messages: [], sent_at, health: { problem: null } };
    t.is((await api.callBare(SYNC, { headers: phone(api), body })).statusCode, 200);
    const found = await api.core.store.read((db) => findDevices(db, api.shop.deviceId));
    return found[0]?.problem;
  };
  const hourAgo = dhakaIso(api.clock.now() - 3_600_000);
  t.is(await troubleAfter(hourAgo), 'the clock is 60 min slow; set date and time of the phone to automatic');
  t.is(await troubleAfter('some day'), null);
  t.is(await troubleAfter(hourAgo), 'the clock is 60 min slow; set date and time of the phone to automatic');
  t.is(await troubleAfter(dhakaIso(api.clock.now())), null);
});

test('health, reports and the phone clock may be nonsense without costing a message', async (t) => {
  const api = await openApi(t);
  const known = {
    battery: 50,
    charging: true,
    network: 'lte',
    queued: 4,
    app_version: '1.1',
    problem: 'no SMS',
  };
  await api.callBare(SYNC, { headers: phone(api), body: { health: known } });
  const nonsense = [
    { health: 'fine', reports: 5 },
    { health: [], reports: null },
    {
      health: { battery: 'full', charging: 1, network: {}, queued: -1, app_version: 'x\u0000y', problem: 7 },
      reports: [null],
    },
    { health: { battery: 81.4, charging: null, network: 'x'.repeat(500), queued: 1e300 }, reports: [{}] },
  ];
  for (const [index, extra] of nonsense.entries()) {
    const late = { ...message(api, index + 1), received_at: '2026-08-21T12:25:00+06:00' };
    const response = await api.callBare(SYNC, { headers: phone(api), body: { ...extra, messages: [late] } });
    t.is(response.statusCode, 200);
    t.is(response.json().results[0].state, 'stored');
  }
  const [row] = await api.core.store.read((db) => findDevices(db, 'Alo Store phone'));
  t.like(row, { ...known, battery: 81, charging: null }, 'only null says that the phone does not know');
});

test('the problem of a phone is shown as one line until the phone says that it is over', async (t) => {
  const api = await openApi(t);
  const say = async (health: object) => {
    await api.callBare(SYNC, { headers: phone(api), body: { health } });
    const [row] = await api.core.store.read((db) => findDevices(db, 'Alo Store phone'));
    return row?.problem;
  };
  t.is(await say({ problem: ' SMS cannot\u001b[31m be\nread\u202e ' }), 'SMS cannot [31m be read');
  t.is(await say({ battery: 5 }), 'SMS cannot [31m be read');
  t.is(await say({ problem: 'x'.repeat(300) }), 'x'.repeat(200));
  t.is(await say({ problem: null }), null);
  await say({ problem: 'SMS cannot be read' });
  const forwarded = { headers: phone(api), body: { from: 'bKash', text: 'hello' } };
  await api.callBare('/api/v2/relay/forward/from-text', forwarded);
  t.is(await say({}), null, 'another that speaks for the phone has not said so');
});

test('two hundred messages are taken, two hundred and one are not, and nothing of them is stored', async (t) => {
  const api = await openApi(t, { env: { KASHBOX_BODY_KIB: '256' } });
  const many = Array.from({ length: 201 }, (_, index) => message(api, index));
  const refused = await api.callBare(SYNC, { headers: phone(api), body: { messages: many } });
  t.is(refusal(refused), '413 At most 200 messages are accepted in one request');
  t.is(await storedSms(api), 0);
  const taken = await api.callBare(SMS, { headers: phone(api), body: { messages: many.slice(1) } });
  t.is(taken.json().results.length, 200);
  t.is(await storedSms(api), 200);
});

test('of the same SMS from two phones of a shop one is kept', async (t) => {
  const api = await openApi(t);
  const enrolled = await enrollDevice(api.core, {
    merchant: 'Alo Store',
    name: 'Spare',
    sims: ['1=01711000001'],
    who: 'test',
  });
  const states: string[] = [];
  for (const key of [api.shop.deviceKey, enrolled.device_key]) {
    const body = { messages: [{ ...message(api, 1), id: key.slice(0, 9) }] };
    const response = await api.callBare(SYNC, { headers: { 'device-key': key }, body });
    states.push(response.json().results[0].state);
  }
  t.deepEqual(states, ['stored', 'duplicate']);
  t.is(await storedSms(api), 1);
});

test('bodies of the wrong shape are refused, and keys of brands open no door for phones', async (t) => {
  const api = await openApi(t);
  const sync = async (body: object, headers: Record<string, string> = phone(api)) =>
    refusal(await api.callBare(SYNC, { headers, body }));
  t.is(await sync({ messages: {} }), '400 messages must be a list');
  t.is(await sync({ messages: 'x' }), '400 messages must be a list');
  t.is(refusal(await api.callBare(SMS, { headers: phone(api), body: {} })), '400 messages is required');
  t.is(await sync({}, {}), '401 DEVICE-KEY header is required');
  t.is(await sync({}, { 'device-key': api.shop.brandKey }), '401 Invalid or revoked DEVICE-KEY provided');
  t.is(await sync({}, { 'brand-key': api.shop.brandKey }), '401 DEVICE-KEY header is required');
});

test('a claim that waits is completed by the SMS that a phone brings later', async (t) => {
  const api = await openApi(t);
  const id = await api.shop.order(50_000);
  const body = { id, method: 'mfs_a', transaction_id: bkashId(api.clock.now(), 1) };
  t.is((await api.call(VERIFY, { body })).statusCode, 404);
  await api.callBare(SYNC, { headers: phone(api), body: { messages: [message(api, 1)] } });
  const row = await api.core.store.read((db) =>
    db.query.selectFrom('sessions').where('id', '=', id).select('status').executeTakeFirst(),
  );
  t.is(row?.status, 'COMPLETED');
  t.is((await api.call(VERIFY, { body })).statusCode, 200);
});
