/** Which nightly backup is due, and which files are old ones of it. */
import test from 'ava';
import { nightlyName, surplusBackups } from '../../../src/actions/backup/nightly-backup.js';

const KEY = '4f0c9a31d2e85b76';

test('the day of a backup ends at three in the morning in Bangladesh', (t) => {
  t.is(nightlyName(Date.parse('2026-08-22T02:59:59.999+06:00'), KEY), 'kashbox-4f0c9a31-2026-08-21.backup');
  t.is(nightlyName(Date.parse('2026-08-22T03:00:00+06:00'), KEY), 'kashbox-4f0c9a31-2026-08-22.backup');
  t.is(nightlyName(Date.parse('2026-08-22T23:59:00+06:00'), KEY), 'kashbox-4f0c9a31-2026-08-22.backup');
});

const night = (day: number, key = '4f0c9a31') =>
  `kashbox-${key}-2026-08-${String(day).padStart(2, '0')}.backup`;

test('what is beyond the newest is surplus, in whatever order the files are named', (t) => {
  const names = [night(3), night(10), night(1), night(2)];
  t.deepEqual(surplusBackups(names, night(9), 2), [night(2), night(1)]);
  t.deepEqual(surplusBackups(names, night(9), 4), []);
  t.deepEqual(surplusBackups(names, night(9), 0), [night(10), night(3), night(2), night(1)]);
});

test('files of other names, and of other installations, are somebody else to remove', (t) => {
  const others = [
    night(1, '00000000'),
    `my-${night(1)}`,
    `${night(1)}.gz`,
    'kashbox-2026-08-01.backup',
    'kashbox-4f0c9a31-2026-8-1.backup',
    'kashbox-4f0c9a31-2026-08-011.backup',
    'kashbox.db',
  ];
  t.deepEqual(surplusBackups(others, night(9), 0), []);
});
