/**
 * What verify says at its top of a payment that nobody has made: `true` where the specification wants it, and
 * never to the programs that would deliver the order for it.
 */
import { spawnSync } from 'node:child_process';
import test from 'ava';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { type Api, type Call, CREATE, HOSTED_VERIFY, openApi, VERIFY } from '../api.js';
import { form, formText, multipart, setBrand } from './orders.js';

const UNPAID = 'The payment is not completed: it is not paid yet, or under review';
const FAILED = 'The payment has failed: it was cancelled, refused, or has expired';

/** Session ids: one is open, one cancelled, one paid. */
async function openPayments({ core, shop, clock }: Api) {
  const [open, cancelled, paid] = [
    await shop.link(50_000),
    await shop.link(50_000),
    await shop.order(50_000),
  ];
  await cancelSession(core, cancelled);
  return { open, cancelled, paid, trxId: bkashId(clock.now(), 1) };
}

async function settle(api: Api, id: string, trxId: string): Promise<void> {
  await api.shop.receive(bkashText({ taka: '500.00', trxId, at: api.clock.now() }));
  await api.call(VERIFY, { body: { id, method: 'mfs_a', transaction_id: trxId } });
}

async function openScene(t: Parameters<typeof openApi>[0]) {
  const api = await openApi(t);
  const payments = await openPayments(api);
  await settle(api, payments.paid, payments.trxId);
  const ask = async (id: string, call: Call, path = HOSTED_VERIFY) => {
    const response = await api.callBare(path, call);
    if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${response.body} for ${id}`);
    return response.json() as { status: unknown; message?: string; data: { status: string } };
  };
  return { api, payments, ask };
}

const LEGACY = ['API-KEY', 'SECRET-KEY', 'X-API-KEY', 'SOHOJPAY-API-KEY'];

/** Every way in which a request may carry a legacy name of the key. */
function legacyCalls(key: string, transaction_id: string): [name: string, call: Call, path: string][] {
  const body = { transaction_id };
  return [
    ...LEGACY.flatMap((name): [string, Call, string][] => [
      [`${name} alone`, { headers: { [name]: key }, body }, HOSTED_VERIFY],
      [`${name} beside BRAND-KEY`, { headers: { 'BRAND-KEY': key, [name]: key }, body }, HOSTED_VERIFY],
      [`a placeholder in ${name}`, { headers: { 'BRAND-KEY': key, [name]: 'x' }, body }, HOSTED_VERIFY],
      [`nothing in ${name}`, { headers: { 'BRAND-KEY': key, [name]: '' }, body }, HOSTED_VERIFY],
      [`${name} by GET`, { method: 'GET', headers: { [name]: key } }, `${HOSTED_VERIFY}?${formText(body)}`],
    ]),
    ['api_key in JSON', { body: { ...body, api_key: key } }, HOSTED_VERIFY],
    ['api_key in a form', form({ ...body, api_key: key }), HOSTED_VERIFY],
    ['api_key in a multipart form', multipart({ ...body, api_key: key }), HOSTED_VERIFY],
    ['api_key in the query', { method: 'GET' }, `${HOSTED_VERIFY}?${formText({ ...body, api_key: key })}`],
    [
      'api_key beside BRAND-KEY',
      { headers: { 'BRAND-KEY': key }, body: { ...body, api_key: 'x' } },
      HOSTED_VERIFY,
    ],
    ['the other path', { headers: { 'X-API-KEY': key }, body }, '/api/payment/verify-payment'],
  ];
}

test('a request with a legacy name of the key returns true for a completed payment only', async (t) => {
  const { api, payments, ask } = await openScene(t);
  const key = api.shop.brandKey;
  const wanted = [
    [payments.open, { status: false, message: UNPAID, data: { status: 'PENDING' } }],
    [payments.cancelled, { status: false, message: FAILED, data: { status: 'FAILED' } }],
    [payments.trxId, { status: true, data: { status: 'COMPLETED', transaction_id: payments.trxId } }],
  ] as const;
  for (const [id, answer] of wanted) {
    const modern = await ask(id, { headers: { 'brand-key': key }, body: { transaction_id: id } });
    for (const [name, call, path] of legacyCalls(key, id)) {
      const told = await ask(id, call, path);
      t.like(told, answer, name);
      t.deepEqual(told.data, modern.data, name);
      t.deepEqual(Object.keys(told).includes('message'), !answer.status, name);
    }
  }
});

test('with BRAND-KEY or Bearer alone, every payment found gets status true, as specified', async (t) => {
  const { api, payments, ask } = await openScene(t);
  const key = api.shop.brandKey;
  for (const headers of [{ 'BRAND-KEY': key }, { Authorization: `Bearer ${key}` }] as Record<
    string,
    string
  >[]) {
    for (const id of [payments.open, payments.cancelled, payments.trxId]) {
      const { status, message } = await ask(id, { headers, body: { transaction_id: id } });
      t.deepEqual([status, message], [true, undefined]);
    }
  }
});

test('dialect strict: every request gets true only for a completed payment', async (t) => {
  const { api, payments, ask } = await openScene(t);
  await setBrand(api, { dialect: 'strict' });
  const headers = { 'BRAND-KEY': api.shop.brandKey };
  const told = (id: string) => ask(id, { headers, body: { transaction_id: id } });
  t.like(await told(payments.open), { status: false, message: UNPAID, data: { status: 'PENDING' } });
  t.like(await told(payments.cancelled), { status: false, message: FAILED, data: { status: 'FAILED' } });
  t.like(await told(payments.trxId), { status: true, data: { status: 'COMPLETED' } });
});

test('dialect flat: the top-level status is the text, for every caller', async (t) => {
  const { api, payments, ask } = await openScene(t);
  await setBrand(api, { dialect: 'flat' });
  for (const name of ['BRAND-KEY', ...LEGACY]) {
    const headers = { [name]: api.shop.brandKey };
    const told = async (id: string) => (await ask(id, { headers, body: { transaction_id: id } })).status;
    t.is(await told(payments.open), 'PENDING');
    t.is(await told(payments.cancelled), 'FAILED');
    t.is(await told(payments.trxId), 'COMPLETED');
  }
});

test('dialect flat: name and address are given under the names that each client of the family uses', async (t) => {
  const { api, payments, ask } = await openScene(t);
  await setBrand(api, { dialect: 'flat' });
  const body = { transaction_id: payments.trxId };
  const told = await ask(payments.trxId, { headers: { 'X-API-KEY': api.shop.brandKey }, body });
  t.like(told, { cus_name: 'Customer', fullname: 'Customer', email: '', metadata: { order: 7 } });
});

/** What PHP makes of each answer, as published plugins ask: loosely, by the status at the top alone. */
const PHP = `
foreach (json_decode($argv[1], true) as $answer) {
  $data = json_decode($answer, true);
  echo ($data['status'] == "COMPLETED" || $data['status'] == "success") ? '1' : '0';
}
`;

test('PHP that compares loosely takes no unpaid answer for paid, in any dialect', async (t) => {
  const { api, payments } = await openScene(t);
  const paid: string[] = [];
  for (const dialect of ['standard', 'strict', 'flat'] as const) {
    await setBrand(api, { dialect });
    for (const id of [payments.open, payments.cancelled, 'NOBODYS', payments.trxId]) {
      const body = { transaction_id: id };
      const answer = await api.callBare(HOSTED_VERIFY, { headers: { 'API-KEY': api.shop.brandKey }, body });
      paid.push(answer.body);
    }
  }
  const refused = await api.callBare(HOSTED_VERIFY, { headers: { 'API-KEY': 'x' }, body: {} });
  const { stdout, stderr } = spawnSync('php', [
    '-n',
    '-r',
    PHP,
    '--',
    JSON.stringify([...paid, refused.body]),
  ]);
  t.is(stdout.toString(), '0001'.repeat(3).concat('0'), stderr.toString());
});

test('the headless API accepts the legacy names too, and still returns true only for completed payments', async (t) => {
  const { api } = await openScene(t);
  for (const name of LEGACY) {
    const headers = { [name]: api.shop.brandKey };
    t.is((await api.callBare(CREATE, { headers, body: { cus_name: 'R', amount: 5 } })).statusCode, 200, name);
  }
});
