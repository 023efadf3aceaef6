/** Apps that forward SMS to an address: what they send counts once it is stored. */
import test from 'ava';
import { watchDevices } from '../../../../src/actions/devices/watch-devices.js';
import { findDevices } from '../../../../src/store/tables/devices.js';
import { rows } from '../../../helpers/shop/scene.js';
import { bkashId, bkashText } from '../../../helpers/shop/shop.js';
import { type Api, openApi, VERIFY } from '../../api.js';

const FORWARD = '/api/v2/relay/forward';

const phone = (api: Api) => ({ 'device-key': api.shop.deviceKey });

function refusal(response: { readonly statusCode: number; json(): { readonly message: string } }): string {
  return `${response.statusCode} ${response.json().message}`;
}

test('a forwarded SMS completes the payment that waits for it, and is stored once', async (t) => {
  const api = await openApi(t);
  const id = await api.shop.order(50_000);
  const at = api.clock.now();
  const trxId = bkashId(at, 1);
  const claim = { body: { id, method: 'mfs_a', transaction_id: trxId } };
  t.is((await api.call(VERIFY, claim)).statusCode, 404);
  const text = bkashText({ taka: '500.00', trxId, at });
  const body = { from: 'bKash', text, sentStamp: at - 5_000, receivedStamp: at, sim: 'sim1' };
  const taken = await api.callBare(`${FORWARD}/from-text`, { headers: phone(api), body });
  t.deepEqual(taken.json(), { status: true, result: 'stored' });
  t.is((await api.call(VERIFY, claim)).json().data.status, 'COMPLETED');
  const again = await api.callBare(`${FORWARD}/from-text`, { headers: phone(api), body });
  t.deepEqual(again.json(), { status: true, result: 'duplicate' });
  const [device] = await api.core.store.read((db) => findDevices(db, 'Alo Store phone'));
  t.like(device, { agent: 'forwarder', last_seen_at: at, battery: null });
});

test('forms are taken as JSON is', async (t) => {
  const api = await openApi(t);
  const form = async (format: string, body: string) => {
    const headers = { ...phone(api), 'content-type': 'application/x-www-form-urlencoded' };
    return (await api.callBare(`${FORWARD}/${format}`, { headers, body })).json().result as string;
  };
  t.is(
    await form('address-message', 'address=bKash&message=%E0%A6%9F%E0%A6%BE%E0%A6%95%E0%A6%BE+500'),
    'stored',
  );
  t.is(await form('sender-body', 'sender=bKash&body=two'), 'stored');
  t.is(await form('sender-message', 'sender=bKash&message=three'), 'stored');
  const bodies = (await rows(api.core, 'sms')).map(({ body }) => body).sort();
  t.deepEqual(bodies, ['three', 'two', 'টাকা 500']);
});

test('the key is taken from its header, as a bearer, or at last from the address, and never logged', async (t) => {
  const api = await openApi(t);
  const { deviceKey } = api.shop;
  const body = { sender: 'A', body: 'hello' };
  const path = `${FORWARD}/sender-body`;
  t.is((await api.callBare(path, { headers: phone(api), body })).statusCode, 200);
  t.is(
    (await api.callBare(path, { headers: { authorization: `Bearer ${deviceKey}` }, body })).statusCode,
    200,
  );
  t.is((await api.callBare(`${path}?key=${deviceKey}`, { body })).statusCode, 200);
  t.is(refusal(await api.callBare(path, { body })), '401 DEVICE-KEY header is required');
  t.is(
    refusal(await api.callBare(`${path}?key=dk_no`, { body })),
    '401 Invalid or revoked DEVICE-KEY provided',
  );
  const wrongFirst = { headers: { 'device-key': 'dk_no' }, body };
  t.is((await api.callBare(`${path}?key=${deviceKey}`, wrongFirst)).statusCode, 401);
  t.false(api.logLines.join('').includes(deviceKey));
});

test('an unknown format is refused with the known ones', async (t) => {
  const api = await openApi(t);
  const answer = await api.callBare(`${FORWARD}/toString`, { headers: phone(api), body: {} });
  t.is(
    refusal(answer),
    '404 There is no such format; the formats are from-text, sender-message, address-message, sender-body',
  );
  t.is((await api.callBare(`${FORWARD}/from-text`, { method: 'GET' })).statusCode, 405);
});

