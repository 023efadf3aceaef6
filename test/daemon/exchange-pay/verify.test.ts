/** Exchange payments over the API: a strict exchange on loopback, its account set as an operator sets it. */
import test from 'ava';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import {
  EXCHANGE_KEY,
  EXCHANGE_SECRET,
  EXCHANGE_USER,
  paidOrder,
  paidRow,
} from '../../helpers/outside/exchange-server.js';
import { engines } from '../../helpers/stores/engines.js';
import { HOSTED_VERIFY, refusal, VERIFY } from '../api.js';
import { getOpenApi, judgeOf } from '../reference/documented.js';
import { IDS, order, pay, scene, verify } from './scene.js';

for (const engine of engines) {
  test(`${engine}: of many orders that claim one payment at once, by both its ids, one is paid`, async (t) => {
    const given = await scene(t, { engine });
    const orders = await Promise.all(Array.from({ length: 10 }, () => order(given.api)));
    pay(given, IDS);
    const answers = await Promise.all(
      orders.map(({ id }, index) => verify(given.api, id, index % 2 ? IDS.orderId : IDS.transactionId)),
    );
    t.is(answers.filter(({ statusCode }) => statusCode === 200).length, 1);
    t.is(answers.filter(({ statusCode }) => statusCode === 400).length, 9);
  });

  test(`${engine}: a payment is verified by either id with the same answer, and pays one order only`, async (t) => {
    const given = await scene(t, { engine });
    const { api } = given;
    const { id, method } = await order(api);
    t.deepEqual(method, {
      name: 'exchange_pay',
      active_payments: { personal: true, merchant: false },
      personal: EXCHANGE_USER,
      currency: 'USDT',
      dollar_rate: 120,
      amount_usdt: 4.1667,
    });
    pay(given, IDS);
    const done = await verify(api, id, ` ${IDS.orderId} `);
    t.is(done.statusCode, 200, done.body);
    const { data } = done.json() as { readonly data: Record<string, unknown> };
    t.like(data, {
      amount: 500,
      transaction_id: IDS.transactionId,
      payment_method: 'exchange_pay',
      status: 'COMPLETED',
    });
    // Spec 2.5 has these for `bep20` alone.
    t.false('receiver' in data || 'amount_usdt' in data);
    for (const reference of [IDS.orderId, IDS.transactionId.toLowerCase()]) {
      t.is((await verify(api, id, reference)).body, done.body);
    }
    const second = await order(api);
    for (const reference of [IDS.orderId, IDS.transactionId]) {
      t.is(
        refusal(await verify(api, second.id, reference)),
        '400 Transaction ID already verified and credited for another order',
      );
    }
    const hosted = await api.call(HOSTED_VERIFY, { body: { transaction_id: IDS.transactionId } });
    t.like(hosted.json(), { data: { amount: '500.00', status: 'COMPLETED' } });
    const judge = judgeOf(await getOpenApi(api));
    judge.holds(t, `POST ${VERIFY}`, done);
    judge.holds(t, `POST ${HOSTED_VERIFY}`, hosted);
  });
}

test('a payment that is credited under its order id is not credited again once it has a transaction id', async (t) => {
  const given = await scene(t);
  const { api, exchange } = given;
  const [first, second] = [await order(api), await order(api)];
  pay(given, { ...IDS, transactionId: undefined });
  t.is((await verify(api, first.id, IDS.orderId)).statusCode, 200);
  const [row] = exchange.rows.splice(0, 1);
  exchange.rows.push(paidRow(row?.at ?? 0, IDS));
  api.clock.advance(3_000);
  for (const reference of [IDS.transactionId, IDS.orderId]) {
    t.is(
      refusal(await verify(api, second.id, reference)),
      '400 Transaction ID already verified and credited for another order',
    );
  }
});

