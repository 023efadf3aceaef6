/** Orders of a merchant account: their numbers are the shop's own, and whoever can count can guess one. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { EXCHANGE_KEY, EXCHANGE_SECRET, paidOrder } from '../../helpers/outside/exchange-server.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { HOSTED_VERIFY, refusal } from '../api.js';
import { order, type Scene, scene, verify } from './scene.js';

const SPENT = '400 Transaction ID already verified and credited for another order';

/** An order that is paid now. @param n tells it from others, in the exchange's ids of it. */
function payOrder({ api, exchange }: Scene, merchantTradeNo: string, n = 1) {
  const ids = { prepayId: `2938393749303836729${n}`, transactionId: `M_R_28273736283937${n}` };
  exchange.orders.push(paidOrder(api.clock.now(), { merchantTradeNo, ...ids }));
  api.clock.advance(31_000);
  return ids;
}

const open = ({ api }: Scene) => listReviews(api.core, { state: 'OPEN', limit: 10 });

for (const engine of enginesOfTier) {
  test(`${engine}: guessing the order number of the shop gains nothing, and its payer loses nothing`, async (t) => {
    const given = await scene(t, { engine, type: 'merchant' });
    const { api } = given;
    const [payer, thief] = [await order(api), await order(api)];
    const ids = payOrder(given, 'SHOP000102');
    t.is(refusal(await verify(api, thief.id, 'SHOP000101')).slice(0, 3), '404');
    t.is((await verify(api, thief.id, 'SHOP000102')).statusCode, 202);
    t.is((await verify(api, payer.id, ids.prepayId)).statusCode, 200);
    t.is(refusal(await verify(api, thief.id, 'shop000102')), SPENT);
    const [theirs, ...others] = await open(given);
    t.deepEqual(others, []);
    t.like(theirs, { reason: 'contested', reference: 'SHOP000102', payment: thief.id });
    const approved = approveReview(api.core, { id: theirs?.id ?? '', note: 'by mistake', who: 'test' });
    await t.throwsAsync(approved, { code: 'already_credited' });
  });

  test(`${engine}: an order numbered as its session is credited to it, whoever claims it first`, async (t) => {
    const given = await scene(t, { engine, type: 'merchant' });
    const { api } = given;
    const [payer, thief] = [await order(api), await order(api)];
    const ids = payOrder(given, payer.id);
    for (const id of [payer.id, ids.prepayId]) t.is((await verify(api, thief.id, id)).statusCode, 202, id);
    const done = await verify(api, payer.id, payer.id);
    t.is(done.statusCode, 200, done.body);
    t.like(done.json(), { data: { transaction_id: ids.transactionId, status: 'COMPLETED' } });
    for (const id of [payer.id, ids.prepayId, ids.transactionId, ids.transactionId.toLowerCase()]) {
      t.is((await verify(api, payer.id, id)).body, done.body, id);
      t.is(refusal(await verify(api, thief.id, id)), SPENT, id);
    }
  });

  test(`${engine}: an observed order is found by its transaction id, which the exchange cannot look up`, async (t) => {
    const given = await scene(t, { engine, type: 'merchant' });
    const { api } = given;
    const [payer, other] = [await order(api), await order(api)];
    const { transactionId } = payOrder(given, 'SHOP000101');
    t.is((await verify(api, payer.id, transactionId)).statusCode, 404, 'nobody has seen it yet');
    t.is((await verify(api, payer.id, 'SHOP000101')).statusCode, 202);
    t.is((await open(given)).length, 1);
    t.is((await verify(api, payer.id, transactionId)).statusCode, 200);
    t.deepEqual(await open(given), [], 'nobody is asked any more about what is credited');
    t.is(refusal(await verify(api, other.id, transactionId)), SPENT);
  });

  test(`${engine}: an order in another spelling is the same order, credited once and asked about once`, async (t) => {
    const given = await scene(t, { engine, type: 'merchant' });
    const { api } = given;
    const [payer, other] = [await order(api), await order(api)];
    payOrder(given, 'Order00004aB');
    t.is((await verify(api, payer.id, 'Order00004aB')).statusCode, 202);
    payOrder(given, 'ORDER00005AB', 2);
    t.is((await verify(api, other.id, 'ORDER00005AB')).statusCode, 202);
    for (const typed of ['order00005ab', 'Order00005ab', '29383937493038367292']) {
      await verify(api, other.id, typed);
    }
    const [first, ...others] = await open(given);
    t.is(others.length, 0, 'of the other one the last id was proof enough');
    await approveReview(api.core, { id: first?.id ?? '', note: 'the customer has shown it', who: 'test' });
    t.is((await verify(api, payer.id, 'order00004AB')).statusCode, 200);
    t.like((await api.call(HOSTED_VERIFY, { body: { transaction_id: 'order00004ab' } })).json(), {
      data: { status: 'COMPLETED', transaction_id: 'M_R_282737362839371' },
    });
    const third = await order(api);
    t.is(refusal(await verify(api, third.id, 'Order00004aB')), SPENT);
  });
}

