/** Spec 4.3 and 2.5, row by row: how `/api/payment/verify` is asked and what it answers. */
import test from 'ava';
import { HOSTED_REFERENCE_FIELDS } from '../../../daemon/http/routes/hosted.js';
import { claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { addBank } from '../../helpers/shop/hosted.js';
import { bkashId, bkashText, openShop } from '../../helpers/shop/shop.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { type Api, type Call, HOSTED_CREATE, HOSTED_VERIFY, openApi, refusal } from '../api.js';
import { form, formText, multipart, ORDER, referenceOf, sessionOf, setBrand } from './orders.js';

const NOT_FOUND = '404 Transaction ID not found, ensure customer has completed transfer';
const REQUIRED = '422 The transaction_id field is required';

interface Order {
  /** `<session_ref>` */
  readonly id: string;
  /** What stands as `transactionId` while nothing is credited. */
  readonly gatewayReference: string;
}

async function openOrder(api: Api, change: object = {}): Promise<Order> {
  const response = await api.call(HOSTED_CREATE, { body: { ...ORDER, ...change } });
  const { gateway_reference: gatewayReference } = await sessionOf(api, response);
  return { id: referenceOf(response), gatewayReference };
}

/** The customer pays that much and says so on the page. @returns the transaction id */
async function pay({ core, clock, shop }: Api, order: Order, taka = '500.00'): Promise<string> {
  const at = clock.now();
  const trxId = bkashId(at, 1);
  await shop.receive(bkashText({ taka, trxId, at }));
  await claimCheckout(core, { sessionId: order.id, channel: 'mfs_a', text: trxId });
  return trxId;
}

const ask = ({ call }: Api, transaction_id: string) => call(HOSTED_VERIFY, { body: { transaction_id } });

for (const engine of enginesOfTier) {
  test(`4.3 response: on ${engine}, a completed payment with the record of 2.5, ever the same`, async (t) => {
    const api = await openApi(t, { engine });
    const order = await openOrder(api, {
      cus_name: 'রহিম',
      cus_email: 'r@example.com',
      metadata: { order: 7 },
    });
    const trxId = await pay(api, order);
    const first = await ask(api, trxId);
    t.is(first.statusCode, 200);
    t.deepEqual(first.json(), {
      status: true,
      data: {
        cus_name: 'রহিম',
        cus_email: 'r@example.com',
        amount: '500.00',
        transaction_id: trxId,
        meta_data: { order: 7 },
        payment_method: 'mfs_a',
        status: 'COMPLETED',
      },
    });
    const others = [` ${trxId.toLowerCase()} `, order.gatewayReference, order.gatewayReference.toLowerCase()];
    for (const reference of [trxId, ...others, order.id]) {
      t.is((await ask(api, reference)).body, first.body, reference);
    }
  });

  test(`4.3 transaction_id: on ${engine}, what a customer calls a bank transfer hides no other payment`, async (t) => {
    const api = await openApi(t, { engine });
    await addBank(api.core, api.shop.brand.name);
    const [unpaid, paid] = [await openOrder(api, { amount: '90000' }), await openOrder(api)];
    const trxId = await pay(api, paid);
    for (const reference of [unpaid.id, unpaid.gatewayReference, trxId]) {
      api.clock.advance(1_000);
      const cheap = await openOrder(api, { amount: '10' });
      await claimBankTransfer(api.core, { sessionId: cheap.id, text: reference, slip: null });
      const [review] = await listReviews(api.core, { state: 'OPEN', limit: 1 });
      await approveReview(api.core, { id: review?.id ?? '', note: 'seen', who: 'test' });
      t.is((await ask(api, cheap.gatewayReference)).json().data.status, 'COMPLETED');
    }
    for (const reference of [unpaid.id, unpaid.gatewayReference]) {
      t.like((await ask(api, reference)).json().data, { amount: '90000.00', status: 'PENDING' });
    }
    t.like((await ask(api, trxId)).json().data, { amount: '500.00', payment_method: 'mfs_a' });
  });

  test(`4.3 transaction_id: on ${engine}, what can be no reference is not found`, async (t) => {
    const api = await openApi(t, { engine });
    const order = await openOrder(api);
    const { id, gatewayReference } = order;
    const strange = ['a\u0000b', '\ud800', "' OR 1=1--", '%', '_'.repeat(12), 'x'.repeat(5_000), '💸'];
    for (const reference of [...strange, id.slice(0, 31), `${id}0`, gatewayReference.slice(1), `${id} x`]) {
      t.is(refusal(await ask(api, reference)), NOT_FOUND, reference.slice(0, 40));
    }
    t.is(refusal(await api.call(HOSTED_VERIFY, form({ trx: 'a\u0000b' }))), NOT_FOUND);
  });
}

test('4.3 POST and GET: JSON, both forms and the query ask the same', async (t) => {
  const api = await openApi(t);
  const { id, gatewayReference } = await openOrder(api);
  const fields = { transaction_id: gatewayReference };
  const ways: [path: string, call: Call][] = [
    [HOSTED_VERIFY, { body: fields }],
    [HOSTED_VERIFY, form(fields)],
    [HOSTED_VERIFY, multipart(fields)],
    [`${HOSTED_VERIFY}?${formText(fields)}`, { method: 'GET' }],
    [`${HOSTED_VERIFY}?${formText(fields)}`, {}],
    [`${HOSTED_VERIFY}?transaction_id=${id}`, { method: 'GET' }],
  ];
  for (const [path, call] of ways) {
    t.like((await api.call(path, call)).json(), { status: true, data: fields }, path);
  }
});

test('4.3 transaction_id: the first of its names that is not empty counts', async (t) => {
  const api = await openApi(t);
  const { gatewayReference } = await openOrder(api);
  for (const [index, name] of HOSTED_REFERENCE_FIELDS.entries()) {
    const others = HOSTED_REFERENCE_FIELDS.map((other, at): [string, string] => [
      other,
      at < index ? '' : 'WRONG',
    ]);
    const body = { ...Object.fromEntries(others), [name]: gatewayReference };
    t.is((await api.call(HOSTED_VERIFY, { body })).statusCode, 200, name);
    t.is((await api.call(HOSTED_VERIFY, form(body))).statusCode, 200, name);
  }
});

test('4.3 transaction_id: required, and a text', async (t) => {
  const api = await openApi(t);
  const bodies: [body: object, answer: string][] = [
    [{}, REQUIRED],
    [{ transaction_id: '' }, REQUIRED],
    [{ transaction_id: ' ', trx: null }, REQUIRED],
    [{ order_id: 'ABC' }, REQUIRED],
    [{ transaction_id: 5.5 }, '422 The transaction_id must be a text'],
    [{ trx: 2 ** 53 }, '422 The trx must be a text'],
    [{ transaction_id: 4123456789 }, NOT_FOUND],
    [{ trx_id: ['ABC'] }, '422 The trx_id must be a text'],
  ];
  for (const [body, answer] of bodies) t.is(refusal(await api.call(HOSTED_VERIFY, { body })), answer);
  t.is(refusal(await api.call(HOSTED_VERIFY, { method: 'GET' })), REQUIRED);
  t.is(refusal(await api.call(HOSTED_VERIFY)), REQUIRED);
  const listed = `${HOSTED_VERIFY}?transaction_id[]=ABC`;
  t.is(refusal(await api.call(listed, { method: 'GET' })), '422 The transaction_id must be a text');
});

test('4.3 another brand’s payment is not found, by whatever reference', async (t) => {
  const api = await openApi(t);
  const order = await openOrder(api);
  const trxId = await pay(api, order);
  const other = await openShop(api.core, 'Bela Store', '01711000002');
  const headers = { 'brand-key': other.brandKey };
  for (const transaction_id of [order.id, order.gatewayReference, trxId]) {
    t.is(refusal(await api.call(HOSTED_VERIFY, { headers, body: { transaction_id } })), NOT_FOUND);
  }
});

test('2.5 status: PENDING, under review and FAILED are answers and no errors', async (t) => {
  const api = await openApi(t);
  const dataOf = async ({ gatewayReference }: Order) => (await ask(api, gatewayReference)).json().data;
  const [open, doubtful] = [await openOrder(api), await openOrder(api)];
  const [cancelled, late] = [await openOrder(api), await openOrder(api)];
  const nothing = { transaction_id: open.gatewayReference, payment_method: null, status: 'PENDING' };
  t.like(await dataOf(open), nothing);
  await pay(api, doubtful, '900.00');
  t.like(await dataOf(doubtful), {
    transaction_id: doubtful.gatewayReference,
    amount: '500.00',
    payment_method: 'mfs_a',
    status: 'PENDING',
    review: true,
  });
  t.false('review' in (await dataOf(open)));
  await cancelSession(api.core, cancelled.id);
  t.like(await dataOf(cancelled), { transaction_id: cancelled.gatewayReference, status: 'FAILED' });
  t.is((await dataOf(late)).status, 'PENDING');
  api.clock.advance(60 * 60_000);
  t.is((await dataOf(late)).status, 'FAILED');
  t.is((await dataOf(doubtful)).status, 'PENDING');
});

test('2.5 amount: a text with two decimals', async (t) => {
  const api = await openApi(t);
  for (const [amount, text] of Object.entries({ '1': '1.00', '10.5': '10.50', '1000000': '1000000.00' })) {
    const { gatewayReference } = await openOrder(api, { amount });
    t.is((await ask(api, gatewayReference)).json().data.amount, text);
  }
});

test('2.5 meta_data: null without one; as its JSON text for a brand that wants that', async (t) => {
  const api = await openApi(t);
  const [bare, full] = [await openOrder(api), await openOrder(api, { meta_data: { b: 1, a: ['ক'] } })];
  const metaOf = async (order: Order) => (await ask(api, order.gatewayReference)).json().data.meta_data;
  t.deepEqual([await metaOf(bare), await metaOf(full)], [null, { b: 1, a: ['ক'] }]);
  await setBrand(api, { metadata_as: 'string' });
  t.deepEqual([await metaOf(bare), await metaOf(full)], [null, '{"b":1,"a":["ক"]}']);
});

test('dialect flat: the record is at the top level, with both names of meta_data, and again as data', async (t) => {
  const api = await openApi(t);
  await setBrand(api, { dialect: 'flat' });
  const order = await openOrder(api, { metadata: { order: 7 } });
  const record = (status: string, transaction_id: string, payment_method: string | null) => ({
    cus_name: 'Default Name',
    cus_email: 'customer@example.com',
    amount: '500.00',
    transaction_id,
    meta_data: { order: 7 },
    metadata: { order: 7 },
    fullname: 'Default Name',
    email: 'customer@example.com',
    payment_method,
    status,
  });
  // Some programs credit `amount` and `metadata` and never look at `status`.
  t.deepEqual((await ask(api, order.gatewayReference)).json(), {
    status: 'PENDING',
    message: 'The payment is not completed: it is not paid yet, or under review',
    transaction_id: order.gatewayReference,
    data: record('PENDING', order.gatewayReference, null),
  });
  const trxId = await pay(api, order);
  const paid = record('COMPLETED', trxId, 'mfs_a');
  t.deepEqual((await ask(api, trxId)).json(), { ...paid, data: paid });
  t.is(refusal(await ask(api, 'NOBODYS')), NOT_FOUND);
  await setBrand(api, { metadata_as: 'string' });
  t.like((await ask(api, trxId)).json(), { metadata: '{"order":7}', data: { meta_data: '{"order":7}' } });
});

test('status_as lower: v1 writes the status in small letters, in each dialect', async (t) => {
  const api = await openApi(t);
  const [open, failed, order] = [await openOrder(api), await openOrder(api), await openOrder(api)];
  const cancelled = await cancelSession(api.core, failed.id);
  t.truthy(cancelled);
  const trxId = await pay(api, order);
  const said = async () => {
    const answers = await Promise.all([open.id, failed.id, trxId].map((id) => ask(api, id)));
    return answers.map((answer) => answer.json().data.status);
  };
  t.deepEqual(await said(), ['PENDING', 'FAILED', 'COMPLETED']);
  for (const dialect of ['standard', 'flat', 'strict'] as const) {
    await setBrand(api, { dialect, status_as: 'lower' });
    t.deepEqual(await said(), ['pending', 'failed', 'completed'], dialect);
  }
  await setBrand(api, { dialect: 'flat' });
  t.is((await ask(api, trxId)).json().status, 'completed');
});

test('8 polling: asking again and again changes nothing', async (t) => {
  const api = await openApi(t);
  const { gatewayReference } = await openOrder(api);
  const tables = ['sessions', 'claims', 'transactions', 'reviews', 'audit'] as const;
  const everything = () =>
    api.core.store.read((db) =>
      Promise.all(tables.map((name) => db.query.selectFrom(name).selectAll().execute())),
    );
  const before = await everything();
  for (let turn = 0; turn < 20; turn += 1) {
    t.is((await ask(api, gatewayReference)).statusCode, 200);
    t.is((await ask(api, 'NOBODYS')).statusCode, 404);
    api.clock.advance(5_000);
  }
  t.deepEqual(await everything(), before);
});
