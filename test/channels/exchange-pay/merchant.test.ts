import test from 'ava';
import { JsonText, writeJson } from '../../../src/base/values/json-text.js';
import type { Fault } from '../../helpers/outside/exchange-server.js';
import { paidOrder, paidRow } from '../../helpers/outside/exchange-server.js';
import { openGround } from './ground.js';

test("an order is found by the shop's number of it and by the exchange's", async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  exchange.orders.push(paidOrder(ground.now - 60_000));
  for (const id of ['9825382937292', '29383937493038367292']) {
    const look = await reader.lookup(merchant, ground.asking(id));
    t.is(look.outcome, 'found');
    if (look.outcome !== 'found') return;
    t.is(look.payment.reference, 'M_R_282737362839373');
    t.deepEqual(look.payment.aliases, ['29383937493038367292', '34355667/9825382937292']);
    t.is(look.payment.scope, 'binance');
    t.is(look.payment.payer, '100028283');
  }
  t.is(exchange.asked.length, 3);
});

test("a shop's number is found in capitals and in small letters", async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  exchange.orders.push(paidOrder(ground.now, { merchantTradeNo: 'shop17x', prepayId: '1' }));
  exchange.orders.push(paidOrder(ground.now, { merchantTradeNo: 'SHOP18X', prepayId: '2' }));
  for (const id of ['SHOP17X', 'SHOP18X']) {
    t.is((await reader.lookup(merchant, ground.asking(id))).outcome, 'found', id);
  }
});

test('tries the id as typed first, then in the likeliest other spelling', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  const numbered = (merchantTradeNo: string) =>
    exchange.orders.push(
      paidOrder(ground.now, {
        merchantTradeNo,
        prepayId: `1${exchange.orders.length}`,
        transactionId: merchantTradeNo,
      }),
    );
  for (const number of ['SHOP17X', 'shop17x', 'Order00004aB', 'SMALL1', 'small2']) numbered(number);
  for (const [typed, found] of [
    ['shop17x', 'shop17x'],
    ['SHOP17X', 'SHOP17X'],
    ['Order00004aB', 'Order00004aB'],
    ['small1', 'SMALL1'],
    ['SMALL2', 'small2'],
    ['Small2', 'small2'],
    ['smalL1', 'SMALL1'],
  ] as const) {
    exchange.asked.length = 0;
    const look = await reader.lookup(merchant, ground.asking(typed));
    t.is(look.outcome, 'found', typed);
    const asked = exchange.asked.map(
      ({ body }) => (JSON.parse(body) as { merchantTradeNo: string }).merchantTradeNo,
    );
    t.is(asked[0], typed);
    t.is(asked.at(-1), found);
    t.true(asked.length <= 2);
  }
});

test('an id that the exchange does not take is found by another one of the same payment', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  exchange.orders.push(paidOrder(ground.now));
  const question = ground.asking('m_r_282737362839373');
  t.is((await reader.lookup(merchant, question)).outcome, 'not_found');
  t.is((await reader.lookup(merchant, { ...question, askAs: '29383937493038367292' })).outcome, 'found');
  t.is(
    (await reader.lookup(merchant, { ...ground.asking('M_R_1'), askAs: '29383937493038367292' })).outcome,
    'not_found',
  );
});

test('one payment has one reference, whether the history shows it or the order does', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history, merchant } = ground;
  const at = ground.now - 60_000;
  exchange.orders.push(paidOrder(at, { transactionId: 'M_P_1' }));
  exchange.rows.push(
    paidRow(at, { orderType: 'PAY', transactionId: 'M_P_1', orderId: '29383937493038367292' }),
  );
  const looks = await Promise.all([
    reader.lookup(history, ground.asking('29383937493038367292')),
    reader.lookup(merchant, ground.asking('29383937493038367292')),
  ]);
  for (const look of looks) {
    t.like(look.outcome === 'found' && look.payment, { reference: 'M_P_1', scope: 'binance' });
  }
});

const orders: [what: string, fields: Record<string, unknown>, outcome: string][] = [
  ['INITIAL', { status: 'INITIAL' }, 'not_found'],
  ['PENDING', { status: 'PENDING' }, 'not_final'],
  ['a status that nobody knows', { status: 'PAID_PARTIALLY' }, 'not_final'],
  ['no status', { status: undefined }, 'not_final'],
  ['PAID without a transaction id', { transactionId: undefined }, 'not_final'],
  ['CANCELED', { status: 'CANCELED' }, 'failed'],
  ['ERROR', { status: 'ERROR' }, 'failed'],
  ['EXPIRED', { status: 'EXPIRED' }, 'failed'],
  ['REFUNDING', { status: 'REFUNDING' }, 'not_incoming'],
  ['REFUNDED', { status: 'REFUNDED' }, 'not_incoming'],
  ['FULL_REFUNDED', { status: 'FULL_REFUNDED' }, 'not_incoming'],
  ['another merchant', { merchantId: new JsonText('34355668') }, 'recipient'],
  ['another currency', { currency: 'BUSD' }, 'currency'],
  ['no amount in the shape of this version', { orderAmount: undefined, totalFee: '4.1667' }, 'unavailable'],
  ['no time', { transactTime: undefined, createTime: undefined }, 'unavailable'],
  ['the number of another order', { merchantTradeNo: 'x', prepayId: '9825382937292' }, 'found'],
];
for (const [what, fields, outcome] of orders) {
  test(`an order with ${what} is ${outcome}`, async (t) => {
    const ground = await openGround(t);
    const { exchange, reader, merchant } = ground;
    exchange.orders.push(paidOrder(ground.now - 60_000, fields));
    const look = await reader.lookup(merchant, ground.asking('9825382937292'));
    t.is<string, string>(look.outcome === 'refused' ? look.about : look.outcome, outcome);
  });
}

