/** What is told of a session: its state, its dialect, its USDT, what it costs; and limits of its own data. */
import test from 'ava';
import { JsonText } from '../../../src/base/values/json-text.js';
import { dueOn, feeText, parseFee } from '../../../src/domain/sessions/fees.js';
import {
  answersTrueWhenFound,
  parseMetaData,
  usdtFields,
} from '../../../src/domain/sessions/payment-record.js';
import { returnParameters } from '../../../src/domain/sessions/redirect.js';
import {
  findTransition,
  MAX_SESSION_PAISA,
  MIN_SESSION_PAISA,
  statusAt,
} from '../../../src/domain/sessions/session.js';

test('an expired session is reported as failed, one under review as it is', (t) => {
  const session = { status: 'PENDING', reason: 'initiated', expires_at: 1_000 } as const;
  t.deepEqual(statusAt(session, 999), { status: 'PENDING', reason: 'initiated' });
  t.deepEqual(statusAt(session, 1_000), { status: 'FAILED', reason: 'expired' });
  const asked = { ...session, reason: 'review' };
  t.deepEqual(statusAt(asked, 5_000), { status: 'PENDING', reason: 'review' });
  for (const [status, reason] of [
    ['COMPLETED', 'credited'],
    ['FAILED', 'cancelled'],
  ] as const) {
    t.deepEqual(statusAt({ ...session, status, reason }, 5_000), { status, reason });
  }
});

test('each transition of a payment sets the status and reason', (t) => {
  const moves = (['credit', 'review', 'cancel', 'expire', 'reject', 'approve'] as const).map((event) => {
    const { to, reason } = findTransition('PENDING', event) ?? {};
    return `${event}: ${to} ${reason}`;
  });
  t.deepEqual(moves, [
    'credit: COMPLETED credited',
    'review: PENDING review',
    'cancel: FAILED cancelled',
    'expire: FAILED expired',
    'reject: FAILED rejected',
    'approve: COMPLETED approved',
  ]);
  t.like(findTransition('FAILED', 'approve'), { to: 'COMPLETED', reason: 'approved' });
  t.deepEqual([MIN_SESSION_PAISA, MAX_SESSION_PAISA], [{ hosted: 100, headless: 1 }, 100_000_000]);
});

test('found is said as true in the standard dialect alone, and never to a legacy name of the key', (t) => {
  t.true(answersTrueWhenFound('standard', false));
  t.false(answersTrueWhenFound('standard', true));
  t.false(answersTrueWhenFound('strict', false));
  t.false(answersTrueWhenFound('strict', true));
});

test('a transfer on the chain includes its exact amount and receiver, any other payment neither', (t) => {
  const paid = { channel: 'bep20', units: '4166700000000000001', receiver: '0xab' } as const;
  t.deepEqual(usdtFields(paid), { amount_usdt: new JsonText('4.166700000000000001'), receiver: '0xab' });
  t.deepEqual(Object.keys(usdtFields({ ...paid, receiver: null })), ['amount_usdt']);
  t.deepEqual(usdtFields({ ...paid, units: null }), {});
  t.deepEqual(usdtFields({ ...paid, channel: 'exchange_pay' }), {});
  t.deepEqual(usdtFields({ ...paid, channel: null }), {});
});

const UNPAID = { paid_paisa: 0, paid_fee_paisa: 0 };

test('a session costs its amount and the fee that it was opened with', (t) => {
  const fees = '{"mfs_a":{"fixedPaisa":500,"basisPoints":185}}';
  t.deepEqual(dueOn('mfs_a', { fees, amount_paisa: 10_000, ...UNPAID }), {
    feePaisa: 685,
    totalPaisa: 10_685,
  });
  t.deepEqual(dueOn('mfs_b', { fees, amount_paisa: 10_000, ...UNPAID }), { feePaisa: 0, totalPaisa: 10_000 });
  t.deepEqual(dueOn('mfs_a', { fees: null, amount_paisa: 1, ...UNPAID }), { feePaisa: 0, totalPaisa: 1 });
});

