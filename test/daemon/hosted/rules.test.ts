/** Spec 1, 7 and 8 for the hosted API: transport, refusals, limits; and bodies that nobody should send. */
import test from 'ava';
import fc from 'fast-check';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { type Call, HOSTED_CREATE, HOSTED_VERIFY, openApi, refusal } from '../api.js';
import { openPorts, openTlsWire, openWire, requestText, statusCodes } from '../wire.js';
import { countSessions, form, formText, multipart, ORDER, query, RETURNS, sessionOf } from './orders.js';

const FORM = 'application/x-www-form-urlencoded';
const TYPES =
  'Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data';

test('7 403 plain HTTP: refused, not redirected, because a key may be in the address', async (t) => {
  const { httpPort, shop } = await openPorts(t);
  for (const line of [`GET ${query({ ...ORDER, api_key: shop.brandKey })}`, `POST ${HOSTED_VERIFY}`]) {
    const wire = openWire(t, httpPort);
    wire.socket.write(requestText(line, { connection: 'close', 'content-length': 0 }));
    const text = await wire.closed;
    t.deepEqual(statusCodes(text), [403]);
    t.true(text.endsWith('{"status":false,"message":"HTTPS is required; plain HTTP requests are rejected"}'));
  }
});

const types: [type: string | undefined, body: string, answer: number][] = [
  ['application/json', JSON.stringify(ORDER), 200],
  ['application/json; charset=utf-8', JSON.stringify(ORDER), 200],
  ['APPLICATION/JSON', JSON.stringify(ORDER), 200],
  [FORM, formText(ORDER), 200],
  [`${FORM}; charset=UTF-8`, formText(ORDER), 200],
  ['text/plain', formText(ORDER), 415],
  ['text/plain', JSON.stringify(ORDER), 415],
  ['application/xml', '<amount>500</amount>', 415],
  ['application/jsonx', JSON.stringify(ORDER), 415],
  [undefined, JSON.stringify(ORDER), 415],
  [undefined, formText(ORDER), 415],
  // A body under a false name is not guessed at.
  [FORM, JSON.stringify(ORDER), 422],
  ['application/json', formText(ORDER), 400],
];
test('1 Content-Type: JSON and both forms are read as what they say they are, others are 415', async (t) => {
  const { app, shop } = await openApi(t);
  for (const [type, payload, status] of types) {
    const headers = { 'brand-key': shop.brandKey, ...(type === undefined ? {} : { 'content-type': type }) };
    const response = await app.inject({ method: 'POST', url: HOSTED_CREATE, headers, payload });
    t.is(response.statusCode, status, `${type} ${payload}`);
    if (status === 415) t.is(refusal(response), `415 ${TYPES}`);
  }
});

test('1 the body of a GET is read over, and the connection serves on', async (t) => {
  const { httpsPort, shop } = await openPorts(t);
  const wire = await openTlsWire(t, httpsPort);
  const headers = { 'brand-key': shop.brandKey };
  wire.socket.write(requestText(`GET ${query(ORDER)}`, { ...headers, 'content-length': 5 }, 'amoun'));
  wire.socket.write(requestText(`GET ${query(ORDER)}`, { ...headers, connection: 'close' }));
  t.deepEqual(statusCodes(await wire.closed), [200, 200]);
});

const NOT_THERE = `${HOSTED_VERIFY}?transaction_id=AAAAAAAAAA`;
const refusals: [row: string, path: string, call: Call, message: string][] = [
  ['401 no credential', HOSTED_CREATE, { headers: { 'brand-key': '' } }, 'BRAND-KEY header is required'],
  [
    '401 key invalid or inactive',
    HOSTED_CREATE,
    { headers: { 'brand-key': 'x' } },
    'Invalid or inactive BRAND-KEY provided',
  ],
  [
    '404 transaction id not in the records',
    NOT_THERE,
    { method: 'GET' },
    'Transaction ID not found, ensure customer has completed transfer',
  ],
  [
    '422 amount outside 1 to 1000000',
    HOSTED_CREATE,
    { body: { ...ORDER, amount: 1_000_001 } },
    'The amount must be between 1 and 1000000',
  ],
  [
    '422 success_url missing on hosted create',
    HOSTED_CREATE,
    { body: { ...ORDER, success_url: undefined } },
    'The success_url field is required',
  ],
];
for (const [row, path, call, message] of refusals) {
  test(`7 ${row}: status false and a message`, async (t) => {
    const api = await openApi(t);
    t.is(refusal(await api.call(path, { body: ORDER, ...call })), `${row.slice(0, 3)} ${message}`);
  });
}

