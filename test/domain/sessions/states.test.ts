/** Session moves, wallet numbers and meta_data: small tables, checked at their edges. */
import test from 'ava';
import { walletNumber } from '../../../src/domain/accounts/channels.js';
import { readMetaData } from '../../../src/domain/sessions/payment-record.js';
import { isOpen, moveOf } from '../../../src/domain/sessions/session.js';

test('COMPLETED is final, and only an approval moves FAILED', (t) => {
  for (const event of ['credit', 'review', 'cancel', 'expire', 'reject', 'approve'] as const) {
    t.is(moveOf('COMPLETED', event), null, event);
    t.is(moveOf('FAILED', event)?.to, event === 'approve' ? 'COMPLETED' : undefined, event);
  }
  t.is(moveOf('PENDING', 'expire')?.reason, 'expired');
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
  t.deepEqual(readMetaData({ order: 7 }), { ok: true, json: '{"order":7}' });
  t.deepEqual(readMetaData('{"order":7}'), { ok: true, json: '{"order":7}' });
  t.deepEqual(readMetaData(undefined), { ok: true, json: null });
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { inner: deep(levels - 1) });
  t.true(readMetaData(deep(8)).ok);
  t.false(readMetaData(deep(9)).ok);
  for (const value of [7, true, 'text', '[', '[1]', { big: 'x'.repeat(8_200) }])
    t.false(readMetaData(value).ok);
});
