/** What the app says of an SMS that it was given, word by word. */
import test from 'ava';
import { failure, readPatch } from '../../../src/domain/dispatches/app-reports.js';

test('sent and delivered are told, and what tells nothing new is not', (t) => {
  t.deepEqual(readPatch({ id: 'd1', state: 'Sent' }), { id: 'd1', state: 'SENT' });
  t.deepEqual(readPatch({ id: 'd1', state: 'Delivered' }), { id: 'd1', state: 'DELIVERED' });
  const nothing = [null, undefined, 'Sent', 7, {}, { state: 'Sent' }, { id: 7, state: 'Sent' }];
  for (const value of [...nothing, { id: 'd1', state: 'Processed' }, { id: 'd1' }]) {
    t.is(readPatch(value), null, JSON.stringify(value));
  }
});

test('a failure has the reason of its one number, or says that there is none', (t) => {
  const failed = (recipients: unknown) => readPatch({ id: 'd1', state: 'Failed', recipients });
  t.deepEqual(failed([{ error: 'no service' }]), { id: 'd1', state: 'FAILED', error: 'no service' });
  const unknown = { id: 'd1', state: 'FAILED', error: 'The phone gives no reason' };
  for (const recipients of [undefined, null, {}, [], [null], ['x'], [{}], [{ error: 7 }]]) {
    t.deepEqual(failed(recipients) as unknown, unknown, JSON.stringify(recipients));
  }
  t.deepEqual(readPatch({ id: 'd1', state: 'Cancelled' }), {
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