test('a guess before the order is paid also needs manual review, and takes nothing from the payer', async (t) => {
  const given = await scene(t, { type: 'merchant' });
  const { api } = given;
  const [payer, thief] = [await order(api), await order(api)];
  t.is((await verify(api, thief.id, 'SHOP000101')).statusCode, 404);
  t.is((await verify(api, thief.id, payer.id)).statusCode, 404);
  api.clock.advance(31_000);
  payOrder(given, 'SHOP000101');
  payOrder(given, payer.id, 2);
  await recheckClaims(api.core);
  t.is((await open(given)).length, 2);
  t.is((await verify(api, payer.id, payer.id)).statusCode, 200);
});

test('two shops may both have an order of one number', async (t) => {
  const given = await scene(t, { type: 'merchant' });
  const { api, exchange } = given;
  const first = await order(api);
  t.is((await verify(api, first.id, payOrder(given, 'SHOP000101').prepayId)).statusCode, 200);
  await setAccount(api.core, {
    brand: 'Alo Store',
    channel: 'exchange_pay',
    type: 'merchant',
    number: '44445555',
    details: { base_url: exchange.url },
    credentials: { key: EXCHANGE_KEY, secret: EXCHANGE_SECRET },
    who: 'test',
  });
  const second = await order(api);
  const merchantId = '44445555';
  exchange.orders.push(
    paidOrder(api.clock.now(), {
      merchantId,
      merchantTradeNo: 'SHOP000101',
      prepayId: '77',
      transactionId: 'M_R_77',
    }),
  );
  exchange.orders.splice(0, 1);
  t.is((await verify(api, second.id, 'SHOP000101')).statusCode, 202);
});

test('the gateway reference of a payment names its order as well', async (t) => {
  const given = await scene(t, { type: 'merchant' });
  const { api } = given;
  const { id } = await order(api);
  const { gateway_reference } = await showPayment(api.core, id);
  payOrder(given, gateway_reference);
  t.is((await verify(api, id, gateway_reference.toLowerCase())).statusCode, 200);
});

test('approval after checking the account uses up the order number permanently', async (t) => {
  const given = await scene(t, { type: 'merchant' });
  const { api, exchange } = given;
  const payer = await order(api);
  exchange.faults.push({ status: 503, body: '' });
  t.is((await verify(api, payer.id, 'Shop000101')).statusCode, 502);
  api.clock.advance(3 * 3_600_000);
  exchange.faults.push({ status: 503, body: '' });
  await recheckClaims(api.core);
  const [review] = await open(given);
  await approveReview(api.core, { id: review?.id ?? '', note: 'seen in the account', who: 'test' });
  const late = await order(api);
  const { prepayId } = payOrder(given, 'SHOP000101');
  for (const id of ['SHOP000101', prepayId]) t.is(refusal(await verify(api, late.id, id)), SPENT, id);
});
