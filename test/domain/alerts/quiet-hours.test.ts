/** Times of the day in Bangladesh as operators type them, and what follows from them at every boundary. */
import test from 'ava';
import { dhakaIso, dhakaMs } from '../../../src/base/values/clock.js';
import {
  isTooLate,
  nextTimeOfDay,
  parseQuietHours,
  parseTimeOfDay,
  quietUntil,
  summarisedDay,
  timeOfDayText,
} from '../../../src/domain/alerts/quiet-hours.js';

const at = (hour: number, minute = 0, second = 0) => dhakaMs(2026, 8, 21, hour, minute, second);
const isoOf = (ms: number | null) => (ms === null ? null : dhakaIso(ms).slice(0, 16));

test('times are read in 24 hours, in either digits, and nothing else is a time', (t) => {
  const read = { '23:00': 1_380, '7:05': 425, ' 00:00 ': 0, '২৩:৫৯': 1_439, '৯:৩০': 570 };
  for (const [typed, minute] of Object.entries(read)) t.is(parseTimeOfDay(typed), minute, typed);
  for (const typed of ['24:00', '7', '7:5', '7:60', '', 'seven', '-1:00', '07:00:00', '7am']) {
    t.is(parseTimeOfDay(typed), null, typed);
  }
  t.is(timeOfDayText(425), '07:05');
});

test('a span has a beginning and an end that differ', (t) => {
  t.deepEqual(parseQuietHours('23:00-07:00'), { from: 1_380, until: 420 });
  t.deepEqual(parseQuietHours('২৩:০০ – ৭:০০'), { from: 1_380, until: 420 });
  for (const typed of ['23:00', '23:00-', '07:00-07:00', '23:00-07:00-08:00', '23:00-25:00', '']) {
    t.is(parseQuietHours(typed), null, typed);
  }
});

test('quiet hours over midnight hold from their first minute to the one before their end', (t) => {
  const night = { from: 1_380, until: 420 };
  t.is(quietUntil(night, at(22, 59, 59)), null);
  t.is(isoOf(quietUntil(night, at(23))), '2026-08-22T07:00');
  t.is(isoOf(quietUntil(night, at(0))), '2026-08-21T07:00');
  t.is(isoOf(quietUntil(night, at(6, 59, 59))), '2026-08-21T07:00');
  t.is(quietUntil(night, at(7)), null);
});

test('quiet hours of one afternoon end the same day', (t) => {
  const prayer = { from: 780, until: 840 };
  t.is(quietUntil(prayer, at(12, 59)), null);
  t.is(isoOf(quietUntil(prayer, at(13))), '2026-08-21T14:00');
  t.is(quietUntil(prayer, at(14)), null);
});

test('the next time of day is later than now, today or tomorrow', (t) => {
  t.is(isoOf(nextTimeOfDay(1_260, at(20, 59))), '2026-08-21T21:00');
  t.is(isoOf(nextTimeOfDay(1_260, at(21))), '2026-08-22T21:00');
});

test('a summary up to half a day late is sent, a later one is not', (t) => {
  t.false(isTooLate(at(9), at(21)));
  t.true(isTooLate(at(9), at(21, 0, 1)));
});

test('a morning summary covers the day before, an evening its own', (t) => {
  const told = (ms: number) => [dhakaIso(summarisedDay(ms).at).slice(0, 10), summarisedDay(ms).isWhole];
  t.deepEqual(told(at(0)), ['2026-08-20', true]);
  t.deepEqual(told(at(11, 59)), ['2026-08-20', true]);
  t.deepEqual(told(at(12)), ['2026-08-21', false]);
  t.deepEqual(told(at(23, 59)), ['2026-08-21', false]);
});
