/** What the app says of an SMS, and whether it was the app that said it. */

import { createHmac } from 'node:crypto';
import test from 'ava';
import { failure, judgeSignature, parsePatch } from '../../../src/domain/dispatches/app-reports.js';

test('reads sent and delivered reports, and ignores reports without news', (t) => {
  t.deepEqual(parsePatch({ id: 'd1', state: 'Sent' }), { id: 'd1', state: 'SENT' });
  t.deepEqual(parsePatch({ id: 'd1', state: 'Delivered' }), { id: 'd1', state: 'DELIVERED' });
  const nothing = [null, undefined, 'Sent', 7, {}, { state: 'Sent' }, { id: 7, state: 'Sent' }];
  for (const value of [...nothing, { id: 'd1', state: 'Processed' }, { id: 'd1' }]) {
    t.is(parsePatch(value), null, JSON.stringify(value));
  }
});

test('a failure has the reason of its only number, or says that there was none given', (t) => {
  const failed = (recipients: unknown) => parsePatch({ id: 'd1', state: 'Failed', recipients });
  t.deepEqual(failed([{ error: 'no service' }]), { id: 'd1', state: 'FAILED', error: 'no service' });
  const unknown = { id: 'd1', state: 'FAILED', error: 'The phone gives no reason' };
  for (const recipients of [undefined, null, {}, [], [null], ['x'], [{}], [{ error: 7 }]]) {
    t.deepEqual(failed(recipients) as unknown, unknown, JSON.stringify(recipients));
  }
  t.deepEqual(parsePatch({ id: 'd1', state: 'Cancelled' }), {
    id: 'd1',
    state: 'FAILED',
    error: 'Cancelled on the phone',
  });
});

test('an SMS that waited too long has expired, one that the network gave up was not delivered', (t) => {
  t.deepEqual(failure('d1', 'TTL expired'), {
    id: 'd1',
    state: 'EXPIRED',
    error: 'It waited too long on the phone',
  });
  t.like(failure('d1', 'TTL expired!'), { state: 'FAILED', error: 'TTL expired!' });
  const given = 'Delivery result: 4';
  t.deepEqual(failure('d1', given), { id: 'd1', state: 'UNDELIVERED', error: given });
  t.like(failure('d1', `No ${given}`), { state: 'FAILED' });
});

test('a reason is one line of at most 200 characters without control characters', (t) => {
  t.like(failure('d1', ' a\u001b\u0007b\nc '), { error: 'a b c' });
  t.like(failure('d1', 'x'.repeat(201)), { error: 'x'.repeat(200) });
  t.like(failure('d1', '\n'), { error: 'The phone gives no reason' });
});

const KEY = 'testkey1';
const timestamp = '1782121571';
const now = Number(timestamp) * 1000;
const body = Buffer.from(
  '{"id":"Ey6ECgOkVVFjz3CL48B8C","webhookId":"LreFUt-Z3sSq0JufY9uWB","event":"sms:received",' +
    '"deviceId":"dev-1","payload":{"message":"You have received Tk 2,000.00 from 01700000000. TrxID DEF456GHI9",' +
    '"receivedAt":"2026-06-22T15:46:11.000+06:00","messageId":"a80532bb","sender":"bKash","simNumber":1,' +
    '"phoneNumber":"bKash"}}',
);
const signature = '569dd3adc7554baae6ec7fb5e8640e29dabee143d2de5e3bd7698ea9316742d7';

test('the signature of a body of the app is right, and wrong for any other body, key or second', (t) => {
  t.is(body.length, 318);
  t.is(judgeSignature(KEY, { body, signature, timestamp }, now), 'right');
  t.is(judgeSignature(KEY, { body, signature: signature.toUpperCase(), timestamp }, now), 'right');
  t.is(judgeSignature('testkey2', { body, signature, timestamp }, now), 'wrong');
  t.is(judgeSignature(KEY, { body, signature, timestamp: '1782121572' }, now), 'wrong');
  const other = Buffer.concat([body, Buffer.from(' ')]);
  t.is(judgeSignature(KEY, { body: other, signature, timestamp }, now), 'wrong');
});

test('distinguishes a missing signature or timestamp from a wrong one', (t) => {
  t.is(judgeSignature(KEY, { body, signature: undefined, timestamp }, now), 'missing');
  t.is(judgeSignature(KEY, { body, signature, timestamp: undefined }, now), 'missing');
  t.is(judgeSignature(KEY, { body, signature: 'x', timestamp }, now), 'wrong');
  t.is(judgeSignature(KEY, { body, signature: `${signature}00`, timestamp }, now), 'wrong');
  t.is(judgeSignature(KEY, { body, signature, timestamp: '-5' }, now), 'wrong');
});

test('a stamp is 1 to 12 digits, and a right signature over any other text is wrong', (t) => {
  const judged = (stamp: string) => {
    const signed = createHmac('sha256', KEY).update(body).update(stamp).digest('hex');
    return judgeSignature(KEY, { body, signature: signed, timestamp: stamp }, now);
  };
  t.is(judged(timestamp), 'right');
  t.is(judged(`00${timestamp}`), 'right');
  for (const stamp of [`000${timestamp}`, ` ${timestamp}`, `${timestamp} `, `${timestamp}.0`, 'now']) {
    t.is(judged(stamp), 'wrong', stamp);
  }
});

test('a stamp counts for a quarter of an hour on either side', (t) => {
  const at = (seconds: number) => judgeSignature(KEY, { body, signature, timestamp }, now + seconds * 1000);
  t.is(at(900), 'right');
  t.is(at(-900), 'right');
  t.is(at(901), 'out_of_time');
  t.is(at(-901), 'out_of_time');
});