const faults: [text: string, fault: string][] = [
  ['mfs_a', '"mfs_a" is not a fee; write CHANNEL=TAKA, CHANNEL=PERCENT% or CHANNEL=TAKA+PERCENT%'],
  ['bkash=5', 'channel "bkash" is unknown'],
  ['mfs_a=100000.01', 'a fee may be at most 100000.00 taka and 50%'],
  ['mfs_a=50.01%', 'a fee may be at most 100000.00 taka and 50%'],
  ['mfs_a=5x', '"mfs_a=5x" is not a fee; write CHANNEL=TAKA, CHANNEL=PERCENT% or CHANNEL=TAKA+PERCENT%'],
  ['!mfs_a=5', '"!mfs_a=5" is not a fee; write CHANNEL=TAKA, CHANNEL=PERCENT% or CHANNEL=TAKA+PERCENT%'],
];
for (const [text, fault] of faults) {
  test(`names the fault of the fee ${text}`, (t) => {
    t.deepEqual(parseFee(text), { ok: false, fault });
  });
}

test('a fee is read with spaces in it, each part by itself and both', (t) => {
  const fee = (fixedPaisa: number, basisPoints: number) => ({
    ok: true,
    channel: 'mfs_a',
    fee: { fixedPaisa, basisPoints },
  });
  t.deepEqual(parseFee(' mfs_a = 5 + 1.5 % ') as unknown, fee(500, 150));
  t.deepEqual(parseFee('mfs_a=10.25') as unknown, fee(1_025, 0));
  t.deepEqual(parseFee('mfs_a=12.34%') as unknown, fee(0, 1_234));
  t.deepEqual(parseFee('mfs_a=100000+50%') as unknown, fee(10_000_000, 5_000));
});

test('the limits of meta_data are 8192 bytes and 8 levels, arrays counted, and each fault is named', (t) => {
  const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  t.deepEqual(parseMetaData(sized(8_192)), { ok: true, json: sized(8_192) });
  t.deepEqual(parseMetaData(sized(8_193)), { ok: false, fault: 'meta_data may be at most 8 KiB' });
  t.false(parseMetaData(`{"a":"${'ক'.repeat(2_800)}"}`).ok, 'bytes are counted, not characters');
  const deep = { ok: false, fault: 'meta_data may be at most 8 levels deep' };
  t.deepEqual(parseMetaData({ a: [[[[[[[[1]]]]]]]] }), deep);
  t.true(parseMetaData({ a: [[[[[[[1]]]]]]] }).ok);
  t.deepEqual(parseMetaData({ b: 1, a: [[[[[[[[1]]]]]]]] }), deep, 'the deepest counts');
  const none = { ok: false, fault: 'meta_data must be an object' };
  for (const value of [7, 'text', '[', '[1]', [1], 'null', '7', false])
    t.deepEqual(parseMetaData(value), none);
  for (const value of [null, undefined, '']) t.deepEqual(parseMetaData(value), { ok: true, json: null });
  t.deepEqual(parseMetaData('{"n":1.10000000000000000001}'), {
    ok: true,
    json: '{"n":1.10000000000000000001}',
  });
  t.deepEqual(parseMetaData('{"a":"\ud800"}'), { ok: true, json: '{"a":"\\ud800"}' });
});

test('names under which a shop’s program looks for the transaction id are added behind the five', (t) => {
  const facts = {
    status: 'COMPLETED',
    channel: null,
    transactionId: 'T1',
    paidPaisa: 1,
    feePaisa: 0,
  } as const;
  t.deepEqual(returnParameters(facts, { otherNames: ['trx', 'id'] }).slice(5), [
    ['trx', 'T1'],
    ['id', 'T1'],
  ]);
  t.is(returnParameters(facts).length, 5);
});

test('a fee is written as it is read, and none as 0', (t) => {
  t.is(feeText({ fixedPaisa: 0, basisPoints: 0 }), '0');
  t.is(feeText({ fixedPaisa: 0, basisPoints: 185 }), '1.85%');
  t.is(feeText({ fixedPaisa: 500, basisPoints: 0 }), '5.00');
  t.is(feeText({ fixedPaisa: 1_000, basisPoints: 50 }), '10.00+0.50%');
});
