/** What is news to a phone that listens, and what it has been told before. */
import test from 'ava';
import { type PhoneCalls, reasonsToWake, TOLD_NOTHING } from '../../../src/domain/devices/waking.js';

const nothing: PhoneCalls = { keyHash: 'k', isRevoked: false, resendSince: null, newestQueued: null };

test('a phone is woken for what it was not told of, and not for what only waits on', (t) => {
  const first = { ...nothing, newestQueued: 'dsp_1' };
  const second = { ...nothing, newestQueued: 'dsp_2' };
  t.deepEqual(reasonsToWake('k', TOLD_NOTHING, nothing), []);
  t.deepEqual(reasonsToWake('k', TOLD_NOTHING, first), ['dispatch']);
  t.deepEqual(reasonsToWake('k', first, first), []);
  t.deepEqual(reasonsToWake('k', first, second), ['dispatch']);
  t.deepEqual(reasonsToWake('k', second, first), [], 'the newest was handed out, an older one waits on');
  t.deepEqual(reasonsToWake('k', second, nothing), []);
});

test('SMS are asked for again once for each time from which on', (t) => {
  const asked = { ...nothing, resendSince: 1_000 };
  t.deepEqual(reasonsToWake('k', TOLD_NOTHING, asked), ['resend']);
  t.deepEqual(reasonsToWake('k', asked, asked), []);
  t.deepEqual(reasonsToWake('k', asked, { ...asked, resendSince: 500 }), ['resend']);
  t.deepEqual(reasonsToWake('k', asked, nothing), []);
  t.deepEqual(reasonsToWake('k', TOLD_NOTHING, { ...asked, newestQueued: 'dsp_1' }), ['dispatch', 'resend']);
});

test('a phone whose key is dead is told that and nothing else', (t) => {
  const full = { ...nothing, newestQueued: 'dsp_1', resendSince: 1 };
  t.deepEqual(reasonsToWake('k', TOLD_NOTHING, { ...full, isRevoked: true }), ['revoked']);
  t.deepEqual(reasonsToWake('old', TOLD_NOTHING, full), ['revoked']);
  t.deepEqual(reasonsToWake('k', TOLD_NOTHING, null), ['revoked']);
});
