/** Daemons' scheduled jobs: intervals, and the time until one is considered stopped. Knows no timer. */

const MINUTE = 60_000;

/** Maximum interval between two runs of each job, in ms; jobs in `LOOPS` report more often. */
const PERIOD_MS = {
  'expire-sessions': MINUTE,
  'watch-devices': MINUTE,
  'end-dispatches': MINUTE,
  'deliver-notifications': MINUTE,
  'deliver-alerts': MINUTE,
  'recheck-claims': MINUTE,
  'find-gaps': MINUTE,
  'extend-chain': MINUTE,
  'renew-certificate': MINUTE,
  'send-summaries': MINUTE,
  'make-backup': 60 * MINUTE,
  prune: 1_440 * MINUTE,
} as const;

export type JobName = keyof typeof PERIOD_MS;

/** Jobs that run continuously and do their work at once. */
const LOOPS: readonly JobName[] = [
  'deliver-notifications',
  'deliver-alerts',
  'recheck-claims',
  'extend-chain',
  'renew-certificate',
];

export const JOB_NAMES = Object.keys(PERIOD_MS) as readonly JobName[];

/** @returns the jobs that a daemon with these settings runs. */
export function expectedJobs({ domain }: { readonly domain: string }): readonly JobName[] {
  return JOB_NAMES.filter((name) => name !== 'renew-certificate' || domain !== '');
}

/** Minimum interval between records of a job by a daemon, ms; loops run every second or more often. */
export const RECORDED_EVERY_MS = 30_000;

/** A daemon that is at work shows it within that time. */
export const SIGN_OF_LIFE_MS = RECORDED_EVERY_MS + 5_000;

/**
 * @param lastAt time of the last run of any job, milliseconds since the epoch, or null.
 * @returns true if a daemon may be running; not reliable if the time was recorded by a clock that was fast.
 */
export function mayDaemonRun(lastAt: number | null, now: number): boolean {
  return lastAt !== null && now - lastAt < SIGN_OF_LIFE_MS;
}

/** Number of missed runs before an operator is alerted: a restart of the daemon takes some time. */
const MISSED_RUNS = 3;

/** Clocks of several machines differ a little. */
const CLOCK_DIFFERENCE_MS = 5_000;

/**
 * True if a job is due. A run in the future was recorded by a clock that was fast, so its real time is
 * unknown and the job is due.
 * @param lastAt start of its last run, milliseconds since the epoch, or null.
 */
export function isJobDue(name: JobName, lastAt: number | null, now: number): boolean {
  return lastAt === null || now - lastAt >= PERIOD_MS[name] || lastAt - now > CLOCK_DIFFERENCE_MS;
}

/** @returns true if the job runs continuously; its last record is then only a heartbeat. */
export function isLoop(name: JobName): boolean {
  return LOOPS.includes(name);
}

/** @returns true if the job is overdue by several runs, has never run, or its last run is in the future. */
export function isJobSilent(name: JobName, lastAt: number | null, now: number): boolean {
  if (lastAt === null) return true;
  const periodMs = isLoop(name) ? RECORDED_EVERY_MS : PERIOD_MS[name];
  return now - lastAt > MISSED_RUNS * periodMs || lastAt - now > MINUTE;
}
