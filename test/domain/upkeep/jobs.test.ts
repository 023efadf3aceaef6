/** When a job is due, and when it has been silent for too long: each edge to the millisecond. */
import test from 'ava';
import {
  isJobDue,
  isJobSilent,
  isLoop,
  JOB_NAMES,
  type JobName,
  mayDaemonRun,
} from '../../../src/domain/upkeep/jobs.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const NOW = 1_000 * DAY;
const LOOPS = [
  'deliver-notifications',
  'deliver-alerts',
  'recheck-claims',
  'extend-chain',
  'renew-certificate',
];
const PERIODS: Readonly<Partial<Record<JobName, number>>> = { prune: DAY, 'make-backup': 60 * MINUTE };
const BY_THE_MINUTE = [
  'expire-sessions',
  'watch-devices',
  'end-dispatches',
  ...LOOPS,
  'find-gaps',
  'send-summaries',
];

test('every job is known, and loops are those five', (t) => {
  t.deepEqual([...JOB_NAMES].toSorted(), [...BY_THE_MINUTE, 'make-backup', 'prune'].toSorted() as JobName[]);
  t.deepEqual(JOB_NAMES.filter(isLoop), LOOPS as JobName[]);
});

for (const name of JOB_NAMES) {
  const period = PERIODS[name] ?? MINUTE;
  test(`${name} is due after its period, or when its last run is ahead of our clock`, (t) => {
    const due = (ago: number) => isJobDue(name, NOW - ago, NOW);
    for (const now of [0, NOW]) t.true(isJobDue(name, null, now));
    t.deepEqual([0, period - 1, period].map(due), [false, false, true]);
    t.deepEqual([-5_000, -5_001].map(due), [false, true]);
  });

  test(`${name} is silent after three missed runs, or when its last run is in the future`, (t) => {
    // A loop notes twice a minute that it runs.
    const longest = isLoop(name) ? 90_000 : 3 * period;
    const silent = (ago: number) => isJobSilent(name, NOW - ago, NOW);
    for (const now of [0, NOW]) t.true(isJobSilent(name, null, now));
    t.deepEqual([0, longest, longest + 1].map(silent), [false, false, true]);
    t.deepEqual([-MINUTE, -MINUTE - 1].map(silent), [false, true]);
  });
}

test('a daemon may be at work for 35 seconds after its last sign, and by a clock that was ahead', (t) => {
  t.false(mayDaemonRun(null, NOW));
  t.deepEqual(
    [-DAY, 0, 34_999, 35_000].map((ago) => mayDaemonRun(NOW - ago, NOW)),
    [true, true, true, false],
  );
});
