/**
 * What is done by the clock and not by a request. A job only says "look now": what is due stands in the
 * store, so a missed run loses nothing and several daemons may run the same job at once.
 */
import { type ScheduledTask, schedule } from 'node-cron';
import type { Core } from '../src/actions/core.js';
import { expireSessions } from '../src/actions/expire-sessions.js';
import type { Log } from '../src/base/log.js';

interface Job {
  readonly name: string;
  /** Cron expression. */
  readonly at: string;
  /** @returns how many things it did. */
  run(core: Core): Promise<number>;
}

const JOBS: readonly Job[] = [{ name: 'expire-sessions', at: '* * * * *', run: expireSessions }];

/** How a job has been doing since the daemon started. */
export interface JobRecord {
  readonly name: string;
  readonly runs: number;
  readonly errors: number;
  /** Start of the last run, milliseconds since the epoch; null before the first. */
  readonly lastRunAt: number | null;
  readonly lastMs: number | null;
  readonly lastDone: number | null;
  readonly lastError: string | null;
}

export interface Jobs {
  records(): readonly JobRecord[];
  /** Runs every job once, now. Resolves when all are done; a job that fails is in its record and the log. */
  runAll(): Promise<void>;
  /** Starts no run any more and waits for those under way. */
  stop(): Promise<void>;
}

/** Starts the schedule. No job ever overlaps itself. */
export function startJobs(core: Core, log: Log): Jobs {
  const records = new Map<string, JobRecord>();
  const running = new Map<string, Promise<void>>();
  for (const { name } of JOBS) records.set(name, neverRun(name));

  const runOnce = (job: Job): Promise<void> => {
    const present = running.get(job.name);
    if (present !== undefined) return present;
    const run = runJob(core, log, job, records.get(job.name) ?? neverRun(job.name)).then((record) => {
      records.set(job.name, record);
      running.delete(job.name);
    });
    running.set(job.name, run);
    return run;
  };

  const tasks = JOBS.map(
    (job): ScheduledTask =>
      schedule(job.at, () => runOnce(job), { name: job.name, suppressMissedWarning: true }),
  );
  return {
    records: () => [...records.values()],
    runAll: async () => {
      await Promise.all(JOBS.map(runOnce));
    },
    stop: async () => {
      for (const task of tasks) await task.destroy();
      await Promise.all(running.values());
    },
  };
}

function neverRun(name: string): JobRecord {
  return { name, runs: 0, errors: 0, lastRunAt: null, lastMs: null, lastDone: null, lastError: null };
}

async function runJob(core: Core, log: Log, job: Job, before: JobRecord): Promise<JobRecord> {
  const lastRunAt = core.clock.now();
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  try {
    const lastDone = await job.run(core);
    log.debug({ job: job.name, done: lastDone, ms: took() }, 'job done');
    return { ...before, runs: before.runs + 1, lastRunAt, lastMs: took(), lastDone, lastError: null };
  } catch (error) {
    log.error({ err: error, job: job.name }, 'job failed');
    const lastError = error instanceof Error ? error.message : 'unknown';
    return {
      ...before,
      runs: before.runs + 1,
      errors: before.errors + 1,
      lastRunAt,
      lastMs: took(),
      lastError,
    };
  }
}