test('7 403 merchant account suspended: status false and a message', async (t) => {
  const { call, core } = await openApi(t);
  await changeMerchantStatus(core, { merchant: 'Alo Store', status: 'SUSPENDED', who: 'test' });
  const answer = '403 Merchant account suspended, contact compliance support';
  t.is(refusal(await call(HOSTED_CREATE, form(ORDER))), answer);
});

test('7 missing fields are reported in the order amount, success_url, cancel_url', async (t) => {
  const { call } = await openApi(t);
  const answer = async (body: object) => refusal(await call(HOSTED_CREATE, { body }));
  t.is(await answer({}), '422 The amount field is required');
  t.is(await answer({ cus_name: 5, amount: 'x' }), '422 The success_url field is required');
  t.is(await answer({ amount: 'x', success_url: 'x' }), '422 The cancel_url field is required');
});

const broken: [name: string, call: Call, answer: string][] = [
  ['broken JSON', { body: '{"amount":' }, '400 The body is not valid JSON'],
  ['a JSON list', { body: '[]' }, '400 The body must be a JSON object'],
  [
    'a prototype key',
    { body: '{"__proto__":{"amount":5}}' },
    '400 The body has a key "__proto__", or "prototype" inside of "constructor", which is never taken: rename it',
  ],
  [
    'JSON in Latin-1',
    { body: Buffer.from('{"amount":"\xe9"}', 'latin1') },
    '400 The body is not valid UTF-8',
  ],
  [
    'a form in Latin-1',
    { ...form({}), body: Buffer.from('amount=\xe9', 'latin1') },
    '400 The form is not valid UTF-8',
  ],
  ...['cus_name=100%', 'cus_name=%e9', 'cus_name=%ed%a0%80', '%=1'].map((body): [string, Call, string] => [
    body,
    { ...form({}), body },
    '400 The form is not percent-encoded UTF-8; write % itself as %25',
  ]),
  ...['a&'.repeat(201), `a${'[b]'.repeat(9)}=1`, 'a[]=1&'.repeat(201)].map((body): [string, Call, string] => [
    body.slice(0, 20),
    { ...form({}), body },
    '400 The form has more than 200 fields, or brackets deeper than 8 levels',
  ]),
  ...['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=x'].map(
    (type): [string, Call, string] => [
      type,
      { headers: { 'content-type': type }, body: '--x\r\nContent-Disp' },
      '400 The body is not valid multipart/form-data',
    ],
  ),
];
test('7 a body that cannot be read is 400 and says why, and nothing is stored', async (t) => {
  const api = await openApi(t);
  for (const [name, call, answer] of broken) t.is(refusal(await api.call(HOSTED_CREATE, call)), answer, name);
  t.is(await countSessions(api), 0);
});

test('8 amount, hosted: from 1.00 to 1,000,000.00, and not a paisa beyond', async (t) => {
  const { call } = await openApi(t);
  const statusOf = async (amount: string) =>
    (await call(HOSTED_CREATE, form({ ...ORDER, amount }))).statusCode;
  const amounts = ['0.99', '1.00', '1000000.00', '1000000.01'];
  t.deepEqual(await Promise.all(amounts.map(statusOf)), [422, 200, 200, 422]);
});

test('8 a body of more than 64 KiB is 413, whatever its shape', async (t) => {
  const { call } = await openApi(t);
  const long = { ...ORDER, x: 'x'.repeat(64 * 1024) };
  for (const body of [{ body: long }, form(long), multipart(long)]) {
    t.is(refusal(await call(HOSTED_CREATE, body)), '413 The request body is too large');
  }
});

test('8 of a name that comes twice the last one counts, in JSON and in forms', async (t) => {
  const api = await openApi(t);
  const twice = JSON.stringify(ORDER).replace('{', '{"amount":7,');
  const bodies: Call[] = [{ body: twice }, { ...form(ORDER), body: `amount=7&${formText(ORDER)}` }];
  for (const call of bodies) {
    t.is((await sessionOf(api, await api.call(HOSTED_CREATE, call))).amount_paisa, 50_000);
  }
});

test('8 a file in a multipart form is read over, and so is every other field that nobody knows', async (t) => {
  const { call } = await openApi(t);
  const { headers, body } = multipart(ORDER);
  const [boundary = ''] = /^--\S+/.exec(String(body)) ?? [];
  const file = `${boundary}\r\nContent-Disposition: form-data; name="amount"; filename="a.png"\r\n\r\nPNG\r\n`;
  t.is((await call(HOSTED_CREATE, { headers: headers ?? {}, body: `${file}${body}` })).statusCode, 200);
});

