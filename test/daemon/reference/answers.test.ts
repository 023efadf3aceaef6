/** What the document tells of requests and answers, held against what the app takes and gives. */
import test from 'ava';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import { ERRORS } from '../../../src/base/errors/errors.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import {
  type Api,
  type Call,
  CREATE,
  HOSTED_CREATE,
  HOSTED_VERIFY,
  openApi,
  PAIR,
  SMS,
  SYNC,
  VERIFY,
} from '../api.js';
import {
  form,
  formText,
  multipart,
  ORDER,
  query,
  referenceOf,
  sessionOf,
  setBrand,
} from '../hosted/orders.js';
import { getOpenApi, judgeOf, operationNamed, operationsOf } from './documented.js';

/** A shop whose every answer is held against the document. */
async function openJudged(t: Parameters<typeof openApi>[0]) {
  const api = await openApi(t);
  const judge = judgeOf(await getOpenApi(api));
  const ask = async (path: string, call: Call = {}) => {
    const response = await api.call(path, call);
    judge.holds(t, `${call.method ?? 'POST'} ${path.replace(/\?.*/, '')}`, response);
    return response;
  };
  return { api, judge, ask };
}

/** An SMS of that amount arrives. @returns its transaction id */
async function money({ shop, clock }: Api, taka: string, n: number): Promise<string> {
  const trxId = bkashId(clock.now(), n);
  await shop.receive(bkashText({ taka, trxId, at: clock.now() }));
  return trxId;
}

test('hosted: the answers of create are as documented', async (t) => {
  const { ask } = await openJudged(t);
  const asked = [
    await ask(HOSTED_CREATE, { body: ORDER }),
    await ask(HOSTED_CREATE, form(ORDER)),
    await ask(HOSTED_CREATE, multipart(ORDER)),
    await ask(query(ORDER), { method: 'GET' }),
    await ask(HOSTED_CREATE, { body: {} }),
    await ask(query({}), { method: 'GET' }),
    await ask(HOSTED_CREATE, { body: '{' }),
    await ask(HOSTED_CREATE, { body: 'x', headers: { 'content-type': 'text/plain' } }),
    await ask(HOSTED_CREATE, { body: ORDER, headers: { 'brand-key': 'bk_none' } }),
    await ask(HOSTED_CREATE, { body: { ...ORDER, cus_name: 'x'.repeat(70_000) } }),
  ];
  t.deepEqual(
    asked.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200, 422, 422, 400, 415, 401, 413],
  );
});

test('hosted: the answers of verify are as documented, paid or not, in both dialects', async (t) => {
  const { api, ask } = await openJudged(t);
  const created = await ask(HOSTED_CREATE, { body: { ...ORDER, meta_data: { order: 17 } } });
  const asked = `${HOSTED_VERIFY}?${formText({ transaction_id: referenceOf(created) })}`;
  const statuses: unknown[] = [];
  for (const columns of [{ dialect: 'standard' }, { dialect: 'flat' }, { metadata_as: 'string' }] as const) {
    await setBrand(api, columns);
    for (const method of ['GET', 'POST'] as const) {
      const response = await ask(asked, { method });
      statuses.push(response.json().data.status);
    }
  }
  t.deepEqual(new Set(statuses), new Set(['PENDING']));
  t.is((await ask(HOSTED_VERIFY, { body: { trx: 'NOSUCH' } })).statusCode, 404);
  t.is((await ask(HOSTED_VERIFY, { method: 'GET' })).statusCode, 422);
});

test('headless: the answers of create and verify are as documented', async (t) => {
  const { api, ask } = await openJudged(t);
  const order = { cus_name: 'Customer', amount: 500 };
  const { id } = (await ask(CREATE, { body: order })).json() as { readonly id: string };
  const claim = { id, method: 'mfs_a', transaction_id: bkashId(api.clock.now(), 1) };
  const refused = [
    await ask(CREATE, { body: { amount: 5 } }),
    await ask(CREATE, { body: { ...order, amount: 0 } }),
    await ask(CREATE, { body: order, headers: { 'brand-key': '' } }),
    await ask(VERIFY, { body: claim }),
    await ask(VERIFY, { body: { ...claim, method: 'cash' } }),
    await ask(VERIFY, { body: { ...claim, id: 'x' } }),
  ];
  t.deepEqual(
    refused.map(({ statusCode }) => statusCode),
    [400, 422, 401, 404, 400, 404],
  );
  await money(api, '500.00', 1);
  t.is((await ask(VERIFY, { body: claim })).statusCode, 200);
  const other = { ...claim, id: await api.shop.order(50_000) };
  t.is((await ask(VERIFY, { body: other })).statusCode, 400);
  const transaction_id = await money(api, '600.00', 2);
  t.is((await ask(VERIFY, { body: { ...other, transaction_id } })).statusCode, 202);
});