test('the id is taken under every name of the specification', async (t) => {
  const given = await scene(t);
  const { id } = await order(given.api);
  pay(given, IDS);
  const names = [
    'order_id',
    'order',
    'trx_id',
    'transactionId',
    'tx_hash',
    'txhash',
    'hash',
    'number',
    'trx',
  ];
  for (const name of [...names, 'mobile', 'mobile_number']) {
    const body = { id, method: 'exchange_pay', [name]: IDS.orderId };
    t.is((await given.api.call(VERIFY, { body })).statusCode, 200, name);
  }
});

const amounts: [amount: string, answer: string][] = [
  ['4.1667', '200'],
  ['4.16670000', '200'],
  ['4.1662', '200'],
  ['4.16619999', '400 The transaction amount does not match the payment amount'],
  ['4.25', '200'],
  ['4.26', '202'],
  ['0.00000001', '400 The transaction amount does not match the payment amount'],
];
for (const [amount, answer] of amounts) {
  test(`of 4.1667 USDT asked for, ${amount} paid is answered ${answer}`, async (t) => {
    const given = await scene(t);
    const { id } = await order(given.api);
    pay(given, { ...IDS, amount });
    const response = await verify(given.api, id, IDS.orderId);
    t.is(answer.length === 3 ? String(response.statusCode) : refusal(response), answer);
  });
}

test('a rate limit of the exchange returns its retry time to the shop', async (t) => {
  const { api, exchange } = await scene(t);
  const { id } = await order(api);
  exchange.faults.push({ status: 429, body: '', headers: { 'retry-after': '120' } });
  const response = await verify(api, id, IDS.orderId);
  t.is(refusal(response), '502 The exchange does not answer, retry in 120 seconds');
  t.is(response.headers['retry-after'], '120');
});

test('a review of an overpayment shows the amounts due and received in USDT', async (t) => {
  const given = await scene(t);
  const { id } = await order(given.api);
  pay(given, { ...IDS, amount: '4.26' });
  await verify(given.api, id, IDS.orderId);
  const [review] = await listReviews(given.api.core, { state: 'OPEN', limit: 10 });
  t.like(review, {
    reason: 'overpaid',
    due: '500.00',
    due_usdt: '4.1667',
    seen_usdt: '4.26',
    seen_amount: null,
  });
});

const wrong: [what: string, fields: Record<string, unknown>, says: string][] = [
  ['to another user', { receiverInfo: { binanceId: '1' } }, 'received by another account'],
  ['in another currency', { currency: 'BNB' }, 'not made in USDT'],
  ['that went out', { amount: '-4.1667' }, 'not an incoming payment'],
  ['that was refunded', { orderType: 'PAY_REFUND' }, 'not an incoming payment'],
];
for (const [what, fields, says] of wrong) {
  test(`a payment ${what} is refused with its reason`, async (t) => {
    const given = await scene(t);
    const { id } = await order(given.api);
    pay(given, { ...IDS, ...fields });
    const refused = refusal(await verify(given.api, id, IDS.orderId));
    t.true(refused.startsWith('400') && refused.includes(says), refused);
  });
}

test('a payment from before the order is refused, from within its five minutes it is not', async (t) => {
  const given = await scene(t);
  const { api, exchange } = given;
  const opened = api.clock.now();
  exchange.rows.push(paidRow(opened - 300_001, { ...IDS, transactionId: 'P_OLD_1', orderId: 'P_OLD_2' }));
  exchange.rows.push(paidRow(opened - 300_000, IDS));
  const { id } = await order(api);
  t.regex(refusal(await verify(api, id, 'P_OLD_1')), /^40[04] /);
  t.is((await verify(api, id, IDS.orderId)).statusCode, 200);
});

test('an id that is not there yet settles by itself when its payment shows up', async (t) => {
  const given = await scene(t);
  const { api } = given;
  const { id } = await order(api);
  t.regex(refusal(await verify(api, id, IDS.orderId)), /^404 Transaction ID not found/);
  pay(given, IDS);
  await recheckClaims(api.core);
  t.like((await api.call(HOSTED_VERIFY, { body: { transaction_id: id } })).json(), {
    data: { status: 'COMPLETED', transaction_id: IDS.transactionId },
  });
});