test('8 a key that sends too many requests gets 429', async (t) => {
  const { call } = await openApi(t, { env: { KASHBOX_REQUESTS_PER_MINUTE: '2' } });
  t.is((await call(HOSTED_CREATE, form(ORDER))).statusCode, 200);
  t.is((await call(`${HOSTED_VERIFY}?trx=x`, { method: 'GET' })).statusCode, 404);
  const refused = await call(HOSTED_CREATE, form(ORDER));
  t.is(refusal(refused), '429 Too many requests, slow down');
  t.regex(String(refused.headers['retry-after']), /^\d+$/);
});

/** Names that mean something here, and some that mean something to JavaScript. */
const names = fc.oneof(
  fc.constantFrom(...Object.keys(RETURNS), 'amount', 'cus_name', 'metadata', 'meta_data', 'return_type'),
  fc.constantFrom('webhook_url', 'transaction_id', 'trx', 'api_key', '__proto__', 'constructor', 'toString'),
  fc.string({ unit: 'binary' }),
);
const values = fc.oneof(
  fc.constantFrom('500', 'https://shop.example/', 'POST', '{"a":1}', '{"a":', '[]'),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
);
/** A value as a form would carry it: String() fails on an object whose own `toString` is no function. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const bodies = fc.oneof(
  fc.dictionary(names, values).map((fields): Call => ({ body: fields })),
  fc.dictionary(names, values).map((fields): Call => ({ body: { ...ORDER, ...fields } })),
  fc
    .dictionary(names, fc.string({ unit: 'binary' }))
    .map((fields): Call => ({ ...form({}), body: `${formText(fields)}&${formText(ORDER)}` })),
  fc.jsonValue().map((value): Call => ({ body: JSON.stringify(value) })),
  fc.array(fc.tuple(names, fc.constantFrom('', '[]', '[a]', '[0]', '[__proto__]', '[a][b]'), values)).map(
    (fields): Call => ({
      ...form({}),
      body: fields
        .map(([name, brackets, value]) => new URLSearchParams([[`${name}${brackets}`, asText(value)]]))
        .join('&'),
    }),
  ),
  fc
    .tuple(fc.constantFrom(FORM, 'application/json'), fc.uint8Array({ maxLength: 300 }))
    .map(([type, bytes]): Call => ({ headers: { 'content-type': type }, body: Buffer.from(bytes) })),
  fc.dictionary(names, fc.string({ unit: 'binary' })).map((fields): Call => multipart(fields)),
  fc
    .array(fc.constantFrom('--x', '--x--', '\r\n', '\n', 'Content-Disposition: form-data', '; name="a"', 'b'))
    .map(
      (parts): Call => ({
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: parts.join(''),
      }),
    ),
);
for (const engine of enginesOfTier) {
  test(`on ${engine}, no body whatsoever is answered with a 5xx or gets into the prototype of objects`, async (t) => {
    const api = await openApi(t, { engine, given: { requestsPerMinute: '100000' } });
    const paths = fc.constantFrom(HOSTED_CREATE, HOSTED_VERIFY);
    await fc.assert(
      fc.asyncProperty(paths, bodies, async (path, call) => {
        const response = await api.call(path, call);
        const { status } = response.json() as { readonly status: unknown };
        return status === (response.statusCode === 200) && response.statusCode < 500;
      }),
      { numRuns: 300 },
    );
    t.deepEqual(Object.keys(Object.prototype), []);
    t.true((await countSessions(api)) > 0);
  });
}

test('no query whatsoever is answered with a 5xx', async (t) => {
  const api = await openApi(t, { env: { KASHBOX_REQUESTS_PER_MINUTE: '100000' } });
  const urls = fc.tuple(
    fc.constantFrom(HOSTED_CREATE, HOSTED_VERIFY),
    fc
      .array(fc.tuple(names, fc.constantFrom('', '[]', '[a]'), fc.string()))
      .map((fields) =>
        fields.map(
          ([name, brackets, value]) => `${encodeURIComponent(name.toWellFormed())}${brackets}=${value}`,
        ),
      ),
  );
  await fc.assert(
    fc.asyncProperty(urls, async ([path, fields]) => {
      const url = new URL(`https://localhost${path}?${fields.join('&')}`);
      const response = await api.call(`${url.pathname}${url.search}`, { method: 'GET' });
      return response.statusCode < 500;
    }),
    { numRuns: 300 },
  );
  t.pass();
});
