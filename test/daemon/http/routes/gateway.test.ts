/** Spec 4.6 and 5.2: a shop sends SMS through its relay phone, and asks what became of them. */
import test from 'ava';
import { enrollDevice, revokeDevice, rotateDevice } from '../../../../src/actions/devices/enroll-device.js';
import { changeMerchantStatus, updateMerchant } from '../../../../src/actions/merchants/change-merchant.js';
import { type Call, openApi, refusal, SMS, SYNC } from '../../api.js';
import { form } from '../../hosted/orders.js';
import { getOpenApi, judgeOf } from '../../reference/documented.js';

const SEND = '/api/v2/gateway/send';

const ORDER = { number: '01812345678', message: 'Your order is ready' };

interface Data {
  readonly id: string;
  readonly state: string;
}

async function openGateway(t: Parameters<typeof openApi>[0], options: Parameters<typeof openApi>[1] = {}) {
  const api = await openApi(t, options);
  const device = api.shop.deviceId;
  const { gateway_key: key, device_key } = await rotateDevice(api.core, { device, who: 'test' });
  const ask = (path: string, call: Call = {}) =>
    api.callBare(path, { ...call, headers: { 'gateway-key': key, ...call.headers } });
  const relay = (path: string, body: object) =>
    api.callBare(path, { headers: { 'device-key': device_key }, body });
  const sync = async (body: object) =>
    (await relay(SYNC, body)).json() as {
      readonly dispatches: readonly Pick<Data, 'id'>[];
      readonly next_poll_ms: number;
    };
  return { ...api, key, ask, relay, sync };
}

const dataOf = (response: { json(): unknown }) => (response.json() as { readonly data: Data }).data;

test('an SMS is queued, leased to the phone and reported on, and its state shows each step', async (t) => {
  const { ask, sync, shop, clock } = await openGateway(t);
  await sync({});
  const response = await ask(SEND, { body: { ...ORDER, sim_slot: 1 } });
  t.is(response.statusCode, 200);
  const data = dataOf(response);
  t.deepEqual(response.json(), {
    status: true,
    message: 'Queued',
    data: {
      id: data.id,
      number: '+8801812345678',
      state: 'QUEUED',
      encoding: 'GSM-7',
      parts: 1,
      parts_sent: 0,
      parts_delivered: 0,
      device: shop.device.name,
      sim_slot: 1,
      priority: 0,
      error: null,
      queued_at: '2026-08-21T12:35:00+06:00',
      leased_at: null,
      sent_at: null,
      delivered_at: null,
      ended_at: null,
      expires_at: '2026-08-21T13:05:00+06:00',
    },
  });
  const find = async () => dataOf(await ask(`${SEND}/${data.id}`, { method: 'GET' }));
  t.is((await find()).state, 'QUEUED');
  const outbox = { journal: 'j1', held: [] };
  t.deepEqual((await sync({ outbox })).dispatches as unknown, [
    {
      id: data.id,
      number: '+8801812345678',
      message: ORDER.message,
      sim_slot: 1,
      parts: 1,
      priority: 0,
      expires_at: '2026-08-21T13:05:00+06:00',
    },
  ]);
  t.like(await find(), { state: 'LEASED', leased_at: '2026-08-21T12:35:00+06:00' });
  clock.advance(5_000);
  const reports = [{ id: data.id, state: 'SENT', part: 1 }, { id: 'of nobody', state: 'SENT' }, 'broken'];
  const synced = await sync({ outbox, reports });
  t.deepEqual([synced.dispatches, synced.next_poll_ms], [[], 10_000]);
  t.like(await find(), { state: 'SENT', parts_sent: 1, sent_at: '2026-08-21T12:35:05+06:00' });
});

test('an answer that was lost on its way is given again to the same journal, and to no other', async (t) => {
  const { ask, sync } = await openGateway(t);
  const { id } = dataOf(await ask(SEND, { body: ORDER }));
  const handed = async (body: object) => (await sync(body)).dispatches.map((dispatch) => dispatch.id);
  t.deepEqual(await handed({ outbox: { journal: 'j1', held: [] } }), [id]);
  t.deepEqual(await handed({ outbox: { journal: 'j1', held: [id] } }), []);
  t.deepEqual(await handed({ outbox: { journal: 'j2', held: [] } }), []);
  t.deepEqual(await handed({}), []);
  t.deepEqual(await handed({ outbox: { journal: 'j1', held: [] } }), [id]);
});

