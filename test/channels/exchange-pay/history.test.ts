import test from 'ava';
import { JsonText } from '../../../src/base/values/json-text.js';
import type { Lookup } from '../../../src/channels/channel.js';
import { HISTORY_PATH, paidRow, TIME_PATH } from '../../helpers/outside/exchange-server.js';
import { openGround } from './ground.js';

const referenceOf = (look: Lookup) => (look.outcome === 'found' ? look.payment.reference : look.outcome);

test('a payment is found by either id, in any spelling, through a signed question', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const row = paidRow(ground.now - 60_000, {
    transactionId: 'm_p_71505104267788288',
    orderId: '331726482920497152',
  });
  exchange.rows.push(row);
  for (const id of ['M_P_71505104267788288', '331726482920497152']) {
    const look = await reader.lookup(history, ground.asking(id));
    t.is(look.outcome, 'found');
    if (look.outcome !== 'found') return;
    t.is(look.payment.reference, 'M_P_71505104267788288');
    t.deepEqual(look.payment.aliases, ['331726482920497152']);
    t.is(look.payment.at, row.at);
    t.is(look.payment.payer, '21326891');
    t.deepEqual(look.payment.amounts, [4_166_700_000_000_000_000n]);
  }
});

test('ids of 18 digits and more that are JSON numbers lose no digit', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  exchange.rows.push(
    paidRow(ground.now - 60_000, { orderId: new JsonText('219014596974616577'), transactionId: undefined }),
  );
  t.is(referenceOf(await reader.lookup(history, ground.asking('219014596974616577'))), '219014596974616577');
  t.is(referenceOf(await reader.lookup(history, ground.asking('219014596974616580'))), 'not_found');
});

test('a row may lack its order id or have its time as a text', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const at = ground.now - 60_000;
  exchange.rows.push(paidRow(at, { transactionId: 'P_A1', orderId: undefined, transactionTime: String(at) }));
  exchange.rows.push(paidRow(at, { transactionId: 'P_A2', orderId: '', walletTypes: ['1'] }));
  for (const id of ['P_A1', 'P_A2']) {
    const look = await reader.lookup(history, ground.asking(id));
    t.is(referenceOf(look), id);
    t.deepEqual(look.outcome === 'found' && look.payment.aliases, []);
  }
});

const wrong: [what: string, fields: Record<string, unknown>, about: string][] = [
  ['went out', { amount: '-4.1667' }, 'not_incoming'],
  ['is a refund', { orderType: 'PAY_REFUND' }, 'not_incoming'],
  ['is a gift', { orderType: 'CRYPTO_BOX' }, 'not_incoming'],
  ['is a returned gift', { orderType: 'CRYPTO_BOX_RF' }, 'not_incoming'],
  ['is a payout', { orderType: 'PAYOUT' }, 'not_incoming'],
  ['has no kind', { orderType: undefined }, 'not_incoming'],
  ['was received by another', { receiverInfo: { binanceId: '99999999' } }, 'recipient'],
  ['was of another account of the owner', { receiverInfo: {}, uid: '99999999' }, 'recipient'],
  ['was made in another currency', { currency: 'BNB' }, 'currency'],
];
for (const [what, fields, about] of wrong) {
  test(`a payment that ${what} is refused by its reason`, async (t) => {
    const ground = await openGround(t);
    const { exchange, reader, history } = ground;
    exchange.rows.push(paidRow(ground.now - 60_000, { transactionId: 'P_WRONG', ...fields }));
    const look = await reader.lookup(history, ground.asking('P_WRONG'));
    t.deepEqual<unknown, unknown>(look, { outcome: 'refused', about });
  });
}

test('a payment without a receiver is not decided, because a later answer may name it', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const fields = { transactionId: 'P_NOBODY', receiverInfo: {}, uid: undefined };
  exchange.rows.push(paidRow(ground.now - 60_000, fields));
  const look = await reader.lookup(history, ground.asking('P_NOBODY'));
  t.deepEqual<unknown, unknown>(look, { outcome: 'not_found' });
});

test('without a receiver the user id of the account counts; what the payer gave for it does not', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const fundsDetail = [{ currency: 'BTC', amount: '0.0001' }];
  const fields = { transactionId: 'P_OWN', receiverInfo: { name: 'x', binanceId: '' }, fundsDetail };
  exchange.rows.push(paidRow(ground.now - 60_000, fields));
  t.is(referenceOf(await reader.lookup(history, ground.asking('P_OWN'))), 'P_OWN');
});

