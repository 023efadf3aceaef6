/** POST /api/v2/acquirer/push: who is let in, what is answered, and that nothing is answered too early. */
import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import {
  type CreateAcquirer,
  createAcquirer,
  revokeAcquirer,
} from '../../../src/actions/acquirers/acquirers.js';
import { openBank, PAYER, sign } from '../../helpers/shop/bank.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { type Call, openApi, PUSH, refusal, VERIFY } from '../api.js';

async function scene(
  t: ExecutionContext<unknown>,
  options: Parameters<typeof openApi>[1] = {},
  change: Partial<CreateAcquirer> = {},
) {
  const api = await openApi(t, options);
  const bank = await openBank(api.core, api.shop, change);
  const send = (body: string | Buffer, call: Call = {}, path = PUSH) =>
    api.callBare(path, {
      ...call,
      body,
      headers: { 'acquirer-key': bank.key, 'x-signature': sign(bank.secret, body), ...call.headers },
    });
  return { ...api, bank, send };
}

for (const engine of enginesOfTier) {
  test(`${engine}: a signed push is stored, and verify then finds it`, async (t) => {
    const { bank, send, call } = await scene(t, { engine });
    const { id } = await bank.order();
    const body = bank.written({ reference: 'RRN7' });
    const first = await send(body);
    t.is(first.statusCode, 200);
    t.like(first.json(), { status: true, message: 'Stored', data: { state: 'stored' } });
    const again = await send(body);
    t.is(again.statusCode, 200);
    t.like(again.json(), { status: true, data: { id: first.json().data.id, state: 'duplicate' } });
    const claim = { id, method: 'qr_interbank', mobile_number: '+880 1712-345678' };
    const verified = await call(VERIFY, { body: claim });
    t.is(verified.statusCode, 200, verified.body);
    t.like(verified.json(), {
      status: true,
      data: { transaction_id: 'RRN7', payment_method: 'qr_interbank', amount: 500, status: 'COMPLETED' },
    });
  });
}

test('every alias of spec 4.5 may hold the number, in full or its last four digits', async (t) => {
  const { bank, send, call } = await scene(t);
  const names = [
    'transaction_id',
    'order_id',
    'order',
    'trx_id',
    'transactionId',
    'tx_hash',
    'txhash',
    'hash',
  ];
  for (const [index, name] of [...names, 'number', 'mobile', 'trx', 'mobile_number'].entries()) {
    const { id } = await bank.order();
    await send(bank.written({ reference: name }));
    const proof = index % 2 === 0 ? PAYER : '5678';
    const verified = await call(VERIFY, { body: { id, method: 'qr_interbank', [name]: proof } });
    t.is(verified.json().data?.transaction_id, name, verified.body);
  }
});

test('the wrong key, no key, a revoked key and the key in the address are refused', async (t) => {
  const { core, bank, send, callBare } = await scene(t);
  const body = bank.written();
  t.is(refusal(await callBare(PUSH, { body })), '401 ACQUIRER-KEY header is required');
  const wrong = await send(body, { headers: { 'acquirer-key': `${bank.key}x` } });
  t.is(refusal(wrong), '401 Invalid or revoked ACQUIRER-KEY provided');
  const signed = { 'x-signature': sign(bank.secret, body) };
  const inAddress = await callBare(`${PUSH}?key=${bank.key}`, { body, headers: signed });
  t.is(refusal(inAddress), '401 ACQUIRER-KEY header is required');
  await revokeAcquirer(core, { acquirer: 'city-bank', who: 'test' });
  t.is(refusal(await send(body)), '401 Invalid or revoked ACQUIRER-KEY provided');
  t.deepEqual(await core.store.read((db) => db.query.selectFrom('pushes').selectAll().execute()), []);
});

test('only a signature of these very bytes is taken', async (t) => {
  const { core, bank, send } = await scene(t);
  const body = bank.written();
  const right = sign(bank.secret, body);
  const wrongs = [
    '',
    right.slice(0, -1),
    `${right}0`,
    `sha256=${right}`,
    sign(bank.secret, `${body} `),
    sign('another secret', body),
    Buffer.from(right, 'hex').toString('base64'),
    'z'.repeat(64),
  ];
  for (const wrong of wrongs) {
    const answered = await send(body, { headers: { 'x-signature': wrong } });
    t.is(refusal(answered), '401 The signature is missing or wrong', wrong);
  }
  t.deepEqual(await core.store.read((db) => db.query.selectFrom('pushes').selectAll().execute()), []);
  t.is((await send(body, { headers: { 'x-signature': right.toUpperCase() } })).statusCode, 200);
});