test('the part of sync for scripts hands nothing out', async (t) => {
  const { ask, relay } = await openGateway(t);
  const { id } = dataOf(await ask(SEND, { body: ORDER }));
  const { receipt, ...handed } = (await relay(SMS, { messages: [] })).json();
  t.deepEqual([typeof receipt, handed], ['string', { status: true, results: [] }]);
  t.is(dataOf(await ask(`${SEND}/${id}`, { method: 'GET' })).state, 'QUEUED');
});

test('forms, aliases and numbers as texts mean the same as JSON', async (t) => {
  const { ask } = await openGateway(t);
  const bodies = [
    { to: '+8801812345678', text: 'Hello', sim_slot: '1', ttl_seconds: '600', priority: '-5' },
    { mobile: 8801812345678, body: 'Hello', sim_slot: 1, ttl_seconds: 600, priority: -5 },
    {
      number: '',
      phone: '০১৮১২৩৪৫৬৭৮',
      message: null,
      text: 'Hello',
      sim_slot: 1,
      ttl_seconds: 600,
      priority: -5,
    },
  ];
  const calls: Call[] = [
    form({ to: '01812345678', text: 'Hello', sim_slot: '1', ttl_seconds: '600', priority: '-5' }),
    ...bodies.map((body) => ({ body })),
  ];
  for (const call of calls) {
    const response = await ask(SEND, call);
    t.like(dataOf(response), {
      number: '+8801812345678',
      sim_slot: 1,
      priority: -5,
      expires_at: '2026-08-21T12:45:00+06:00',
    });
  }
});

test('a repeated idempotency_key, in body or header, is the same SMS with its state of now', async (t) => {
  const { ask, sync } = await openGateway(t);
  const first = dataOf(await ask(SEND, { body: { ...ORDER, idempotency_key: 'order-17' } }));
  await sync({ outbox: { journal: 'j1', held: [] } });
  const again = await ask(SEND, { body: ORDER, headers: { 'idempotency-key': 'order-17' } });
  t.is(again.statusCode, 200);
  t.like(dataOf(again), { id: first.id, state: 'LEASED' });
  t.is(
    (again.json() as { message: string }).message,
    'Already queued with this idempotency_key; its state is LEASED',
  );
  const other = await ask(SEND, { body: { ...ORDER, message: 'Other', idempotency_key: 'order-17' } });
  t.is(refusal(other), '409 This idempotency_key was used for another message');
  const body = { ...ORDER, idempotency_key: 'order-17' };
  const same = await ask(SEND, { body, headers: { 'idempotency-key': 'order-17' } });
  t.is(dataOf(same).id, first.id);
  t.is(
    refusal(await ask(SEND, { body, headers: { 'idempotency-key': 'order-18' } })),
    '400 The header Idempotency-Key and idempotency_key of the body differ: give one, or both alike',
  );
});

test('the answer says so when the phone is offline', async (t) => {
  const { ask, sync, clock } = await openGateway(t);
  await sync({});
  clock.advance(15 * 60_000);
  const { message } = (await ask(SEND, { body: ORDER })).json() as { readonly message: string };
  t.is(
    message,
    'Queued, but the phone is offline: it is sent if the phone is back by 2026-08-21T13:20:00+06:00',
  );
});

test('the Gateway Key is taken from each of its headers, the first that names a living phone', async (t) => {
  const { callBare, key } = await openGateway(t);
  const wrong = 'a'.repeat(18);
  const send = (headers: Record<string, string>) => callBare(SEND, { body: ORDER, headers });
  for (const headers of [
    { 'GATEWAY-KEY': key },
    { 'gateway-key': ` ${key} ` },
    { key },
    { 'gateway-key': wrong, key },
    { 'gateway-key': `short, ${key}` },
  ]) {
    t.is((await send(headers)).statusCode, 200, JSON.stringify(Object.keys(headers)));
  }
  t.is(refusal(await send({})), '401 GATEWAY-KEY header is required');
  t.is(refusal(await send({ 'gateway-key': '' })), '401 GATEWAY-KEY header is required');
  for (const text of [wrong, key.slice(1), `${key}x`]) {
    t.is(refusal(await send({ 'gateway-key': text })), '401 Invalid or revoked GATEWAY-KEY provided');
  }
});

