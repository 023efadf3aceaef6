/**
 * Scheduled jobs. A job only starts a check: due work is in the store, so a missed run loses nothing and
 * several daemons may run the same job at once.
 */
import { schedule } from 'node-cron';
import { raiseDueSummaries } from '../../src/actions/alerts/raise-due-summaries.js';
import { nightlyBackup } from '../../src/actions/backup/nightly-backup.js';
import { findGaps } from '../../src/actions/balance-gaps/find-gaps.js';
import type { Core } from '../../src/actions/core/core.js';
import { watchDevices } from '../../src/actions/devices/watch-devices.js';
import { endDispatches } from '../../src/actions/dispatches/dispatches.js';
import { expireSessions } from '../../src/actions/sessions/transition-session.js';
import { listJobRuns } from '../../src/actions/upkeep/job-runs.js';
import { prune } from '../../src/actions/upkeep/prune.js';
import type { Log } from '../../src/base/io/log.js';
import type { Timers } from '../../src/base/values/timers.js';
import { isJobDue, type JobName } from '../../src/domain/upkeep/jobs.js';
import { type JobRecords, recordRun } from './job-records.js';
import { createLoop } from './loop.js';
import { logFailure } from './store-watch.js';

/** An interval in milliseconds on the monotonic clock, or a cron expression in Bangladesh time. */
type Schedule = { readonly everyMs: number } | { readonly at: string };

interface Job {
  readonly name: JobName;
  readonly when: Schedule;
  /**
   * @param listeningSince since when phones could reach this daemon.
   * @param signal aborted when the daemon is to end, for what takes long.
   * @returns how many things it did.
   */
  run(core: Core, log: Log, listeningSince: number, signal: AbortSignal): Promise<number>;
}

const EVERY_MINUTE = { everyMs: 60_000 };
const EVERY_5_SECONDS = { everyMs: 5_000 };
/** Twenty to five in the morning, when shops sell least. */
const QUIET_HOUR = { at: '40 4 * * *' };

/** Finds nothing to do but once a night; a night that was missed is made up for within the hour. */
const EVERY_HOUR = { at: '10 * * * *' };

const JOBS: readonly Job[] = [
  { name: 'expire-sessions', when: EVERY_MINUTE, run: expireSessions },
  { name: 'end-dispatches', when: EVERY_MINUTE, run: endDispatches },
  { name: 'watch-devices', when: EVERY_MINUTE, run: watchPhones },
  { name: 'find-gaps', when: EVERY_5_SECONDS, run: scanForGaps },
  { name: 'send-summaries', when: EVERY_MINUTE, run: raiseDueSummaries },
  { name: 'make-backup', when: EVERY_HOUR, run: backUp },
  { name: 'prune', when: QUIET_HOUR, run: prune },
];

export type Jobs = ReturnType<typeof startJobs>;

/** Calls `run` on schedule until stopped; `run` never rejects. */
export type Timetable = (
  name: JobName,
  when: Schedule,
  run: () => Promise<void>,
) => { stop(): Promise<void> };

const byTheClock =
  (timers: Timers): Timetable =>
  (name, when, run) => {
    if ('everyMs' in when) {
      const loop = createLoop({ run, pauseMs: when.everyMs, timers });
      loop.start();
      return loop;
    }
    const task = schedule(when.at, run, { name, suppressMissedWarning: true, timezone: 'Asia/Dhaka' });
    return { stop: async () => task.destroy() };
  };