test('a payment that needs manual review has one review, by whichever of its ids it is claimed', async (t) => {
  const given = await scene(t);
  const { api } = given;
  const [first, second] = [await order(api), await order(api)];
  const funds = [{ currency: 'USDT', amount: '9', walletAssetCost: [{ '1': '9' }] }];
  pay(given, { ...IDS, amount: '9', fundsDetail: funds });
  for (const reference of [IDS.orderId, IDS.transactionId, IDS.orderId]) {
    t.is((await verify(api, first.id, reference)).statusCode, 202, reference);
    api.clock.advance(3_000);
  }
  const open = () => listReviews(api.core, { state: 'OPEN', limit: 10 });
  t.deepEqual(
    (await open()).map(({ payment, reason }) => [payment, reason]),
    [[first.id, 'overpaid']],
  );
  t.is((await verify(api, second.id, IDS.transactionId)).statusCode, 202);
  t.is((await open()).length, 2, 'another payment that claims it is asked about by itself');
});

test('an exchange that fails is a 502 to be asked again, never a refusal; the claim settles when it is well', async (t) => {
  const given = await scene(t);
  const { api, exchange } = given;
  const { id } = await order(api);
  pay(given, IDS);
  exchange.faults.push({ status: 504, body: '' });
  const answer = await verify(api, id, IDS.orderId);
  t.is(answer.statusCode, 502);
  t.is(answer.headers['retry-after'], '10');
  t.false((answer.json() as { readonly status: boolean }).status);
  api.clock.advance(10_000);
  await recheckClaims(api.core);
  t.is((await verify(api, id, IDS.orderId)).statusCode, 200);
});

test('a key that is refused is the operator’s problem: shops get 502, and no log holds a secret', async (t) => {
  const given = await scene(t);
  const { api, exchange } = given;
  const { id } = await order(api);
  exchange.faults.push({ status: 401, body: '{"code":-2015,"msg":"Invalid API-key"}' });
  const answer = await verify(api, id, IDS.orderId);
  t.is(answer.statusCode, 502);
  const said = `${answer.body}${api.logLines.join('')}`;
  const signatures = exchange.asked.map(({ query }) => query.get('signature') ?? '');
  for (const secret of [EXCHANGE_KEY, EXCHANGE_SECRET, ...signatures, exchange.url]) {
    t.false(said.includes(secret));
  }
});

test('a pending order of a merchant account is reported as not final, then completes automatically', async (t) => {
  const { api, exchange } = await scene(t, { type: 'merchant' });
  const { id, method } = await order(api);
  t.like(method, { active_payments: { personal: false, merchant: true }, personal: '' });
  exchange.orders.push(paidOrder(api.clock.now(), { status: 'PENDING' }));
  t.regex(refusal(await verify(api, id, '29383937493038367292')), /^404 Transaction found but not final yet/);
  exchange.orders.splice(0, 1, paidOrder(api.clock.now()));
  api.clock.advance(10_000);
  await recheckClaims(api.core);
  t.like((await verify(api, id, '29383937493038367292')).json(), {
    data: { transaction_id: 'M_R_282737362839373', status: 'COMPLETED' },
  });
});

test('rejects an impossible id before any query', async (t) => {
  const { api, exchange } = await scene(t);
  const { id } = await order(api);
  for (const text of ['I have paid', '33172 48292', '2026-08-21 12:35:08']) {
    t.regex(refusal(await verify(api, id, text)), /^400 transaction_id must be the order id/, text);
  }
  t.regex(refusal(await verify(api, id, "331'or")), /^404 /);
  t.is(exchange.asked.length, 0);
  t.regex(refusal(await verify(api, id, '331726 482920')), /^404 /);
  t.true(exchange.asked.length > 0, 'digits with a space between them are one id');
});