test('suspended, revoked and from another address: nobody sends', async (t) => {
  const { core, shop, ask } = await openGateway(t);
  const merchant = shop.merchantId;
  const who = 'test';
  await updateMerchant(core, { merchant, allowIps: ['203.0.113.7'], who });
  t.regex(refusal(await ask(SEND, { body: ORDER })), /^403 Requests from this IP address/);
  t.is((await ask(SEND, { body: ORDER, remoteAddress: '203.0.113.7' })).statusCode, 200);
  await updateMerchant(core, { merchant, allowIps: [], who });
  await changeMerchantStatus(core, { merchant, status: 'SUSPENDED', who });
  t.regex(refusal(await ask(SEND, { body: ORDER })), /^403 Merchant account suspended/);
  await changeMerchantStatus(core, { merchant, status: 'ACTIVE', who });
  await revokeDevice(core, { device: shop.deviceId, who });
  t.regex(refusal(await ask(SEND, { body: ORDER })), /^401 Invalid or revoked GATEWAY-KEY/);
});

test('an SMS of another phone is not found', async (t) => {
  const { ask, core, callBare, shop } = await openGateway(t);
  const { id } = dataOf(await ask(SEND, { body: ORDER }));
  const other = await enrollDevice(core, {
    merchant: shop.merchantId,
    name: 'two',
    sims: ['1=01711000002'],
    who: 'test',
  });
  const headers = { key: other.gateway_key };
  const response = await callBare(`${SEND}/${id}`, { method: 'GET', headers });
  t.is(refusal(response), `404 There is no outbound SMS "${id}"`);
  t.is(refusal(await ask(`${SEND}/dsp_none`, { method: 'GET' })), '404 There is no outbound SMS "dsp_none"');
});

const FAULTS: readonly (readonly [body: object, answer: string])[] = [
  [{}, '422 number is required'],
  [{ number: '01812345678' }, '422 message is required'],
  [
    { ...ORDER, number: '0181' },
    '422 number is not a phone number: give 01XXXXXXXXX, or + and the country code',
  ],
  [{ ...ORDER, number: ['01812345678'] }, '422 number must be a text'],
  [{ ...ORDER, sim_slot: 3 }, "422 sim_slot must be one of this phone's: 1"],
  [{ ...ORDER, sim_slot: 'one' }, '422 sim_slot must be a whole number'],
  [{ ...ORDER, ttl_seconds: 59 }, '422 ttl_seconds must be a whole number from 60 to 259200'],
  [{ ...ORDER, priority: 1.5 }, '422 priority must be a whole number'],
  [
    { ...ORDER, message: 'ক'.repeat(671) },
    '422 message is longer than 10 SMS: shorten it to 1530 characters, with Bangla in it 670',
  ],
];

test('an SMS that cannot be sent is refused with what to do', async (t) => {
  const { ask } = await openGateway(t);
  for (const [body, answer] of FAULTS) t.is(refusal(await ask(SEND, { body })), answer);
});

test('a full queue answers 429 with the seconds to wait', async (t) => {
  const { ask } = await openGateway(t, { env: { KASHBOX_DISPATCH_QUEUE: '1' } });
  await ask(SEND, { body: ORDER });
  const response = await ask(SEND, { body: ORDER });
  t.is(refusal(response), '429 1 SMS wait for this phone, which was never seen');
  t.is(response.headers['retry-after'], '60');
});

test('a shop that asks too often does not silence the phone', async (t) => {
  const { ask, sync } = await openGateway(t, { env: { KASHBOX_REQUESTS_PER_MINUTE: '2' } });
  await ask(SEND, { body: ORDER });
  await ask(SEND, { body: ORDER });
  t.is((await ask(SEND, { body: ORDER })).statusCode, 429);
  t.is((await sync({ outbox: { journal: 'j1', held: [] } })).dispatches.length, 2);
});

test('neither key nor text of an SMS gets into the log', async (t) => {
  const { ask, logLines, key } = await openGateway(t);
  const { id } = dataOf(await ask(SEND, { body: ORDER }));
  await ask(`${SEND}/${id}`, { method: 'GET' });
  const log = logLines.join('');
  t.true(log.includes('/api/v2/gateway/send'));
  for (const secret of [key, ORDER.message, '1812345678']) t.false(log.includes(secret), secret);
});

test('every answer is as the reference documents it', async (t) => {
  const api = await openGateway(t);
  const judge = judgeOf(await getOpenApi(api));
  const sent = await api.ask(SEND, { body: ORDER });
  judge.holds(t, `POST ${SEND}`, sent);
  for (const [body] of FAULTS) judge.holds(t, `POST ${SEND}`, await api.ask(SEND, { body }));
  judge.holds(t, `POST ${SEND}`, await api.callBare(SEND, { body: ORDER }));
  const found = `GET ${SEND}/{id}`;
  judge.holds(t, found, await api.ask(`${SEND}/${dataOf(sent).id}`, { method: 'GET' }));
  judge.holds(t, found, await api.ask(`${SEND}/none`, { method: 'GET' }));
});