test('a window of more than 100 rows is halved until all of it was seen', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  for (let index = 0; index < 350; index += 1) {
    exchange.rows.push(paidRow(ground.now - 1_000 * index, { transactionId: `P_ROW_${index}` }));
  }
  for (const index of [0, 99, 100, 101, 250, 349]) {
    t.is(referenceOf(await reader.lookup(history, ground.asking(`P_ROW_${index}`))), `P_ROW_${index}`);
  }
  const windows = exchange
    .at(HISTORY_PATH)
    .map(({ query }) => [Number(query.get('startTime')), Number(query.get('endTime'))]);
  t.true(windows.length > 4 && windows.length < 20, `${windows.length} calls`);
});

test('more rows in one millisecond than an answer holds are not taken for all', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  for (let index = 0; index < 100; index += 1) {
    exchange.rows.push(paidRow(ground.now - 60_000, { transactionId: `P_ROW_${index}` }));
  }
  t.is((await reader.lookup(history, ground.asking('P_OTHER'))).outcome, 'unavailable');
});

for (const aheadMs of [600_000, -600_000]) {
  test(`a clock that is ${aheadMs} ms off is set once and costs no payment`, async (t) => {
    const ground = await openGround(t);
    const { exchange, reader, history } = ground;
    exchange.aheadMs = aheadMs;
    // Paid a second after the session was opened, told by the exchange's clock.
    const opened = ground.now - 5 * 60_000;
    exchange.rows.push(paidRow(opened + 1_000 + aheadMs, { transactionId: 'P_CLOCK' }));
    const look = await reader.lookup(history, ground.asking('P_CLOCK'));
    t.is(look.outcome === 'found' && look.payment.at, opened + 1_000);
    t.deepEqual(
      exchange.asked.map(({ path }) => path),
      [HISTORY_PATH, TIME_PATH, HISTORY_PATH],
    );
    ground.now += 60_000;
    await reader.lookup(history, ground.asking('P_CLOCK'));
    t.is(exchange.at(TIME_PATH).length, 1);
  });
}

test('a clock that is refused even after it was set is a fault of ours, and never a loop', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const refusal = { status: 400, body: '{"code":-1021,"msg":"Timestamp"}' };
  exchange.faults.push(refusal, { status: 200, body: `{"serverTime":${ground.now}}` }, refusal);
  const look = await reader.lookup(history, ground.asking('P_CLOCK'));
  t.is(look.outcome, 'unavailable');
  t.is(exchange.asked.length, 3);
  t.deepEqual(reader.tallies()[0]?.failures, { clock: 1 });
});

test('a refused key or secret is reported by code, without revealing it', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const badKey = { ...history, id: 'acc_key', key: 'another-key' };
  const badSecret = { ...history, id: 'acc_secret', secret: 'another-secret' };
  for (const [account, code] of [
    [badKey, 'code -2015'],
    [badSecret, 'code -1022'],
  ] as const) {
    const look = await reader.lookup(account, ground.asking('P_AUTH_1'));
    t.is(look.outcome, 'unavailable');
    t.true(look.outcome === 'unavailable' && look.detail.includes(code));
  }
  const tallies = reader.tallies();
  t.deepEqual(
    tallies.map(({ source, calls, failures }) => ({ source, calls, failures })),
    [
      { source: 'acc_key', calls: 1, failures: { auth: 1 } },
      { source: 'acc_secret', calls: 1, failures: { auth: 1 } },
    ],
  );
  const asked = exchange.asked.map(({ query }) => query.get('signature') ?? '');
  const told = JSON.stringify([tallies, await reader.check(badSecret)]);
  for (const secret of [...asked, badKey.key, badSecret.secret, history.key, 'signature=', 'startTime']) {
    t.false(told.includes(secret), secret);
  }
});

test('the key may do more than read, and a check says what', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  t.deepEqual(await reader.check(history), { outcome: 'well', clockOffsetMs: 0, excess: [] });
  Object.assign(exchange.rights, {
    enableWithdrawals: true,
    permitsUniversalTransfer: true,
    ipRestrict: false,
  });
  t.deepEqual(await reader.check(history), {
    outcome: 'well',
    clockOffsetMs: 0,
    excess: ['enableWithdrawals', 'permitsUniversalTransfer'],
  });
  exchange.faults.push({ status: 503, body: '' });
  t.like(await reader.check(history), { outcome: 'failed', kind: 'http_status' });
});
