/** Spec 4.1, row by row: what `/api/payment/create` takes, assumes, refuses and answers. */
import test from 'ava';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { type Api, type Call, HOSTED_CREATE, openApi, refusal } from '../api.js';
import {
  countSessions,
  form,
  formText,
  multipart,
  ORDER,
  query,
  RETURNS,
  referenceOf,
  sessionOf,
  setBrand,
} from './orders.js';

const RANGE = '422 The amount must be between 1 and 1000000';
const DECIMALS = '422 The amount has more than two decimals: round it to 2';

/** An order that differs from the plain one in some fields; undefined leaves a field out. */
const post = ({ call }: Api, change: object = {}) => call(HOSTED_CREATE, { body: { ...ORDER, ...change } });

for (const engine of enginesOfTier) {
  test(`4.1 response: on ${engine}, status, message and a payment_url with 32 hex digits`, async (t) => {
    const api = await openApi(t, { engine });
    const response = await api.call(HOSTED_CREATE, {
      headers: { host: 'pay.example.com' },
      body: { ...ORDER, cus_name: 'রহিম উদ্দিন', metadata: { order: 7 } },
    });
    t.is(response.statusCode, 200);
    t.is(response.headers['cache-control'], 'no-store');
    t.deepEqual(response.json(), {
      status: true,
      message: 'Payment URL generated',
      payment_url: `https://pay.example.com/api/execute/${referenceOf(response)}`,
    });
    t.like(await sessionOf(api, response), {
      flow: 'hosted',
      status: 'PENDING',
      cus_name: 'রহিম উদ্দিন',
      amount_paisa: 50_000,
      meta_data: '{"order":7}',
      ...RETURNS,
    });
  });
}

test('4.1 POST and GET: JSON, both forms and the query open the same session', async (t) => {
  const api = await openApi(t);
  const fields = { ...ORDER, amount: '10.50', cus_name: "O'Neil & রহিম", cus_email: 'r+m@example.com' };
  const ways: [name: string, path: string, call: Call][] = [
    ['JSON', HOSTED_CREATE, { body: fields }],
    ['urlencoded', HOSTED_CREATE, form(fields)],
    ['multipart', HOSTED_CREATE, multipart(fields)],
    ['GET', query(fields), { method: 'GET' }],
    ['GET with a body, which counts nothing', query(fields), { method: 'GET', body: { amount: 9 } }],
    ['POST without a body', query(fields), {}],
    ['POST with an empty form', query(fields), form({})],
    ['POST with empty JSON', query(fields), { headers: { 'content-type': 'application/json' }, body: '' }],
    ['POST with a body and a query, which counts nothing', query({ amount: '9' }), { body: fields }],
  ];
  for (const [name, path, call] of ways) {
    const response = await api.call(path, call);
    t.is(response.statusCode, 200, name);
    t.like(
      await sessionOf(api, response),
      { amount_paisa: 1_050, cus_name: fields.cus_name, cus_email: fields.cus_email, ...RETURNS },
      name,
    );
  }
});

test('4.1 POST and GET: no other method opens a session, HEAD least of all', async (t) => {
  const api = await openApi(t);
  for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const response = await api.call(query(ORDER), { method });
    t.is(response.statusCode, 405, method);
    t.is(response.headers.allow, 'GET, POST', method);
  }
  t.is(await countSessions(api), 0);
});

test('4.1 amount: required, and reported before the addresses', async (t) => {
  const api = await openApi(t);
  for (const amount of [undefined, null, '', '  ']) {
    t.is(refusal(await post(api, { amount, success_url: '' })), '422 The amount field is required');
  }
  t.is(refusal(await api.call(query({}), { method: 'GET' })), '422 The amount field is required');
});

test('4.1 amount: a number or a numeric text, kept to the paisa', async (t) => {
  const api = await openApi(t);
  const amounts: [written: string, paisa: number][] = [
    ['1', 100],
    ['1.00', 100],
    ['"10"', 1_000],
    ['"100.00"', 10_000],
    ['"10.5"', 1_050],
    ['100.10', 10_010],
    ['1000000', 100_000_000],
    ['"1000000.00"', 100_000_000],
    // What a calculation in floating point leaves: 1.10 times 110, and 20 % off 150.
    ['121.00000000000001', 12_100],
    ['"119.99999999999999"', 12_000],
    ['1.00000000000000001', 100],
    ['"900.000"', 90_000],
    ['" 900 "', 90_000],
  ];
  for (const [written, paisa] of amounts) {
    const body = `{"amount":${written},${JSON.stringify(RETURNS).slice(1)}`;
    const response = await api.call(HOSTED_CREATE, { body });
    t.is((await sessionOf(api, response)).amount_paisa, paisa, written);
  }
});

