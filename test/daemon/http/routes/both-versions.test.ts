/** v1 and v2 read a request by the same code: what one takes, the other takes, and means the same by it. */
import test, { type ExecutionContext } from 'ava';
import { bkashId, bkashText } from '../../../helpers/shop/shop.js';
import { type Api, type Call, CREATE, HOSTED_CREATE, HOSTED_VERIFY, openApi, VERIFY } from '../../api.js';
import { type Fields, form, formText, multipart, RETURNS } from '../../hosted/orders.js';

/** What is kept of the newest order. */
async function kept({ core }: Api) {
  const rows = await core.store.read((db) => db.query.selectFrom('sessions').selectAll().execute());
  const row = rows.at(-1);
  if (row === undefined) throw new Error('there is no session');
  return { name: row.cus_name, email: row.cus_email, paisa: row.amount_paisa, meta: row.meta_data };
}

/** The same order by both versions. @returns the status of each, and what each has kept of what it took */
async function byBoth(api: Api, call: Call, query = '') {
  const answers = [];
  for (const path of [HOSTED_CREATE, CREATE]) {
    const { statusCode } = await api.call(`${path}${query}`, call);
    answers.push(statusCode === 200 ? await kept(api) : statusCode);
  }
  return answers;
}

async function same(t: ExecutionContext<unknown>, api: Api, call: Call, wanted: object, query = '') {
  const [hosted, headless] = await byBoth(api, call, query);
  t.like(hosted as object, wanted, JSON.stringify(call.body));
  t.deepEqual(headless, hosted, JSON.stringify(call.body));
}

const WANTED = { name: 'Asha', email: 'asha@example.com', paisa: 50_050, meta: '{"order":"7"}' };
const FIELDS = { cus_name: 'Asha', cus_email: 'asha@example.com', amount: '500.50', ...RETURNS };

test('JSON, both kinds of form and the query of a POST without a body mean the same', async (t) => {
  const api = await openApi(t);
  const fields: Fields = { ...FIELDS, meta_data: '{"order":"7"}' };
  await same(t, api, { body: { ...FIELDS, meta_data: { order: '7' } } }, WANTED);
  await same(t, api, { body: fields }, WANTED);
  await same(t, api, form(fields), WANTED);
  await same(t, api, multipart(fields), WANTED);
  await same(t, api, form({ ...FIELDS, 'metadata[order]': '7' }), WANTED);
  await same(t, api, {}, WANTED, `?${formText(fields)}`);
});

test('every name of a field is a name of it in both', async (t) => {
  const api = await openApi(t);
  const { cus_name: _name, cus_email: _email, ...rest } = FIELDS;
  for (const name of ['cus_name', 'customer_name', 'c_name', 'name', 'fullname']) {
    for (const email of ['cus_email', 'customer_email', 'c_email', 'email']) {
      for (const meta of ['meta_data', 'metadata']) {
        const body = { ...rest, [name]: 'Asha', [email]: 'asha@example.com', [meta]: { order: '7' } };
        await same(t, api, { body }, WANTED);
      }
    }
  }
});

test('numbers as texts, texts as numbers and amounts with the noise of floating point are the same in both', async (t) => {
  const api = await openApi(t);
  const order = (amount: string) =>
    `{"amount":${amount},"cus_name":1712345678,"email":"a@b",${JSON.stringify(RETURNS).slice(1)}`;
  for (const amount of ['500.50', '"500.50"', '500.5', '"500.500"', '500.50000000000001', '" 500.5 "']) {
    await same(t, api, { body: order(amount) }, { name: '1712345678', paisa: 50_050 });
  }
  t.deepEqual(await byBoth(api, { body: order('500.505') }), [422, 422]);
  t.deepEqual(await byBoth(api, { body: order('1e3') }), [422, 422]);
});

test('false, null, an empty text and an empty list are nothing in both', async (t) => {
  const api = await openApi(t);
  const order = { amount: 500, customer_name: 'Asha', ...RETURNS };
  for (const nothing of [false, null, '', ' ']) {
    const fields = { cus_name: nothing, cus_email: nothing, webhook_url: nothing, return_type: nothing };
    const [hosted, headless] = await byBoth(api, {
      body: { ...order, ...fields, metadata: nothing || null },
    });
    t.like(hosted as object, { name: 'Asha', email: 'customer@example.com', meta: null });
    t.like(headless as object, { name: 'Asha', email: '', meta: null });
  }
  await same(t, api, { body: { ...order, cus_email: 'a@b', metadata: false } }, { meta: null });
  await same(t, api, { body: { ...order, cus_email: 'a@b', meta_data: [] } }, { meta: null });
});

test('without a name v1 assumes one and v2 asks for it, as the specification has it', async (t) => {
  const api = await openApi(t);
  for (const cus_name of [undefined, false, '', null]) {
    const [hosted, headless] = await byBoth(api, { body: { amount: 500, cus_name, ...RETURNS } });
    t.like(hosted as object, { name: 'Default Name' });
    t.is(headless, 400);
  }
  t.deepEqual(await byBoth(api, { body: { cus_name: 'Asha', ...RETURNS } }), [422, 400]);
});

test('verify reads forms, and digits that became a number, in both', async (t) => {
  const api = await openApi(t);
  const at = api.clock.now();
  const trxId = bkashId(at, 1);
  await api.shop.receive(bkashText({ taka: '500.00', trxId, at }));
  const claim = { id: await api.shop.order(50_000), method: 'mfs_a', transaction_id: trxId };
  for (const path of [VERIFY, HOSTED_VERIFY]) {
    t.is((await api.call(path, form(claim))).statusCode, 200, path);
    t.is((await api.call(path, multipart(claim))).statusCode, 200, path);
    const body = { ...claim, transaction_id: 1712345678 };
    t.not((await api.call(path, { body })).json().message, 'transaction_id must be a text', path);
  }
});

test('the paths of the other programs open and verify the same payments', async (t) => {
  const api = await openApi(t);
  const created = await api.call('/api/payment/checkout', { body: { ...FIELDS, fullname: 'Asha' } });
  t.is(created.statusCode, 200);
  const transaction_id = String(created.json().payment_url).slice(-32);
  for (const path of ['/api/payment/verify-payment', HOSTED_VERIFY]) {
    t.like((await api.call(path, { body: { transaction_id } })).json(), { data: { status: 'PENDING' } });
    const asked = `${path}?${formText({ trx: transaction_id })}`;
    t.is((await api.call(asked, { method: 'GET' })).statusCode, 200);
  }
  t.is((await api.call('/api/payment/checkout', { method: 'HEAD' })).statusCode, 405);
});
