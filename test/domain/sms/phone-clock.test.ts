/** Clocks of phones: which time of an SMS counts, and what an operator is told of a clock that is off. */
import test from 'ava';
import {
  clockNews,
  estimateClockOffset,
  judgeDelivery,
  measureClock,
  receivedTime,
} from '../../../src/domain/sms/phone-clock.js';

const NOW = Date.UTC(2026, 10, 26, 12);
const MIN = 60_000;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;
const SKEW = 15 * MIN;

test('a text agrees with its delivery from 15 minutes ahead of it to a day behind', (t) => {
  t.is(judgeDelivery(NOW + SKEW, NOW), 'agrees');
  t.is(judgeDelivery(NOW + SKEW + 1, NOW), 'too_early');
  t.is(judgeDelivery(NOW - DAY, NOW), 'agrees');
  t.is(judgeDelivery(NOW - DAY - 1, NOW), 'late');
});

/** @returns by how much the time that counts differs from the arrival. */
const timeOf = (
  textMs: number | null,
  stamp: number,
  clock: { offsetMs: number; sinceMs: number } | null = null,
) => receivedTime(textMs, { receivedAtMs: stamp, arrivedAtMs: NOW, clock }) - NOW;

test('the stamp counts where the text agrees with it, or says nothing', (t) => {
  for (const stamp of [NOW, NOW - 3 * DAY, NOW + 5 * HOUR]) {
    t.is(timeOf(stamp - HOUR, stamp), stamp - NOW);
    t.is(timeOf(null, stamp), stamp - NOW);
  }
});

test('a text that was written when it arrived counts from then, however wrong the stamp is', (t) => {
  for (const off of [-SKEW - 1, -20 * MIN, -HOUR, -6 * HOUR, -3 * DAY, -5_000 * DAY, 25 * HOUR, 29 * DAY]) {
    t.is(timeOf(NOW, NOW + off), 0, String(off));
    t.is(timeOf(NOW - SKEW, NOW - SKEW + off), off < 0 ? 0 : off > DAY ? 0 : off - SKEW, String(off));
  }
});

test('an old text that comes now, and one that is dated ahead, are not made new', (t) => {
  t.is(
    timeOf(NOW - SKEW - 1, NOW - 2 * HOUR),
    -2 * HOUR,
    'dated after its stamp, and it did not come just then',
  );
  t.is(timeOf(NOW - 2 * DAY, NOW), 0);
  t.is(judgeDelivery(NOW - 2 * DAY, NOW), 'late');
  t.is(timeOf(NOW + SKEW + 1, NOW), 0);
  t.is(judgeDelivery(NOW + SKEW + 1, NOW), 'too_early');
});

test('a stamp is corrected by the clock as it was measured since before the SMS came', (t) => {
  const slow = { offsetMs: -HOUR, sinceMs: NOW - DAY };
  const text = NOW - 5 * HOUR;
  t.is(timeOf(text, text - HOUR, slow), -5 * HOUR);
  t.is(timeOf(text, text - HOUR, { ...slow, sinceMs: text }), -5 * HOUR);
  const stands = text - HOUR - NOW;
  t.is(timeOf(text, text - HOUR, { ...slow, sinceMs: text + 1 }), stands, 'it was set since');
  t.is(timeOf(text, text - HOUR, { ...slow, offsetMs: -6 * HOUR - 1 }), stands, 'later than its arrival');
  t.is(timeOf(text, text - HOUR, { ...slow, offsetMs: 0 }), stands);
});

test('an old text is not made new by a clock that was set between its coming and its delivery', (t) => {
  const old = NOW - 3 * DAY;
  t.is(timeOf(old, NOW, { offsetMs: 3 * DAY, sinceMs: NOW }), 0);
});

test('an SMS shows a clock that is ahead of its arrival, or behind a text that was just written', (t) => {
  t.is(estimateClockOffset(null, NOW + SKEW + 1, NOW), SKEW + 1);
  t.is(estimateClockOffset(NOW, NOW - HOUR, NOW), -HOUR);
  t.is(estimateClockOffset(NOW - MIN, NOW - 3_000, NOW), 0);
  t.is(estimateClockOffset(NOW, NOW + SKEW, NOW), 0);
  t.is(estimateClockOffset(null, NOW - HOUR, NOW), null, 'it came late');
  t.is(estimateClockOffset(NOW - HOUR, NOW - 2 * HOUR, NOW), null, 'it came late, and may be forged');
});

test('nearly equal measurements count as one, and a different one starts another', (t) => {
  const known = { offsetMs: -HOUR, sinceMs: NOW };
  t.is(measureClock(known, -HOUR + 2 * MIN, NOW + DAY), known);
  t.deepEqual(measureClock(known, -HOUR + 2 * MIN + 1, NOW + DAY), {
    offsetMs: -HOUR + 2 * MIN + 1,
    sinceMs: NOW + DAY,
  });
  t.deepEqual(measureClock(null, 0, NOW), { offsetMs: 0, sinceMs: NOW });
});

const SET = 'set date and time of the phone to automatic';

test('a wrong clock is reported as a problem until it is right, along with what the phone reports', (t) => {
  const told = (offsetMs: number, reported?: string | null, known = 0) =>
    clockNews({ offsetMs: known, sinceMs: 1 }, offsetMs, NOW, reported).problem;
  t.is(told(-HOUR), `the clock is 60 min slow; ${SET}`);
  t.is(told(20 * MIN, null), `the clock is 20 min fast; ${SET}`);
  t.is(told(6 * HOUR, 'no SMS'), `the clock is 6 h fast; ${SET}; no SMS`);
  t.is(told(-3 * DAY), `the clock is 3 days slow; ${SET}`);
  t.is(told(5 * MIN - 1, null), null);
  t.is(told(0, 'no SMS'), 'no SMS');
  t.is(told(0, undefined, -HOUR), null);
  t.is(told(0), undefined, 'what is known stays');
  t.is(told(HOUR, 'x'.repeat(200))?.length, 200);
});

test('stores nothing new about a clock while it is measured alike', (t) => {
  t.like(clockNews(null, 0, NOW, null), { clockOffsetMs: 0, clockSince: NOW });
  t.like(clockNews({ offsetMs: 0, sinceMs: 1 }, MIN, NOW, null), {
    clockOffsetMs: undefined,
    clockSince: undefined,
  });
});