test('phones, watchdogs and customers: the answers are as documented', async (t) => {
  const { api, judge, ask } = await openJudged(t);
  const who = { merchant: 'Alo Store', name: 'Till', sims: ['1=01711000001'], who: 'test' };
  const { pairing_code } = await enrollDevice(api.core, who);
  t.is((await ask(PAIR, { body: { code: pairing_code } })).statusCode, 200);
  t.is((await ask(PAIR, { body: { code: pairing_code } })).statusCode, 401);
  const headers = { 'device-key': api.shop.deviceKey };
  const messages = [{ id: '1', sender: 'bKash', body: 'Hello', sim_slot: 1 }, null];
  t.is((await ask(SYNC, { headers, body: { messages } })).statusCode, 200);
  t.is((await ask(SMS, { headers, body: { messages } })).statusCode, 200);
  t.is((await ask(SMS, { headers, body: {} })).statusCode, 400);
  t.is((await ask(SMS, { headers, body: { messages: messages.concat(Array(200)) } })).statusCode, 413);
  t.is((await ask(SMS, { body: { messages } })).statusCode, 401);
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) {
    t.is((await ask(path, { method: 'GET' })).statusCode, 200, path);
  }
  for (const [ref, status] of [
    [await api.shop.link(50_000), 200],
    ['0'.repeat(32), 404],
  ] as const) {
    const page = await api.callBare(`/api/execute/${ref}`, { method: 'GET' });
    judge.holds(t, 'GET /api/execute/{session_ref}', page);
    t.is(page.statusCode, status);
  }
});

test('the documented requests are accepted unchanged', async (t) => {
  const { api } = await openJudged(t);
  const document = await getOpenApi(api);
  const send = { 'application/x-www-form-urlencoded': form, 'multipart/form-data': multipart } as const;
  const refused: string[] = [];
  for (const { name, operation } of operationsOf(document)) {
    for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
      const inForm = send[type as keyof typeof send];
      const call = inForm === undefined ? { body: example as object } : inForm(example as typeof ORDER);
      const { deviceKey, gatewayKey } = api.shop;
      const headers = { 'device-key': deviceKey, 'gateway-key': gatewayKey, ...call.headers };
      const { statusCode } = await api.call(name.replace('POST ', ''), { ...call, headers });
      if (statusCode !== 200) refused.push(`${operation.operationId} ${statusCode}`);
    }
  }
  // Payments, a display and a code that nobody here has made, refunds that the brand does not allow, a push
  // that no bank has signed, and a format that only stands for four.
  const strangers = [
    'verifyHostedPayment 404',
    'verifyPayment 404',
    'refundPayment 403',
    'showOnDisplay 404',
    'clearDisplay 404',
    'pairDevice 401',
    'forwardSms 404',
    'receivePush 401',
  ];
  t.deepEqual(new Set(refused), new Set(strangers));
});

