/** Times as banks write them: read by the format of the map, or no money at all. */
import test from 'ava';
import { parsePush } from '../../../src/channels/qr-interbank/push-body.js';
import {
  CANONICAL_MAP,
  isTimeFormat,
  isTimeZone,
  parseTime,
} from '../../../src/channels/qr-interbank/push-map.js';

const read = (body: object, by = CANONICAL_MAP) =>
  parsePush({ bytes: Buffer.from(JSON.stringify(body)), contentType: 'application/json' }, by);
const canonical = { reference: 'RRN602612345678', amount: '1250.50', status: 'SUCCESS' };

test('a push that names no time counts, and says that it names none', (t) => {
  for (const paid_at of ['', '  ', null, undefined]) {
    t.like(read({ ...canonical, paid_at }), { outcome: 'paid', fields: { paidAt: null } }, String(paid_at));
  }
  t.like(read({ ...canonical, paid_at: 'soon' }, { ...CANONICAL_MAP, paid_at: null }), { outcome: 'paid' });
});

const mend =
  'correct time_format in the map with `kashbox acquirers update`, or remove paid_at from it so that the arrival ' +
  'counts, then `kashbox pushes reparse`';

test('an unreadable time in its mapped field is a fault that quotes the value', (t) => {
  const iso = 'iso, as in 2026-08-21T12:30:00';
  const slashes = 'DD/MM/YYYY HH:mm:ss';
  const cases: readonly (readonly [unknown, string, string, string])[] = [
    ['yesterday', 'iso', 'says "yesterday"', iso],
    ['01-JAN-2020 10:00', 'iso', 'says "01-JAN-2020 10:00"', iso],
    ['2026-02-31T10:00:00Z', 'iso', 'says "2026-02-31T10:00:00Z"', iso],
    [1579060800, 'iso', 'says "1579060800"', iso],
    [{ date: '2026-08-21' }, 'iso', 'is no text', iso],
    ['a "b"', 'iso', `says "a 'b'"`, iso],
    ['x'.repeat(500), 'iso', `says "${'x'.repeat(64)}"`, iso],
    ['2020-01-15 10:00:00', slashes, 'says "2020-01-15 10:00:00"', slashes],
    ['15/01/2020 10:00:00 AM', slashes, 'says "15/01/2020 10:00:00 AM"', slashes],
    ['15/01/2020 10:00', slashes, 'says "15/01/2020 10:00"', slashes],
    ['1579060800000', 'unix', 'says "1579060800000"', 'unix, seconds since 1970'],
    ['1579060800', 'unix_ms', 'says "1579060800"', 'unix_ms, milliseconds since 1970'],
  ];
  for (const [paid_at, time_format, said, as] of cases) {
    const faults = [`paid_at ${said}, which is no time as ${as}: ${mend}`];
    t.deepEqual(read({ ...canonical, paid_at }, { ...CANONICAL_MAP, time_format }), {
      outcome: 'unreadable',
      faults,
    });
  }
  t.like(
    read({ ...canonical, paid_at: 'soon', status: 'PENDING' }),
    { outcome: 'not_paid' },
    'it is no money',
  );
});

const NOON = Date.UTC(2026, 7, 21, 6, 30);
const times: readonly (readonly [string, string, number | null])[] = [
  ['2026-08-21T12:30:00', 'iso', NOON],
  ['2026-08-21 12:30', 'iso', NOON],
  ['2026-08-21T06:30:00Z', 'iso', NOON],
  ['2026-08-21T06:30:00.250Z', 'iso', NOON + 250],
  ['2026-08-21T08:30:00+0200', 'iso', NOON],
  ['2026-08-21T01:30:00-05:00', 'iso', NOON],
  ['2026-08-21', 'iso', null],
  ['21 August 2026', 'iso', null],
  ['2026-08-21T25:00:00Z', 'iso', null],
  [String(NOON / 1000), 'unix', NOON],
  [String(NOON), 'unix', null],
  ['1e9', 'unix', null],
  [String(NOON), 'unix_ms', NOON],
  ['20260821123000', 'YYYYMMDDHHmmss', NOON],
  ['202608211230', 'YYYYMMDDHHmmss', null],
  ['2026-08-21 12:30:00', 'YYYY-MM-DD HH:mm:ss', NOON],
  ['21/08/2026 12:30:00', 'DD/MM/YYYY HH:mm:ss', NOON],
  ['08/21/2026 12:30:00', 'DD/MM/YYYY HH:mm:ss', null],
  ['21.08.2026 12.30', 'DD.MM.YYYY HH.mm', NOON],
  ['21x08x2026 12x30', 'DD.MM.YYYY HH.mm', null],
];

test('times are read in the formats and the zone of the map', (t) => {
  for (const [text, format, at] of times) {
    t.true(isTimeFormat(format), format);
    t.is(parseTime(text, format, '+06:00'), at, `${text} ${format}`);
  }
  t.is(parseTime('2026-08-21T12:30:00', 'iso', '-04:30'), Date.UTC(2026, 7, 21, 17, 0));
  for (const zone of ['+06:00', '-04:30', '+00:00']) t.true(isTimeZone(zone), zone);
  for (const zone of ['6', '+6:00', '+15:00', '+06:60', 'UTC', 'Z']) t.false(isTimeZone(zone), zone);
  for (const format of ['', 'date', 'YYYY-MM-DD', 'HH:mm', 'YYYYMMDDHHmmss(.*)', 'YYYY MM DD HH mm ss a']) {
    t.false(isTimeFormat(format), format);
  }
});