const outOfRange = ['0', '0.99', '-1', '0.00', '1000000.01', '"0"', '"0.99"', '"99999999999999999999"'];
const noNumbers = [
  ...['1e3', '1e2', '1e400', '"1e3"', '"0x10"', '"NaN"', '"1,000"', '"1 000"', '"৫০০"'],
  ...['true', '[]', '[500]', '{}', '{"a":1}'],
];
test('4.1 amount: below 1.00, above 1,000,000.00 or no plain number is refused', async (t) => {
  const api = await openApi(t);
  const withAmount = (written: string) => `{"amount":${written},${JSON.stringify(RETURNS).slice(1)}`;
  for (const written of outOfRange) {
    t.is(refusal(await api.call(HOSTED_CREATE, { body: withAmount(written) })), RANGE, written);
  }
  for (const written of noNumbers) {
    const said = refusal(await api.call(HOSTED_CREATE, { body: withAmount(written) }));
    t.regex(said, /^422 The amount is not a number: write plain digits/, written);
  }
  const call = form(RETURNS);
  const inForm = async (fields: string) =>
    refusal(await api.call(HOSTED_CREATE, { ...call, body: `${call.body}&${fields}` }));
  t.is(await inForm('amount=0.99'), RANGE);
  for (const fields of ['amount[]=500', 'amount[a]=500', 'amount=1%2C000', 'amount=5%00']) {
    t.regex(await inForm(fields), /^422 The amount is not a number/, fields);
  }
  t.is(await countSessions(api), 0);
});

test('4.1 amount: a real part of a paisa is refused, and the message says that it is the decimals', async (t) => {
  const api = await openApi(t);
  for (const written of ['10.005', '"10.001"', '133.705', '"99.99999"', '0.001', '10.00999999']) {
    const body = `{"amount":${written},${JSON.stringify(RETURNS).slice(1)}`;
    t.is(refusal(await api.call(HOSTED_CREATE, { body })), DECIMALS, written);
    const inForm = form({ ...RETURNS, amount: written.replaceAll('"', '') });
    t.is(refusal(await api.call(HOSTED_CREATE, inForm)), DECIMALS, written);
  }
  t.is(await countSessions(api), 0);
});

const PEOPLE = [
  {
    names: ['cus_name', 'customer_name', 'c_name', 'name', 'fullname'],
    kept: 'cus_name',
    initial: 'Default Name',
    max: 200,
  },
  {
    names: ['cus_email', 'customer_email', 'c_email', 'email'],
    kept: 'cus_email',
    initial: 'customer@example.com',
    max: 254,
  },
] as const;
for (const { names, kept, initial, max } of PEOPLE) {
  test(`4.1 ${kept}: ${initial} where none is given`, async (t) => {
    const api = await openApi(t);
    for (const value of [undefined, null, false, '', '  ']) {
      const nothing = Object.fromEntries(names.map((name) => [name, value]));
      t.is((await sessionOf(api, await post(api, nothing)))[kept], initial);
    }
  });

  test(`4.1 ${kept}: the first of its aliases that is not empty counts`, async (t) => {
    const api = await openApi(t);
    for (const [index, name] of names.entries()) {
      const others = names.map((other, at): [string, string] => [other, at < index ? ' ' : 'later']);
      const change = { ...Object.fromEntries(others), [name]: 'রহিম' };
      t.is((await sessionOf(api, await post(api, change)))[kept], 'রহিম', name);
    }
  });

  test(`4.1 ${kept}: a text of one line and at most ${max} characters`, async (t) => {
    const api = await openApi(t);
    const answer = async (value: unknown) => refusal(await post(api, { [kept]: value }));
    t.is((await post(api, { [kept]: '😀'.repeat(max) })).statusCode, 200);
    t.is(await answer('ক'.repeat(max + 1)), `422 The ${kept} may be at most ${max} characters long`);
    for (const text of ['a\u0000b', 'a\nb', '\u001b[2J', 'a\u0085b']) {
      t.is(await answer(text), `422 The ${kept} has a line break or another control character`);
    }
    for (const value of [5.5, 2 ** 53, true, ['x'], {}])
      t.is(await answer(value), `422 The ${kept} must be a text`);
    // What PHP's JSON_NUMERIC_CHECK makes of a text of digits.
    t.is((await sessionOf(api, await post(api, { [kept]: 1712345678 })))[kept], '1712345678');
    t.is(
      refusal(await api.call(HOSTED_CREATE, form({ ...ORDER, [kept]: 'a\u0000b' }))),
      `422 The ${kept} has a line break or another control character`,
    );
  });
}

