/** What daemons do by the clock, how often, and when a job has been silent for too long. Knows no timer. */

const MINUTE = 60_000;

/** How often each is done at least, in milliseconds; those of `LOOPS` report themselves more often. */
const PERIOD_MS = {
  'expire-sessions': MINUTE,
  'watch-devices': MINUTE,
  'end-dispatches': MINUTE,
  'deliver-notifications': MINUTE,
  'deliver-alerts': MINUTE,
  'recheck-claims': MINUTE,
  'find-gaps': MINUTE,
  'extend-chain': MINUTE,
  'tell-summaries': MINUTE,
  'make-backup': 60 * MINUTE,
  prune: 1_440 * MINUTE,
} as const;

export type JobName = keyof typeof PERIOD_MS;

/** Never at rest: what there is to do is done at once. */
const LOOPS: readonly JobName[] = [
  'deliver-notifications',
  'deliver-alerts',
  'recheck-claims',
  'extend-chain',
];

export const JOB_NAMES = Object.keys(PERIOD_MS) as readonly JobName[];

/** How often a daemon writes down at most how a job does: a loop runs every second and more often. */
export const RECORDED_EVERY_MS = 30_000;

/** A daemon that is at work shows it within that time. */
export const SIGN_OF_LIFE_MS = RECORDED_EVERY_MS + 5_000;

/**
 * @param lastAt when any job has last run, milliseconds since the epoch, or null.
 * @returns whether a daemon may be at work; by a clock that was ahead nobody can tell.
 */
export function mayDaemonRun(lastAt: number | null, now: number): boolean {
  return lastAt !== null && now - lastAt < SIGN_OF_LIFE_MS;
}

/** Runs that may be missing before somebody is told: a daemon takes a moment to be started again. */
const MISSED_RUNS = 3;

/** Clocks of several machines differ a little. */
const CLOCK_DIFFERENCE_MS = 5_000;

/**
 * A run that lies in the future was noted by a clock that was ahead: nobody knows when it was.
 * @param lastAt start of its last run, milliseconds since the epoch, or null.
 * @returns whether it is due.
 */
export function isJobDue(name: JobName, lastAt: number | null, now: number): boolean {
  return lastAt === null || now - lastAt >= PERIOD_MS[name] || lastAt - now > CLOCK_DIFFERENCE_MS;
}

/** @returns whether it goes on all the time; its last record is no more than a sign of life. */
export function isLoop(name: JobName): boolean {
  return LOOPS.includes(name);
}

/** @returns whether it should have run long ago, or has never, or its last run lies in the future. */
export function isJobSilent(name: JobName, lastAt: number | null, now: number): boolean {
  if (lastAt === null) return true;
  const periodMs = isLoop(name) ? RECORDED_EVERY_MS : PERIOD_MS[name];
  return now - lastAt > MISSED_RUNS * periodMs || lastAt - now > MINUTE;
}
