/** What is news to a phone that listens, and what it has been told before. */
import test from 'ava';
import { NOTHING_REPORTED, type PhoneCalls, wakeReasons } from '../../../src/domain/devices/waking.js';

const nothing: PhoneCalls = { keyHash: 'k', isRevoked: false, resendSince: null, newestQueued: null };

test('a phone is woken for what is new to it, and not for an SMS that keeps waiting', (t) => {
  const first = { ...nothing, newestQueued: 'dsp_1' };
  const second = { ...nothing, newestQueued: 'dsp_2' };
  t.deepEqual(wakeReasons('k', NOTHING_REPORTED, nothing), []);
  t.deepEqual(wakeReasons('k', NOTHING_REPORTED, first), ['dispatch']);
  t.deepEqual(wakeReasons('k', first, first), []);
  t.deepEqual(wakeReasons('k', first, second), ['dispatch']);
  t.deepEqual(wakeReasons('k', second, first), [], 'the newest was handed out, an older one waits on');
  t.deepEqual(wakeReasons('k', second, nothing), []);
});

test('SMS are asked for again once for each time from which on', (t) => {
  const asked = { ...nothing, resendSince: 1_000 };
  t.deepEqual(wakeReasons('k', NOTHING_REPORTED, asked), ['resend']);
  t.deepEqual(wakeReasons('k', asked, asked), []);
  t.deepEqual(wakeReasons('k', asked, { ...asked, resendSince: 500 }), ['resend']);
  t.deepEqual(wakeReasons('k', asked, nothing), []);
  t.deepEqual(wakeReasons('k', NOTHING_REPORTED, { ...asked, newestQueued: 'dsp_1' }), [
    'dispatch',
    'resend',
  ]);
});

test('a phone whose key is invalid gets that reason and no other', (t) => {
  const full = { ...nothing, newestQueued: 'dsp_1', resendSince: 1 };
  t.deepEqual(wakeReasons('k', NOTHING_REPORTED, { ...full, isRevoked: true }), ['revoked']);
  t.deepEqual(wakeReasons('old', NOTHING_REPORTED, full), ['revoked']);
  t.deepEqual(wakeReasons('k', NOTHING_REPORTED, null), ['revoked']);
});