test('an order that was not asked for is not believed', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  const body = writeJson({ status: 'SUCCESS', code: '000000', data: paidOrder(ground.now) });
  exchange.faults.push({ status: 200, body });
  t.is((await reader.lookup(merchant, ground.asking('1111111111'))).outcome, 'unavailable');
  t.deepEqual(reader.tallies()[0]?.failures, { malformed: 1 });
});

test('an id that no order can have is not asked for', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  for (const id of ['M_P_71505104267788288', 'A'.repeat(33)]) {
    t.is((await reader.lookup(merchant, ground.asking(id))).outcome, 'not_found');
  }
  t.is(exchange.asked.length, 0);
});

test('a clock that is refused is set by the date of the answer, and the order is found', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  exchange.aheadMs = 600_400;
  exchange.orders.push(paidOrder(ground.now - 60_000 + exchange.aheadMs));
  const look = await reader.lookup(merchant, ground.asking('9825382937292'));
  t.is(look.outcome, 'found');
  t.true(look.outcome === 'found' && Math.abs(look.payment.at - (ground.now - 60_000)) <= 1_000);
  t.is(exchange.asked.length, 2);
});

const fail = (code: string) => ({ status: 200, body: `{"status":"FAIL","code":"${code}"}` });
const faults: [what: string, fault: Fault, kind: string][] = [
  ['a wrong signature', fail('400002'), 'auth'],
  ['an unknown key', fail('400004'), 'auth'],
  ['a code that nobody knows', fail('500000'), 'refused'],
  ['a success without its code', { status: 200, body: '{"status":"SUCCESS","data":{}}' }, 'malformed'],
  ['a code without success', { status: 200, body: '{"status":"FAIL","code":"000000"}' }, 'refused'],
  ['403 in HTML', { status: 403, body: '<html>' }, 'http_status'],
  ['429', { status: 429, body: '', headers: { 'retry-after': '5' } }, 'rate_limited'],
  ['504', { ...fail('400202'), status: 504 }, 'http_status'],
];
for (const [what, fault, kind] of faults) {
  test(`${what} never means "there is no such order"`, async (t) => {
    const ground = await openGround(t);
    const { exchange, reader, merchant } = ground;
    exchange.faults.push(fault);
    t.is((await reader.lookup(merchant, ground.asking('9825382937292'))).outcome, 'unavailable');
    t.deepEqual(reader.tallies()[0]?.failures, { [kind]: 1 });
  });
}

test('an id that the exchange does not like holds up nobody else; a failure of the exchange does', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  exchange.orders.push(paidOrder(ground.now - 60_000));
  exchange.faults.push(fail('400101'));
  t.is((await reader.lookup(merchant, ground.asking('ODD123'))).outcome, 'unavailable');
  t.is((await reader.lookup(merchant, ground.asking('9825382937292'))).outcome, 'found');
  exchange.faults.push({ status: 503, body: '' });
  t.is((await reader.lookup(merchant, ground.asking('OTHER1'))).outcome, 'unavailable');
  const asked = exchange.asked.length;
  t.is((await reader.lookup(merchant, ground.asking('OTHER2'))).outcome, 'unavailable');
  t.is(exchange.asked.length, asked);
});

test('the same order is asked for once in three seconds, other orders each for itself', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  exchange.delayMs = 30;
  exchange.orders.push(paidOrder(ground.now - 60_000));
  const question = ground.asking('9825382937292');
  const looks = await reader.lookupMany(merchant, [question, question, ground.asking('SHOP1')]);
  t.deepEqual(
    looks.map(({ outcome }) => outcome),
    ['found', 'found', 'not_found'],
  );
  t.is(exchange.asked.length, 3);
  await reader.lookup(merchant, question);
  t.is(exchange.asked.length, 3);
  ground.now += 3_000;
  await reader.lookup(merchant, question);
  t.is(exchange.asked.length, 4);
});

test('a check asks for an order that nobody has', async (t) => {
  const ground = await openGround(t);
  const { reader, merchant } = ground;
  t.deepEqual(await reader.check(merchant), { outcome: 'well', clockOffsetMs: 0, excess: null });
  t.like(await reader.check({ ...merchant, secret: 'x' }), { outcome: 'failed', kind: 'auth' });
});