test('4.1 meta_data: an object or its JSON text, also under metadata; null without one', async (t) => {
  const api = await openApi(t);
  const meta = { order: 7, 'a"b': '<b>ক', list: [1, null] };
  const same = JSON.stringify(meta);
  const kept: [change: object, json: string | null][] = [
    [{}, null],
    [{ meta_data: meta }, same],
    [{ metadata: meta }, same],
    [{ meta_data: same }, same],
    [{ metadata: same }, same],
    [{ meta_data: meta, metadata: { other: 1 } }, same],
    ...['', null, false, [], '[]', 'null'].map((meta_data): [object, string] => [
      { meta_data, metadata: meta },
      same,
    ]),
    ...['', null, false, [], '[]', 'null'].map((meta_data): [object, null] => [{ meta_data }, null]),
    [{ meta_data: {} }, '{}'],
  ];
  for (const [change, json] of kept) {
    t.is((await sessionOf(api, await post(api, change))).meta_data, json, JSON.stringify(change));
  }
});

test('4.1 meta_data: a form may spell it in brackets, as PHP does', async (t) => {
  const api = await openApi(t);
  const fields = { ...ORDER, 'metadata[order]': '7', 'metadata[items][0]': 'ক', 'metadata[items][1]': 'b' };
  const ways: [path: string, call: Call][] = [
    [HOSTED_CREATE, form(fields)],
    [HOSTED_CREATE, { ...form(ORDER), body: `${formText(ORDER)}&metadata[order]=7&metadata[items][]=ক` }],
    [HOSTED_CREATE, multipart(fields)],
    [query(fields), { method: 'GET' }],
  ];
  for (const [path, call] of ways) {
    const { meta_data } = await sessionOf(api, await api.call(path, call));
    t.like(JSON.parse(meta_data ?? ''), { order: '7', items: ['ক'] });
  }
});

test('4.1 meta_data: at most 8 KiB and 8 levels, and nothing but an object', async (t) => {
  const api = await openApi(t);
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  t.is((await post(api, { meta_data: deep(8) })).statusCode, 200);
  const wrong: [value: unknown, fault: string][] = [
    [deep(9), 'may be at most 8 levels deep'],
    [{ a: 'x'.repeat(9_000) }, 'may be at most 8 KiB'],
    ...[5, true, ['x'], 'no json', '5', '["x"]'].map((value): [unknown, string] => [
      value,
      'must be an object',
    ]),
  ];
  for (const [meta_data, fault] of wrong) {
    t.is(refusal(await post(api, { meta_data })), `422 The meta_data ${fault}`);
  }
});

test('4.1 return_type: GET or POST in any case; without one what the brand has set', async (t) => {
  const api = await openApi(t);
  const typeOf = async (return_type?: unknown) =>
    (await sessionOf(api, await post(api, { return_type }))).return_type;
  t.deepEqual(await Promise.all([undefined, '', 'get', 'POST', 'post'].map(typeOf)), [
    'GET',
    'GET',
    'GET',
    'POST',
    'POST',
  ]);
  await setBrand(api, { return_type: 'POST' });
  t.deepEqual([await typeOf(), await typeOf('Get')], ['POST', 'GET']);
  t.is(refusal(await post(api, { return_type: 'PUT' })), '422 The return_type must be GET or POST');
});

test('4.1 unknown fields are let through and never looked at', async (t) => {
  const api = await openApi(t);
  const extras = { cus_phone: '017', uid: 5, type: ['x'], order_id: {}, status: 'COMPLETED', id: 'mine' };
  const response = await post(api, extras);
  t.is(response.statusCode, 200);
  t.like(await sessionOf(api, response), { status: 'PENDING', cus_name: 'Default Name' });
});
