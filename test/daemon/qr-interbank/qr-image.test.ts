/** GET /api/qr/<token>: the code that create names can be scanned, and nothing else is served. */
import test, { type ExecutionContext } from 'ava';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { findValue, parseObjects } from '../../../src/channels/qr-interbank/emv.js';
import { openBank, sign } from '../../helpers/shop/bank.js';
import { CREATE, openApi, refusal } from '../api.js';
import { formText } from '../hosted/orders.js';
import { getOpenApi, judgeOf, operationNamed } from '../reference/documented.js';

async function scene(t: ExecutionContext<unknown>, options: Parameters<typeof openApi>[1] = {}) {
  const api = await openApi(t, options);
  await openBank(api.core, api.shop);
  const created = await api.call(CREATE, { body: { cus_name: 'Customer', amount: '1250.50' } });
  const { methods } = created.json() as { methods: { name: string; qr_image?: string }[] };
  const method = methods.find(({ name }) => name === 'qr_interbank');
  const get = (path: string) => api.callBare(path, { method: 'GET' });
  return { ...api, api, created, method, path: new URL(method?.qr_image ?? '').pathname, get };
}

const objectsOf = (text: string) => {
  const read = parseObjects(text);
  return read.ok ? read.objects : [];
};

test('create names the picture, and a phone reads amount and reference out of it', async (t) => {
  const { api, core, created, method, path, get } = await scene(t);
  t.deepEqual(Object.keys(method ?? {}).toSorted(), ['active_payments', 'name', 'qr_image']);
  t.like(method, { name: 'qr_interbank', active_payments: { qr: true } });
  t.regex(path, /^\/api\/qr\/[0-9a-f]{32}\.png$/);
  const served = await get(path);
  t.is(served.statusCode, 200);
  t.is(served.headers['content-type'], 'image/png');
  const judge = judgeOf(await getOpenApi(api));
  judge.holds(t, `POST ${CREATE}`, created);
  judge.holds(t, 'GET /api/qr/{file}', served);
  const png = PNG.sync.read(served.rawPayload);
  t.true(png.width >= 300 && png.width === png.height);
  const code = jsqr.default(new Uint8ClampedArray(png.data), png.width, png.height);
  const { gateway_reference: reference } = await core.store.read((db) =>
    db.query.selectFrom('sessions').select('gateway_reference').executeTakeFirstOrThrow(),
  );
  const objects = objectsOf(code?.data ?? '');
  t.is(findValue(objects, '01'), '12');
  t.is(findValue(objects, '54'), '1250.50');
  t.is(findValue(objectsOf(findValue(objects, '62') ?? ''), '05'), reference);
  t.is(findValue(objects, '59'), 'DOKAN STORE');
});

test('it is there as SVG too, may be kept by who asked, and runs nothing', async (t) => {
  const { path, get } = await scene(t);
  const served = await get(path.replace('.png', '.svg'));
  t.is(served.statusCode, 200);
  t.is(served.headers['content-type'], 'image/svg+xml');
  t.regex(served.body, /^<svg [^>]*viewBox/);
  t.is(served.headers['cache-control'], 'private, max-age=86400, immutable');
  t.regex(String(served.headers['content-security-policy']), /default-src 'none'/);
  t.is(served.headers['x-content-type-options'], 'nosniff');
});

test('everything else is the same 404', async (t) => {
  const { path, get } = await scene(t);
  const token = path.slice('/api/qr/'.length, -'.png'.length);
  for (const other of [
    `${'0'.repeat(32)}.png`,
    `${token}.gif`,
    token,
    `${token.toUpperCase()}.png`,
    `${token.slice(1)}.png`,
    `${token}.png.svg`,
    '%2e%2e%2fetc',
  ]) {
    t.is(refusal(await get(`/api/qr/${other}`)), '404 There is no such QR code', other);
  }
  t.is((await get(path)).statusCode, 200);
});

test('drawing is limited for one code and one address', async (t) => {
  const { path, get } = await scene(t, { env: { KASHBOX_CHECKOUT_REQUESTS_PER_MINUTE: '3' } });
  const statuses: number[] = [];
  for (let tries = 0; tries < 4; tries += 1) statuses.push((await get(path)).statusCode);
  t.deepEqual(statuses, [200, 200, 200, 429]);
});

const PUSH = '/api/v2/acquirer/push';

test('banks: the documented pushes are taken, and all answers are as documented', async (t) => {
  const api = await openApi(t);
  const { key, secret } = await openBank(api.core, api.shop);
  const document = await getOpenApi(api);
  const judge = judgeOf(document);
  const send = async (body: string, type: string, signature = sign(secret, body)) => {
    const headers = { 'acquirer-key': key, 'x-signature': signature, 'content-type': type };
    const response = await api.callBare(PUSH, { body, headers });
    judge.holds(t, `POST ${PUSH}`, response);
    return response;
  };
  const { content = {} } = operationNamed(document, `POST ${PUSH}`).requestBody ?? {};
  const states: string[] = [];
  for (const [type, { example }] of Object.entries(content)) {
    const fields = example as Readonly<Record<string, string>>;
    const body = type === 'application/json' ? JSON.stringify(fields) : formText(fields);
    states.push((await send(body, type)).json().data.state);
  }
  t.deepEqual(states, ['stored', 'duplicate']);
  t.is((await send('{', 'application/json')).statusCode, 202);
  t.is((await send('{}', 'application/json', 'none')).statusCode, 401);
  t.is((await send(' '.repeat(70_000), 'application/json')).statusCode, 413);
});