/** The documented fields of a body. */
async function fieldsOf(api: Api, name: string) {
  const document = await getOpenApi(api);
  const media = operationNamed(document, name).requestBody?.content['application/json'];
  const schema = document.components.schemas[String(media?.schema.$ref).split('/').at(-1) ?? ''];
  return schema as {
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

test('hosted: fields are as long, as needed and as empty as documented', async (t) => {
  const api = await openApi(t);
  const { required, properties } = await fieldsOf(api, `POST ${HOSTED_CREATE}`);
  const status = async (change: object) =>
    (await api.call(HOSTED_CREATE, { body: { ...ORDER, ...change } })).statusCode;
  for (const name of Object.keys(properties)) {
    const isNeeded = required.includes(name);
    t.is(await status({ [name]: undefined }), isNeeded ? 422 : 200, name);
  }
  const limited = Object.entries(properties).filter(([, { maxLength }]) => maxLength !== undefined);
  t.true(limited.length >= 5);
  for (const [name, { maxLength, format }] of limited) {
    const text = (format === 'uri' ? 'https://shop.example/' : '').padEnd(Number(maxLength), 'x');
    t.deepEqual([await status({ [name]: text }), await status({ [name]: `${text}x` })], [200, 422], name);
  }
  for (const [amount, expected] of [
    [1, 200],
    ['1000000.00', 200],
    [0.99, 422],
    [1_000_000.01, 422],
    ['1e3', 422],
  ] as const)
    t.is(await status({ amount }), expected);
  const { cus_name, cus_email } = await sessionOf(api, await api.call(HOSTED_CREATE, { body: ORDER }));
  t.deepEqual([cus_name, cus_email], [properties.cus_name?.default, properties.cus_email?.default]);
});

test('headless: an amount, a name and a method are as documented', async (t) => {
  const api = await openApi(t);
  const judge = judgeOf(await getOpenApi(api));
  const { properties } = await fieldsOf(api, `POST ${CREATE}`);
  const create = async (change: object) =>
    (await api.call(CREATE, { body: { cus_name: 'Customer', amount: 5, ...change } })).statusCode;
  for (const amount of [0.01, '0.01', 1_000_000, '1000000.00', 0, 1_000_000.01, '1e3', '5.001', '']) {
    // The schema knows the form of a text, the route also its size.
    const isFit = judge.faults(properties.amount, amount) === '';
    t.is((await create({ amount })) === 200, isFit, String(amount));
  }
  for (const length of [200, 201]) {
    const cus_name = 'x'.repeat(length);
    t.is((await create({ cus_name })) === 200, judge.faults(properties.cus_name, cus_name) === '');
  }
  const { properties: claim } = await fieldsOf(api, `POST ${VERIFY}`);
  const id = await api.shop.order(500);
  for (const method of ['mfs_a', 'bep20', 'bank', 'MFS_A']) {
    const response = await api.call(VERIFY, { body: { id, method, transaction_id: 'x' } });
    const isKnown = !response.json().message.startsWith('method must be one of');
    t.is(isKnown, judge.faults(claim.method, method) === '', method);
  }
});

test('hosted: the documented other names mean the same', async (t) => {
  const api = await openApi(t);
  const { properties } = await fieldsOf(api, `POST ${HOSTED_CREATE}`);
  const aliases = Object.entries(properties).flatMap(([field, schema]) =>
    ((schema['x-aliases'] ?? []) as readonly string[]).map((name) => ({ field, name })),
  );
  t.true(aliases.length >= 7);
  for (const { field, name } of aliases) {
    const body = { ...ORDER, [name]: '{"a":1}' };
    const row = await sessionOf(api, await api.call(HOSTED_CREATE, { body }));
    t.is(row[field as 'cus_name' | 'cus_email' | 'meta_data'], '{"a":1}', name);
  }
});

for (const path of [HOSTED_VERIFY, VERIFY]) {
  test(`${path}: the reference is found under each documented name, and needed under one`, async (t) => {
    const { api, ask } = await openJudged(t);
    const { properties } = await fieldsOf(api, `POST ${path}`);
    const aliases = properties.transaction_id?.['x-aliases'] as readonly string[];
    const trxId = await money(api, '500.00', 1);
    const claim = { id: await api.shop.order(50_000), method: 'mfs_a' };
    t.is((await api.call(VERIFY, { body: { ...claim, transaction_id: trxId } })).statusCode, 200);
    const names = ['transaction_id', ...aliases];
    t.true(names.length >= 6);
    for (const name of names) {
      t.is((await ask(path, { body: { ...claim, [name]: trxId } })).statusCode, 200, name);
    }
    t.is((await ask(path, { body: claim })).statusCode, path === VERIFY ? 400 : 422);
  });
}

test('every documented refusal is a row of the error table, under its status', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const told = new Set<string>();
  for (const { name, operation } of operationsOf(document)) {
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      for (const code of Object.keys(content['application/json']?.examples ?? {})) {
        told.add(code);
        t.is(String(ERRORS[code as keyof typeof ERRORS].status), status, `${name} ${code}`);
      }
    }
  }
  for (const code of ['key_missing', 'merchant_suspended', 'already_credited', 'too_many_attempts']) {
    t.true(told.has(code), code);
  }
});