test('a signature may have its own header, encoding and prefix', async (t) => {
  const { bank, callBare } = await scene(
    t,
    {},
    {
      signatureHeader: 'X-Bank-Sign',
      signatureEncoding: 'base64',
      signaturePrefix: 'sha256=',
    },
  );
  const body = bank.written();
  const code = createHmac('sha256', bank.secret).update(body).digest('base64');
  const call = (value: string) =>
    callBare(PUSH, { body, headers: { 'acquirer-key': bank.key, 'x-bank-sign': value } });
  t.is((await call(code)).statusCode, 401);
  t.is((await call(`sha256=${code}`)).statusCode, 200);
});

test('an acquirer with a password needs the right one', async (t) => {
  const { bank, callBare } = await scene(t, {}, { auth: 'basic' });
  const call = (text: string) =>
    callBare(PUSH, {
      body: bank.written(),
      headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` },
    });
  t.is(refusal(await call(`${bank.key}:wrong`)), '401 The password is missing or wrong');
  t.is(refusal(await call(bank.key)), '401 ACQUIRER-KEY header is required');
  t.is(refusal(await call(`nobody:${bank.secret}`)), '401 Invalid or revoked ACQUIRER-KEY provided');
  const byHeader = await callBare(PUSH, { body: bank.written(), headers: { 'acquirer-key': bank.key } });
  t.is(refusal(byHeader), '401 The password is missing or wrong');
  t.is((await call(`${bank.key}:${bank.secret}`)).statusCode, 200);
});

test('an acquirer authenticated by address is accepted only from there, and its key is not logged', async (t) => {
  const rules = { auth: 'ip', allowIps: ['203.0.113.0/24'] } as const;
  const { core, shop, bank, callBare, logLines } = await scene(t, {}, rules);
  const path = `${PUSH}?key=${bank.key}`;
  const from = (remoteAddress: string) => callBare(path, { body: bank.written(), remoteAddress });
  const refused = '403 Requests from this IP address are not allowed for this acquirer';
  t.is(refusal(await from('192.0.2.1')), refused);
  t.is((await from('203.0.113.7')).statusCode, 200);
  t.true(logLines.length >= 2);
  t.false(logLines.join('').includes(bank.key));
  const open = { merchant: shop.merchantId, name: 'open', auth: 'ip', allowIps: [], who: 'test' } as const;
  await t.throwsAsync(createAcquirer(core, open), { code: 'invalid_input', message: 'allow-ip is missing' });
  for (const range of ['0.0.0.0/0', '0.0.0.0/1', '128.0.0.0/1', '::/0', '8000::/1']) {
    await t.throwsAsync(createAcquirer(core, { ...open, allowIps: ['203.0.113.7', range] }), {
      code: 'invalid_input',
      message: `allow-ip ${range} is too wide: with --auth ip anyone in it could report payments`,
    });
  }
});

test('addresses narrow a signature too, and a signature is needed all the same', async (t) => {
  const { bank, send } = await scene(t, {}, { allowIps: ['203.0.113.7'] });
  const body = bank.written();
  t.is((await send(body, { remoteAddress: '192.0.2.1' })).statusCode, 403);
  const unsigned = { remoteAddress: '203.0.113.7', headers: { 'x-signature': '' } };
  t.is((await send(body, unsigned)).statusCode, 401);
  t.is((await send(body, { remoteAddress: '::ffff:203.0.113.7' })).statusCode, 200);
});

test('a form is read like JSON, by the names of the map', async (t) => {
  const map = {
    reference: 'REFERENCEID',
    amount: 'AMOUNT',
    status: 'TXNSTATUS',
    success: ['S'],
    payer: 'CUSTOMERPHONE',
    paid_at: 'TXNDATE',
    time_format: 'YYYYMMDDHHmmss',
  };
  const { bank, send } = await scene(t, {}, { map });
  const { id } = await bank.order();
  const body =
    'REFERENCEID=123456789012&AMOUNT=500.00&TXNSTATUS=S&CUSTOMERPHONE=017****5678&TXNDATE=20260821123000';
  for (const type of ['application/x-www-form-urlencoded; charset=utf-8', 'text/plain']) {
    const answered = await send(body, { headers: { 'content-type': type } });
    t.is(answered.statusCode, 200, answered.body);
  }
  t.is(await bank.verify(id, PAYER), '123456789012');
});

test('JSON under the type that curl gives everything is read, and its signature is of the bytes as they came', async (t) => {
  const { core, bank, send } = await scene(t);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = ` ${bank.written({ reference: 'A+B%20C' })}\n`;
  t.is((await send(body, { headers })).statusCode, 200);
  t.is(
    (await send(body, { headers: { ...headers, 'x-signature': sign(bank.secret, body.trim()) } })).statusCode,
    401,
  );
  const kept = await core.store.read((db) => db.query.selectFrom('pushes').select('reference').execute());
  t.deepEqual(kept, [{ reference: 'A+B%20C' }]);
});

test('a push with an invalid media type is accepted as if it named none', async (t) => {
  const { core, bank, send } = await scene(t);
  for (const type of ['', ' ', 'json', 'json; charset=utf-8', 'a/b/c', 'é/json', 'application/', '/json']) {
    const answered = await send(bank.written(), { headers: { 'content-type': type } });
    t.is(answered.statusCode, 200, `${type}: ${answered.body}`);
  }
  const kept = await core.store.read((db) => db.query.selectFrom('pushes').select('state').execute());
  t.deepEqual(
    kept.map(({ state }) => state),
    Array.from({ length: 8 }, () => 'SETTLED'),
  );
});

test('an unreadable push is kept and answered 202, so that the bank does not resend it endlessly', async (t) => {
  const { core, bank, send, logLines } = await scene(t);
  const deep = '['.repeat(50_000);
  for (const body of ['{', '[]', deep, bank.written({ amount: '1,00' }), Buffer.from([0xff, 0, 0x80])]) {
    const answered = await send(body);
    t.is(answered.statusCode, 202, answered.body);
    t.like(answered.json(), { status: true, data: { state: 'kept' } });
  }
  const kept = await core.store.read((db) =>
    db.query.selectFrom('pushes').select(['body', 'state']).execute(),
  );
  t.is(kept.length, 5);
  t.deepEqual([...new Set(kept.map(({ state }) => state))], ['UNREAD']);
  t.true(kept.some(({ body }) => body === deep));
  t.true(kept.some(({ body }) => body === 'base64:/wCA'));
  t.is(logLines.filter((line) => line.includes('push needs review')).length, 5);
  t.false(logLines.join('').includes('1,00'));
});

test('an empty body is kept too, one of more than 64 KiB is refused', async (t) => {
  const { bank, callBare, send } = await scene(t);
  const headers = { 'acquirer-key': bank.key, 'x-signature': sign(bank.secret, '') };
  t.is((await callBare(PUSH, { headers })).statusCode, 202);
  t.is((await send(' '.repeat(65_537))).statusCode, 413);
});

test('while the store is full no push is accepted, and the bank is asked to retry later', async (t) => {
  const { core, bank, send } = await scene(t);
  const { id } = await bank.order();
  const body = bank.written({ note: 'x'.repeat(60_000) });
  const limitPages = (pages: number) =>
    core.store.write((db) => db.execute(`PRAGMA max_page_count = ${pages}`, []));
  await limitPages(1);
  const full = await send(body);
  t.is(refusal(full), '503 The disk of the store is full');
  t.not(full.headers['retry-after'], undefined);
  await limitPages(1_000_000);
  t.like((await send(body)).json(), { data: { state: 'stored' } });
  t.is(await bank.verify(id, PAYER), 'RRN000000001');
});

test('guessing keys is slowed down, and a right key is not', async (t) => {
  const { bank, send, callBare } = await scene(t, { env: { KASHBOX_FAILED_AUTH_PER_MINUTE: '3' } });
  const guess = () => callBare(PUSH, { body: '{}', headers: { 'acquirer-key': 'aq_guess' } });
  const statuses: number[] = [];
  for (let tries = 0; tries < 5; tries += 1) statuses.push((await guess()).statusCode);
  t.deepEqual(statuses, [401, 401, 401, 429, 429]);
  t.is((await send(bank.written())).statusCode, 200);
});

test('an acquirer that was revoked comes back under its name, with another key and the same references', async (t) => {
  const { core, shop, bank, send, callBare } = await scene(t);
  const body = bank.written({ reference: 'R1' });
  const first = (await send(body)).json().data.id;
  const anew = {
    merchant: shop.merchantId,
    name: 'city-bank',
    auth: 'hmac',
    allowIps: [],
    who: 'test',
  } as const;
  await t.throwsAsync(createAcquirer(core, anew), { code: 'already_exists' });
  await revokeAcquirer(core, { acquirer: bank.acquirer.id, who: 'test' });
  const back = await createAcquirer(core, anew);
  t.is(back.acquirer.id, bank.acquirer.id);
  t.not(back.acquirer_key, bank.key);
  t.is((await send(body)).statusCode, 401);
  const headers = { 'acquirer-key': back.acquirer_key, 'x-signature': sign(back.secret, body) };
  t.deepEqual((await callBare(PUSH, { body, headers })).json().data, { id: first, state: 'duplicate' });
});
