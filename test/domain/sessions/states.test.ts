/** Session moves, device states and last_active: small tables, checked at their edges. */
import test from 'ava';
import { walletNumber } from '../../../src/domain/accounts/channels.js';
import { deviceState, lastActive } from '../../../src/domain/devices/device-state.js';
import { readMetaData } from '../../../src/domain/sessions/meta-data.js';
import { isOpen, moveOf } from '../../../src/domain/sessions/session.js';
import { readIncomingSms, readInstant } from '../../../src/domain/sms/incoming-sms.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

test('COMPLETED is final, and only an approval moves FAILED', (t) => {
  for (const event of ['credit', 'review', 'cancel', 'expire', 'reject', 'approve'] as const) {
    t.is(moveOf('COMPLETED', event), null, event);
    t.is(moveOf('FAILED', event)?.to, event === 'approve' ? 'COMPLETED' : undefined, event);
  }
  t.is(moveOf('PENDING', 'expire')?.reason, 'expired');
});

test('a session ends at its last millisecond, unless a person is looking at it', (t) => {
  const session = { status: 'PENDING', reason: 'initiated', expires_at: 1_000 } as const;
  t.true(isOpen(session, 999));
  t.false(isOpen(session, 1_000));
  t.true(isOpen({ ...session, reason: 'review' }, 1_000));
  t.false(isOpen({ ...session, status: 'FAILED' }, 1));
});

test('a phone is online for three minutes, late until fifteen, then offline', (t) => {
  const at = (silent: number) => deviceState(false, 0, silent);
  t.deepEqual([0, 3 * MINUTE - 1, 3 * MINUTE, 15 * MINUTE - 1, 15 * MINUTE].map(at), [
    'ONLINE',
    'ONLINE',
    'LATE',
    'LATE',
    'OFFLINE',
  ]);
  t.is(deviceState(true, 0, 0), 'REVOKED');
  t.is(deviceState(false, null, 0), 'OFFLINE');
});

test('last_active is the largest whole unit', (t) => {
  const rows: readonly (readonly [number, string])[] = [
    [0, 'now'],
    [59_999, 'now'],
    [MINUTE, '1m'],
    [59 * MINUTE, '59m'],
    [60 * MINUTE, '1h'],
    [DAY - 1, '23h'],
    [DAY, '1d'],
    [7 * DAY, '1w'],
    [30 * DAY - 1, '4w'],
    [30 * DAY, '1mo'],
    [364 * DAY, '12mo'],
    [365 * DAY, '1y'],
    [800 * DAY, '2y'],
  ];
  for (const [silent, text] of rows) t.is(lastActive(0, silent), text);
  t.is(lastActive(null, 5), '');
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

test('a time is ISO with an offset, Bangladesh time without one, or milliseconds', (t) => {
  const noon = Date.UTC(2026, 7, 21, 6, 35, 11);
  for (const value of [
    '2026-08-21T12:35:11+06:00',
    '2026-08-21T06:35:11Z',
    '2026-08-21 12:35:11',
    noon,
    String(noon),
  ]) {
    t.is(readInstant(value), noon, String(value));
  }
  for (const value of ['yesterday', 17, Number.NaN, {}, '', '2026-13-45T99:99:99Z'])
    t.is(readInstant(value), null, String(value));
});

test('a message is refused alone and with its reason', (t) => {
  const good = { id: 'a', sender: 'bKash', body: 'text' };
  t.true(readIncomingSms(good, 5).ok);
  const bad = [
    null,
    'text',
    [],
    {},
    { ...good, id: 7 },
    { ...good, id: '' },
    { ...good, sender: undefined },
    { ...good, body: 1 },
    { ...good, body: 'x'.repeat(16_385) },
    { ...good, received_at: 'soon' },
  ];
  for (const value of bad) t.false(readIncomingSms(value, 5).ok, JSON.stringify(value)?.slice(0, 60));
});

test('what no database can hold is made visible instead of costing the message', (t) => {
  const read = readIncomingSms({ id: 'a', sender: 'bKash', body: 'a\0b\ud800c' }, 5);
  t.is(read.ok ? read.sms.body : '', 'a␀b\ufffdc');
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
