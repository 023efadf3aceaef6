/** Floods of large bodies: who is refused is refused before the body is read, and no body is dear to read. */
import { once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import type { CoreOptions } from '../../../../src/actions/core/core.js';
import { CREATE, HOSTED_CREATE, openApi, PAIR, refusal, SMS, SYNC } from '../../api.js';
import { openCheckout } from '../../checkout/browser.js';
import { form, multipart } from '../../hosted/orders.js';
import { openPorts, openTlsWire, openWire, requestText, statusCodes } from '../../wire.js';

const SEND = '/api/v2/gateway/send';
const FORWARD = '/api/v2/relay/forward/from-text';
const ORDER = '{"cus_name":"R","amount":5}';
const TOO_MANY = '{"status":false,"message":"Too many requests, slow down"}';
const LARGE = 60_000;

type Headers = Readonly<Record<string, string | number>>;

/** A shop at its ports, and what a request whose body never comes is answered. */
async function openDoor(t: ExecutionContext, env: CoreOptions['env']) {
  const ports = await openPorts(t, { env });
  const answered = async (line: string, headers: Headers, sent = '') => {
    const wire = await openTlsWire(t, ports.httpsPort);
    const all = { 'content-type': 'application/json', ...headers };
    wire.socket.write(requestText(line, all, sent));
    while (statusCodes(wire.received()).length === 0) await once(wire.socket, 'data');
    wire.socket.destroy();
    return wire.received();
  };
  const before = (line: string, headers: Headers) => answered(line, { 'content-length': LARGE, ...headers });
  const whole = (line: string, headers: Headers, body = ORDER) =>
    answered(line, { 'content-length': Buffer.byteLength(body), ...headers }, body);
  return { ...ports, answered, before, whole };
}

test('a shop or phone key over its limit gets 429 before its body is read', async (t) => {
  const { before, whole, shop } = await openDoor(t, { KASHBOX_REQUESTS_PER_MINUTE: '1' });
  const shops: Headers = { 'brand-key': shop.brandKey };
  t.deepEqual(statusCodes(await whole(`POST ${CREATE}`, shops)), [200]);
  for (const path of [CREATE, HOSTED_CREATE]) {
    const text = await before(`POST ${path}`, shops);
    t.deepEqual(statusCodes(text), [429], path);
    t.true(text.endsWith(TOO_MANY));
    t.regex(text, /^retry-after: \d+/im);
  }
  const phone: Headers = { 'device-key': shop.deviceKey };
  t.deepEqual(statusCodes(await whole(`POST ${SYNC}`, phone, '{}')), [200]);
  for (const path of [SYNC, SMS, FORWARD]) {
    t.deepEqual(statusCodes(await before(`POST ${path}`, phone)), [429], path);
  }
  const gateway: Headers = { 'gateway-key': shop.gatewayKey };
  const sms = '{"number":"01812345678","message":"x"}';
  t.deepEqual(statusCodes(await whole(`POST ${SEND}`, gateway, sms)), [200]);
  t.deepEqual(statusCodes(await before(`POST ${SEND}`, gateway)), [429]);
});

test('a wrong key of a phone or a gateway is refused before its body is read', async (t) => {
  const { before } = await openDoor(t, {});
  for (const path of [SYNC, SMS, FORWARD]) {
    t.deepEqual(statusCodes(await before(`POST ${path}`, { 'device-key': 'dead' })), [401], path);
  }
  t.deepEqual(statusCodes(await before(`POST ${SEND}`, { 'gateway-key': 'dead' })), [401]);
});

test('an address over its failure limit has no large body read, except with a valid key', async (t) => {
  const { answered, before, whole, shop } = await openDoor(t, { KASHBOX_FAILED_AUTH_PER_MINUTE: '2' });
  const line = `POST ${CREATE}`;
  for (let turn = 0; turn < 2; turn += 1) t.deepEqual(statusCodes(await whole(line, {})), [401]);
  for (const headers of [{}, { 'brand-key': 'dead' }]) {
    t.deepEqual(statusCodes(await before(line, headers)), [429]);
    t.deepEqual(statusCodes(await before(`${line}?api_key=dead`, headers)), [429]);
  }
  t.deepEqual(statusCodes(await answered(line, { 'transfer-encoding': 'chunked' })), [429]);
  t.deepEqual(statusCodes(await before(`POST ${PAIR}`, {})), [429]);

  const padded = `{"cus_name":"R","amount":5,"pad":"${'x'.repeat(LARGE)}"}`;
  t.deepEqual(statusCodes(await whole(line, { 'brand-key': shop.brandKey }, padded)), [200]);
  t.deepEqual(statusCodes(await whole(`${line}?api_key=${shop.brandKey}`, {}, padded)), [200]);
  const legacy = `{"cus_name":"R","amount":5,"api_key":"${shop.brandKey}"}`;
  t.deepEqual(statusCodes(await whole(line, {}, legacy)), [200]);
});

test('an unreadable body counts as a failure without a key, and never with a valid one', async (t) => {
  const { callBare, shop } = await openApi(t, { env: { KASHBOX_FAILED_AUTH_PER_MINUTE: '3' } });
  const broken = `{"pad":"${'x'.repeat(LARGE)}"`;
  const send = async (headers: Record<string, string>) =>
    (await callBare(CREATE, { headers, body: broken })).statusCode;
  for (let turn = 0; turn < 5; turn += 1) t.is(await send({ 'brand-key': shop.brandKey }), 400);
  for (let turn = 0; turn < 3; turn += 1) t.is(await send({}), 400);
  t.is(await send({}), 429);
  t.is(await send({ 'brand-key': shop.brandKey }), 400);
});

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

test('JSON of a thousand keys is read, of more it is refused, however they are nested', async (t) => {
  const { call } = await openApi(t);
  const order = { cus_name: 'R', amount: 5 };
  const answer = async (path: string, extra: object) => {
    const response = await call(path, { body: { ...order, ...extra } });
    return response.statusCode === 200 ? '200' : refusal(response);
  };
  const tooMany = '400 The body has more than 1000 keys';
  t.is(await answer(CREATE, { pad: keys(997) }), '200');
  t.is(await answer(CREATE, { pad: 'a:b'.repeat(5_000) }), '200');
  t.is(await answer(CREATE, { pad: keys(998) }), tooMany);
  t.is(await answer(CREATE, { pad: Array.from({ length: 998 }, () => ({ a: 1 })) }), tooMany);
  t.is(await answer(HOSTED_CREATE, keys(999)), tooMany);
});

test('a phone may bring all its messages and reports at once, each with all its keys', async (t) => {
  const { callBare, shop } = await openApi(t);
  const headers = { 'device-key': shop.deviceKey };
  const two = (make: (at: number) => object) => Array.from({ length: 200 }, (_, at) => make(at));
  const body = {
    messages: two((at) => ({ id: `m${at}`, sender: 'A', body: `b${at}`, received_at: 0, sim_slot: 1 })),
    reports: two((at) => ({ id: `d${at}`, state: 'SENT', part: 1, error: null })),
    health: { battery: 81, charging: true, network: 'wifi', queued: 0, app_version: '1' },
  };
  const response = await callBare(SYNC, { headers, body });
  t.is(response.statusCode, 200);
  t.is((response.json() as { results: unknown[] }).results.length, 200);
  const flood = await callBare(SYNC, { headers, body: { messages: [keys(4_000)] } });
  t.is(refusal(flood), '400 The body has more than 4000 keys');
});

test('a form of more than 200 fields is refused, urlencoded and multipart', async (t) => {
  const { call } = await openApi(t);
  const fields = (count: number) =>
    Object.fromEntries(Object.entries(keys(count)).map(([name, at]) => [name, String(at)]));
  for (const shape of [form, multipart]) {
    t.regex(refusal(await call(HOSTED_CREATE, shape(fields(201)))), /^400 The form has more than 200 fields/);
    t.regex(refusal(await call(HOSTED_CREATE, shape(fields(200)))), /^422 /);
  }
});

test('a form of the payment page has its own few fields, and one of many is refused', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  const extra = Object.fromEntries(Object.entries(keys(7)).map(([name, at]) => [name, String(at)]));
  t.is((await browser.submit(page, 'cancel', { ...extra, k7: '7' })).statusCode, 400);
  t.is((await browser.submit(page, 'cancel', extra)).statusCode, 303);
});

test('a request with two Host headers is 400 on both ports, and one is enough', async (t) => {
  const { answered, httpPort } = await openDoor(t, {});
  const plain = openWire(t, httpPort);
  plain.socket.write(requestText('GET /healthz', { Host: 'b.example' }));
  await once(plain.socket, 'data');
  t.deepEqual(statusCodes(plain.received()), [400]);
  const text = await answered('GET /healthz', { HOST: 'localhost' });
  t.deepEqual(statusCodes(text), [400]);
  t.true(text.endsWith('{"status":false,"message":"The request names more than one host"}'));
  t.deepEqual(statusCodes(await answered('GET /healthz', { 'x-host': 'c.example' })), [200]);
});
