/** A phone's state by its silence, what is news, and how long it lasts in words: every boundary. */
import test from 'ava';
import {
  type DeviceState,
  deviceChange,
  deviceState,
  downtimeOf,
  durationText,
  lastActive,
} from '../../../src/domain/devices/device-state.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ROWS: readonly (readonly [ms: number, words: string])[] = [
  [-DAY, 'less than a minute'],
  [0, 'less than a minute'],
  [59 * SECOND + 999, 'less than a minute'],
  [MINUTE, '1 minute'],
  [2 * MINUTE - 1, '1 minute'],
  [2 * MINUTE, '2 minutes'],
  [59 * MINUTE + 59 * SECOND, '59 minutes'],
  [HOUR, '1 hour'],
  [HOUR + MINUTE, '1 hour 1 minute'],
  [2 * HOUR + 5 * MINUTE, '2 hours 5 minutes'],
  [DAY - 1, '23 hours 59 minutes'],
  [DAY, '1 day'],
  [DAY + 59 * MINUTE, '1 day'],
  [DAY + HOUR, '1 day 1 hour'],
  [7 * DAY - 1, '6 days 23 hours'],
  [7 * DAY, '1 week'],
  [8 * DAY + 23 * HOUR, '1 week 1 day'],
  [30 * DAY - 1, '4 weeks 1 day'],
  [30 * DAY, '1 month'],
  [36 * DAY, '1 month'],
  [37 * DAY, '1 month 1 week'],
  [364 * DAY, '12 months'],
  [365 * DAY - 1, '12 months'],
  [365 * DAY, '1 year'],
  [395 * DAY, '1 year 1 month'],
  [800 * DAY, '2 years 2 months'],
];

test('a length of time is told by its largest unit and the next one below, in whole minutes', (t) => {
  for (const [ms, words] of ROWS) t.is(durationText(ms), words, String(ms));
});

test('a phone that is online has no downtime; one that was never seen counts from its enrolment', (t) => {
  const seen = { lastSeenAt: HOUR, enrolledAt: 0 };
  t.is(downtimeOf('ONLINE', seen, 3 * HOUR), '');
  t.is(downtimeOf('LATE', seen, HOUR + 4 * MINUTE), '4 minutes');
  t.is(downtimeOf('OFFLINE', seen, 3 * HOUR), '2 hours');
  t.is(downtimeOf('REVOKED', seen, 3 * HOUR), '2 hours');
  t.is(downtimeOf('OFFLINE', { ...seen, lastSeenAt: null }, 3 * HOUR), '3 hours');
});

/** When the phone was last seen. */
const SEEN = 1_000 * DAY;

test('a phone is online for three minutes, late until fifteen, then offline', (t) => {
  const at = (silent: number) => deviceState(false, SEEN, SEEN + silent);
  t.deepEqual([0, 3 * MINUTE - 1, 3 * MINUTE, 15 * MINUTE - 1, 15 * MINUTE].map(at), [
    'ONLINE',
    'ONLINE',
    'LATE',
    'LATE',
    'OFFLINE',
  ]);
  t.is(deviceState(true, SEEN, SEEN), 'REVOKED');
  t.is(deviceState(false, null, 0), 'OFFLINE');
});

test('only the step into silence and the step out of it are news', (t) => {
  const states: readonly DeviceState[] = ['ONLINE', 'LATE', 'OFFLINE', 'REVOKED'];
  const told = ['', ...states].flatMap((before) =>
    states.map((now) => [before, now, deviceChange(before, now)].join(' ')),
  );
  t.deepEqual(
    told.filter((line) => !line.endsWith(' none')),
    ['ONLINE OFFLINE offline', 'LATE OFFLINE offline', 'OFFLINE ONLINE online', 'OFFLINE LATE online'],
  );
});

test('last_active is the largest whole unit', (t) => {
  const rows: readonly (readonly [number, string])[] = [
    [-DAY, 'now'],
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
  for (const [silent, text] of rows) t.is(lastActive(SEEN, SEEN + silent), text);
});