/** Starts the schedule. No job ever overlaps itself. */
export function startJobs(core: Core, log: Log, records: JobRecords, timetable = byTheClock(core.timers)) {
  const running = new Map<string, Promise<void>>();
  /** Silence before that is not a phone's fault: the daemon was not listening, or the clock was wrong. */
  let listeningSince = core.clock.now();
  let isStopping = false;
  const stopping = new AbortController();
  const { signal } = stopping;

  const runOnce = (job: Job): Promise<void> => {
    const present = running.get(job.name);
    if (present !== undefined) return present;
    const run = runJob(job, { core, log, records, listeningSince, signal }).finally(() =>
      running.delete(job.name),
    );
    running.set(job.name, run);
    return run;
  };

  const runDue = async (): Promise<void> => {
    const due = await dueJobs(core, log);
    if (!isStopping) await Promise.all(due.map(runOnce));
  };
  let catchingUp = Promise.resolve();
  const catchUp = () => {
    catchingUp = catchingUp.then(runDue);
    return catchingUp;
  };

  const enter = (job: Job) => timetable(job.name, job.when, () => runOnce(job));
  const entries = new Map(JOBS.map((job) => [job, enter(job)]));
  return {
    /**
     * Runs jobs now that no daemon has run for longer than their period: some machines are off at night.
     * Resolves when all are done; never rejects.
     */
    catchUp,
    /** Runs every job once, now. Resolves when all are done; one that fails is in its record and the log. */
    runAll: async (): Promise<void> => {
      await Promise.all(JOBS.map(runOnce));
    },
    /**
     * Runs overdue jobs, and schedules the others by the new clock. Must be called after the clock was set or
     * the machine slept.
     */
    clockWasSet: async (): Promise<void> => {
      if (isStopping) return;
      listeningSince = core.clock.now();
      // A time computed by the old clock may be days away.
      for (const [job, entry] of entries) {
        if ('everyMs' in job.when) continue;
        await entry.stop();
        if (isStopping) return;
        entries.set(job, enter(job));
      }
      await catchUp();
    },
    /** Starts no new runs, and waits for those in progress. */
    stop: async (): Promise<void> => {
      isStopping = true;
      stopping.abort();
      for (const entry of entries.values()) await entry.stop();
      await catchingUp;
      await Promise.all(running.values());
    },
  };
}

async function dueJobs(core: Core, log: Log): Promise<readonly Job[]> {
  try {
    const lastAt = new Map((await listJobRuns(core)).map((row) => [row.name, row.last_at]));
    const now = core.clock.now();
    return JOBS.filter(({ name }) => isJobDue(name, lastAt.get(name) ?? null, now));
  } catch (error) {
    logFailure(core, log, { err: error }, 'which jobs are due could not be read');
    return [];
  }
}

interface JobContext {
  readonly core: Core;
  readonly log: Log;
  readonly records: JobRecords;
  readonly listeningSince: number;
  readonly signal: AbortSignal;
}

async function runJob(job: Job, { core, log, records, listeningSince, signal }: JobContext): Promise<void> {
  const { name } = job;
  const began = core.timers.steadyMs();
  const run = () => job.run(core, log, listeningSince, signal);
  try {
    const done = await recordRun({ core, records, name }, run, (count) => count);
    log.debug({ job: name, done, ms: Math.round(core.timers.steadyMs() - began) }, 'job done');
  } catch (error) {
    logFailure(core, log, { err: error, job: name }, 'job failed');
  }
}

/** Logs phones with problems and phones that are back; of several daemons only one does. */
async function watchPhones(core: Core, log: Log, listeningSince: number): Promise<number> {
  const alerts = await watchDevices(core, { listeningSince });
  for (const { kind, device, name, message } of alerts) {
    log[kind === 'device.recovered' ? 'info' : 'warn']({ alert: kind, device, name }, message);
  }
  return alerts.length;
}

/** Logs missing SMS; of several daemons only one does. */
async function scanForGaps(core: Core, log: Log): Promise<number> {
  const { done, told } = await findGaps(core);
  for (const { id, channel, recipient } of told) {
    log.warn({ gap: id, channel, recipient }, 'SMS of a wallet are missing: its balances do not follow');
  }
  return done;
}

/** Makes a backup if one is due; each of several daemons checks its own folder. */
async function backUp(core: Core, log: Log, _since: number, signal: AbortSignal): Promise<number> {
  const made = await nightlyBackup(core, { signal });
  if (made === null) return 0;
  const { file, bytes, encrypted, payments, notes } = made;
  log.info({ file, bytes, encrypted, payments }, 'backup made');
  for (const note of notes) log.warn({ file }, note);
  return 1;
}