test('an invalid SMS is refused with its fault, and nothing of it is stored', async (t) => {
  const api = await openApi(t);
  const send = async (body: object) =>
    refusal(await api.callBare(`${FORWARD}/from-text`, { headers: phone(api), body }));
  const text = 'text is missing or not a text, it is also called content or message';
  t.is(await send({}), `400 from is missing or not a text; ${text}`);
  t.is(await send({ from: 'bKash' }), `400 ${text}`);
  t.is(await send({ from: 'x'.repeat(101), text: 'y' }), '400 sender must be a text of 1 to 100 characters');
  t.is(
    await send({ from: 'bKash', text: 'You have received Tk 500.00', sim: 'notification' }),
    '400 This is a notification, not an SMS; turn off the notification access of the app',
  );
  t.is((await rows(api.core, 'sms')).length, 0);
});

test('phone health that an app reports is stored', async (t) => {
  const api = await openApi(t);
  const body = {
    from: 'A',
    text: 'hello',
    battery: 64,
    power: 'unplugged',
    network: 'wifi',
    version: '2.4.0',
  };
  await api.callBare(`${FORWARD}/from-text`, { headers: phone(api), body });
  await api.callBare(`${FORWARD}/from-text`, { headers: phone(api), body: { from: 'A', text: 'more' } });
  const [device] = await api.core.store.read((db) => findDevices(db, 'Alo Store phone'));
  t.like(device, { battery: 64, charging: 0, network: 'wifi', app_version: '2.4.0' });
});

test('a forwarded SMS without time counts as received now', async (t) => {
  const api = await openApi(t);
  await api.callBare(`${FORWARD}/sender-body`, {
    headers: phone(api),
    body: { sender: 'A', body: 'b', timestamp: 'x' },
  });
  t.is((await rows(api.core, 'sms'))[0]?.received_at, api.clock.now());
});

const NAGAD_TEXT = 'Money Received.\nAmount: Tk 499.00\nSender: 01811000823\nRef: 2\nTxnID: 75RA22AA';

test('a template that puts line breaks between quotes is read, under whatever content type', async (t) => {
  const api = await openApi(t);
  const post = async (body: string, type: string) => {
    const headers = { ...phone(api), 'content-type': type };
    return (await api.callBare(`${FORWARD}/sender-body`, { headers, body })).json().result as string;
  };
  const templated = (n: number) => `{"sender":"NAGAD","body":"${NAGAD_TEXT}\r\n\t${n}","sim":"sim1"}`;
  const types = ['application/json', 'text/plain', 'application/cloudevents+json', 'application/x-any'];
  for (const [n, type] of types.entries()) t.is(await post(templated(n), type), 'stored', type);
  t.is(await post('sender=A&body=hello', 'text/plain;charset=UTF-8'), 'stored');
  t.is(
    await post('{"sender":"A","body":"a \\n escaped \\" one\n and a raw one"}', 'application/json'),
    'stored',
  );
  const stored = (await rows(api.core, 'sms')) as unknown as { body: string; trx_id: string | null }[];
  t.is(stored.filter(({ body }) => body.startsWith(`${NAGAD_TEXT}\r\n\t`)).length, 4);
  t.true(stored.some(({ body }) => body === 'a \n escaped " one\n and a raw one'));
});

test('refused hand-overs are counted and reported as a problem of the phone until a day has passed', async (t) => {
  const api = await openApi(t);
  const post = (body: string, type = 'application/json') =>
    api.callBare(`${FORWARD}/sender-body`, { headers: { ...phone(api), 'content-type': type }, body });
  const problem = async () =>
    (await api.core.store.read((db) => findDevices(db, 'Alo Store phone')))[0]?.problem ?? null;
  t.is((await post('{"sender":"bKash","body":"x"', 'application/json')).statusCode, 400);
  t.regex(
    (await problem()) ?? '',
    /^1 request was refused since 2026-08-21 12:35: The body is not valid JSON\. Correct/,
  );
  t.is((await post('hello', 'text/plain')).statusCode, 400);
  t.is((await post('{"sender":"bKash"}')).statusCode, 400);
  t.regex((await problem()) ?? '', /^3 requests were refused since 2026-08-21 12:35: body is missing/);
  const told = await watchDevices(api.core, { listeningSince: 0 });
  t.deepEqual(
    told.map(({ kind }) => kind),
    ['device.problem'],
  );
  t.true(api.logLines.join('').includes('The body is neither a JSON object nor a form'));
  t.is((await post('{"sender":"A","body":"good"}')).statusCode, 200);
  t.regex((await problem()) ?? '', /^3 requests/);
  api.clock.advance(25 * 3_600_000);
  t.is((await post('{"sender":"A","body":"good again"}')).statusCode, 200);
  t.is(await problem(), null);
  await post('{');
  t.regex((await problem()) ?? '', /^1 request was refused since 2026-08-22 13:35/);
});
