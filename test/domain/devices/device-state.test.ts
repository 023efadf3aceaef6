/** The state of a phone by its last call, and what an operator is told of it. */
import test from 'ava';
import type { AlertKind } from '../../../src/domain/alerts/alert.js';
import {
  canReport,
  type DeviceState,
  deviceChange,
  deviceState,
  durationText,
  formatDowntime,
  inspectDevice,
  lastActive,
  type WatchedPhone,
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

test('a duration is given in its largest unit and the next one below, in full minutes', (t) => {
  for (const [ms, words] of ROWS) t.is(durationText(ms), words, String(ms));
});

test('a phone that is online has no downtime; one that was never seen counts from its enrolment', (t) => {
  const seen = { lastSeenAt: HOUR, enrolledAt: 0 };
  t.is(formatDowntime('ONLINE', seen, 3 * HOUR), '');
  t.is(formatDowntime('STALE', seen, HOUR + 4 * MINUTE), '4 minutes');
  t.is(formatDowntime('OFFLINE', seen, 3 * HOUR), '2 hours');
  t.is(formatDowntime('REVOKED', seen, 3 * HOUR), '2 hours');
  t.is(formatDowntime('OFFLINE', { ...seen, lastSeenAt: null }, 3 * HOUR), '3 hours');
});

/** When the phone was last seen. */
const SEEN = 1_000 * DAY;

test('a phone is online for three minutes, late until fifteen, then offline', (t) => {
  const at = (silent: number) => deviceState(false, SEEN, SEEN + silent);
  t.deepEqual([0, 3 * MINUTE - 1, 3 * MINUTE, 15 * MINUTE - 1, 15 * MINUTE].map(at), [
    'ONLINE',
    'ONLINE',
    'STALE',
    'STALE',
    'OFFLINE',
  ]);
  t.is(deviceState(true, SEEN, SEEN), 'REVOKED');
  t.is(deviceState(false, null, 0), 'OFFLINE');
});

test('only the step into silence and the step out of it are news', (t) => {
  const states: readonly DeviceState[] = ['ONLINE', 'STALE', 'OFFLINE', 'REVOKED'];
  const told = ['', ...states].flatMap((before) =>
    states.map((now) => [before, now, deviceChange(before, now)].join(' ')),
  );
  t.deepEqual(
    told.filter((line) => !line.endsWith(' none')),
    ['ONLINE OFFLINE offline', 'STALE OFFLINE offline', 'OFFLINE ONLINE online', 'OFFLINE STALE online'],
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

const NOW = 1_000 * 1_440 * MINUTE;

/** A relay phone in good health that was heard of just now. */
const phone: WatchedPhone = {
  isRevoked: false,
  agent: 'relay',
  lastSeenAt: NOW,
  battery: 80,
  charging: false,
  problem: null,
  notedState: 'ONLINE',
  openAlerts: [],
};
const silentFor = (ms: number) => ({ lastSeenAt: NOW - ms });
const findings = (change: Partial<WatchedPhone>, listeningSince = 0) =>
  inspectDevice({ ...phone, ...change }, NOW, listeningSince);

test('of a phone that is as it was nothing is found', (t) => {
  t.deepEqual(findings({}), {
    move: null,
    isTold: true,
    battery: 'as_before',
    problem: 'as_before',
    isOver: false,
  });
});

test('a phone that falls silent or comes back has moved, and that is news', (t) => {
  t.deepEqual(findings(silentFor(5 * MINUTE)).move, { to: 'STALE', news: 'none' });
  t.deepEqual(findings(silentFor(15 * MINUTE)).move, { to: 'OFFLINE', news: 'offline' });
  t.deepEqual(findings({ notedState: 'OFFLINE' }).move, { to: 'ONLINE', news: 'online' });
  t.is(findings({ ...silentFor(15 * MINUTE), notedState: 'OFFLINE' }).move, null);
});

test('silence is reported for phones that call by themselves, not for forwarders and scripts', (t) => {
  for (const agent of ['relay', 'app']) t.true(findings({ agent }).isTold, agent);
  for (const agent of ['forwarder', 'script', '']) t.false(findings({ agent }).isTold, agent);
});

test('a daemon that has listened for less than a quarter of an hour calls no phone silent', (t) => {
  const silent = silentFor(60 * MINUTE);
  t.is(findings(silent, NOW - 15 * MINUTE + 1).move, null);
  t.deepEqual(findings(silent, NOW - 15 * MINUTE).move, { to: 'OFFLINE', news: 'offline' });
  t.deepEqual(findings(silentFor(5 * MINUTE), NOW).move, { to: 'STALE', news: 'none' }, 'late is noted');
  t.deepEqual(findings({ ...silent, notedState: '' }, NOW).move, { to: 'OFFLINE', news: 'none' });
  t.deepEqual(findings({ notedState: 'OFFLINE' }, NOW).move, { to: 'ONLINE', news: 'online' });
});

const low: Partial<WatchedPhone> = { openAlerts: ['device.battery_low'] };
const batteries: readonly (readonly [what: string, change: Partial<WatchedPhone>, found: string])[] = [
  ['21 % is enough', { battery: 21 }, 'as_before'],
  ['20 % is low', { battery: 20 }, 'low'],
  ['20 % is low where nobody knows whether it is charging', { battery: 20, charging: null }, 'low'],
  ['20 % is not low while it is charging', { battery: 20, charging: true }, 'as_before'],
  ['0 % is low', { battery: 0 }, 'low'],
  ['of an app phone it is told too', { agent: 'app', battery: 5 }, 'low'],
  ['of a forwarder it is not told', { agent: 'forwarder', battery: 5 }, 'as_before'],
  ['a phone that is late has been heard', { ...silentFor(5 * MINUTE), battery: 5 }, 'low'],
  ['what a silent phone said last is no news', { ...silentFor(15 * MINUTE), battery: 5 }, 'as_before'],
  ['it is told once', { ...low, battery: 5 }, 'as_before'],
  ['at 25 % it is still low', { ...low, battery: 25 }, 'as_before'],
  ['above 25 % it is well again', { ...low, battery: 26 }, 'well_again'],
  ['it is well again as soon as it is charging', { ...low, battery: 5, charging: true }, 'well_again'],
  ['a phone that does not tell its battery is as it was', { ...low, battery: null }, 'as_before'],
  ['even while it is charging', { ...low, battery: null, charging: true }, 'as_before'],
  ['a phone that never told has no low battery', { battery: null }, 'as_before'],
];
for (const [what, change, found] of batteries) {
  test(`battery: ${what}`, (t) => t.is(findings(change).battery as string, found));
}

const told: Partial<WatchedPhone> = { openAlerts: ['device.problem'] };
const complaints: readonly (readonly [what: string, change: Partial<WatchedPhone>, found: string])[] = [
  ['it is told when it comes', { problem: 'SMS cannot be read' }, 'new'],
  ['other words for it are not told again', { ...told, problem: 'the disk is full' }, 'as_before'],
  ['it is over when the phone says nothing of it any more', told, 'over'],
  ['silence is no end of it', { ...told, ...silentFor(15 * MINUTE) }, 'as_before'],
  ['a phone that is late has been heard', { ...told, ...silentFor(5 * MINUTE) }, 'over'],
];
for (const [what, change, found] of complaints) {
  test(`a phone with a problem: ${what}`, (t) => t.is(findings(change).problem as string, found));
}

test('with a revoked phone its alerts are over, but not those of the wallet', (t) => {
  const isOver = (isRevoked: boolean, ...openAlerts: AlertKind[]) =>
    findings({ isRevoked, openAlerts }).isOver;
  for (const kind of ['device.offline', 'device.battery_low', 'device.problem'] as const) {
    t.true(isOver(true, 'sms.gap', kind), kind);
    t.false(isOver(false, kind), kind);
  }
  t.false(isOver(true, 'sms.gap', 'device.recovered'));
  t.false(isOver(true));
});

test('a phone with a heartbeat can report while it is online, another one since it was seen', (t) => {
  t.true(canReport('relay', 0, 3 * MINUTE - 1));
  t.false(canReport('relay', 0, 3 * MINUTE));
  t.true(canReport('forwarder', 0, 30 * DAY));
  t.false(canReport('', null, 0));
});
