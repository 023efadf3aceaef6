/** Which nightly backup is due, and which files are old ones of it. */
import test from 'ava';
import { isBackupDraft, nightlyName, surplusBackups } from '../../../src/domain/upkeep/nightly-backups.js';

test('the day of a backup ends at three in the morning in Bangladesh', (t) => {
  t.is(nightlyName(Date.parse('2026-08-22T02:59:59.999+06:00')), 'kashbox-2026-08-21.backup');
  t.is(nightlyName(Date.parse('2026-08-22T03:00:00+06:00')), 'kashbox-2026-08-22.backup');
  t.is(nightlyName(Date.parse('2026-08-22T23:59:00+06:00')), 'kashbox-2026-08-22.backup');
});

const night = (day: number) => `kashbox-2026-08-${String(day).padStart(2, '0')}.backup`;

test('what is beyond the newest is surplus, in whatever order the files are named', (t) => {
  const names = [night(3), night(10), night(1), night(2)];
  t.deepEqual(surplusBackups(names, 2), [night(2), night(1)]);
  t.deepEqual(surplusBackups(names, 4), []);
  t.deepEqual(surplusBackups(names, 0), [night(10), night(3), night(2), night(1)]);
});

test('files of other names are nobody else to remove', (t) => {
  const others = [
    'my-kashbox-2026-08-01.backup',
    'kashbox-2026-08-01.backup.gz',
    'kashbox-2026-8-1.backup',
    'kashbox-2026-08-011.backup',
    'kashbox-20260801.backup',
    'kashbox.db',
  ];
  t.deepEqual(surplusBackups(others, 0), []);
  for (const name of others) t.false(isBackupDraft(name));
});

test('what a killed run has left is a draft', (t) => {
  t.true(isBackupDraft(`${night(1)}.part-a1b2`));
  t.false(isBackupDraft(night(1)));
  t.false(isBackupDraft(`old-${night(1)}.part-a1b2`));
  t.false(isBackupDraft('kashbox-2026-08-1.backup.part-a1b2'));
  t.false(isBackupDraft('kashbox-202-08-01.backup.part-a1b2'));
});
