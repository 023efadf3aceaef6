/** Session moves, wallet numbers and meta_data: small tables, checked at their edges. */
import test from 'ava';
import { walletNumber } from '../../../src/domain/accounts/channels.js';
import { parseMetaData } from '../../../src/domain/sessions/payment-record.js';
import { findTransition, isOpen } from '../../../src/domain/sessions/session.js';

test('COMPLETED is final, and only an approval moves FAILED', (t) => {
  for (const event of ['credit', 'review', 'cancel', 'expire', 'reject', 'approve'] as const) {
    t.is(findTransition('COMPLETED', event), null, event);
    t.is(findTransition('FAILED', event)?.to, event === 'approve' ? 'COMPLETED' : undefined, event);
  }
  t.is(findTransition('PENDING', 'expire')?.reason, 'expired');
});

test('a session ends at its last millisecond, unless it is under review', (t) => {
  const session = { status: 'PENDING', reason: 'initiated', expires_at: 1_000 } as const;
  t.true(isOpen(session, 999));
  t.false(isOpen(session, 1_000));
  t.true(isOpen({ ...session, reason: 'review' }, 1_000));
  t.false(isOpen({ ...session, status: 'FAILED' }, 1));
});

test('wallet numbers are kept in one spelling', (t) => {
  for (const text of ['01711000000', '+880 1711-000000', '8801711000000', '+8801711000000']) {
    t.is(walletNumber('mfs_a', text), '01711000000', text);
  }
  t.is(
    walletNumber('mfs_c', '017110000008'),
    '01711000000',
    'the check digit of Rocket is no part of the SIM',
  );
  for (const text of ['01211000000', '0171100000', '017110000008', 'x', ''])
    t.is(walletNumber('mfs_a', text), null, text);
});

test('meta_data is an object within its limits, or nothing', (t) => {
  t.deepEqual(parseMetaData({ order: 7 }), { ok: true, json: '{"order":7}' });
  t.deepEqual(parseMetaData('{"order":7}'), { ok: true, json: '{"order":7}' });
  t.deepEqual(parseMetaData(undefined), { ok: true, json: null });
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { inner: deep(levels - 1) });
  t.true(parseMetaData(deep(8)).ok);
  t.false(parseMetaData(deep(9)).ok);
  for (const value of [7, true, 'text', '[', '[1]', { big: 'x'.repeat(8_200) }])
    t.false(parseMetaData(value).ok);
});
