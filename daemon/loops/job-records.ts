/**
 * Records of this daemon's jobs: in memory for `/metrics`, and in the store for other processes. A record
 * that cannot be written is retried with the next run and fails no job.
 */
import type { Core } from '../../src/actions/core/core.js';
import { writeJobRuns } from '../../src/actions/upkeep/job-runs.js';
import type { Log } from '../../src/base/io/log.js';
import { JOB_NAMES, type JobName, RECORDED_EVERY_MS } from '../../src/domain/upkeep/jobs.js';
import { logFailure } from './store-watch.js';

interface JobRun {
  /** Start by the clock of the core, milliseconds since the epoch. */
  readonly at: number;
  /** Duration in ms. */
  readonly ms: number;
  /** Number of items processed. */
  readonly done: number;
  /** Error message; null if the run succeeded. */
  readonly error: string | null;
}

/** Results of a job since the daemon started. */
export interface JobRecord {
  readonly name: JobName;
  readonly runs: number;
  readonly errors: number;
  /** Null before the first run. */
  readonly last: JobRun | null;
}

export type JobRecords = ReturnType<typeof openJobRecords>;

export function openJobRecords(core: Core, log: Log) {
  const jobs = new Map(JOB_NAMES.map((name) => [name, new RecordedJob(name, core, log)] as const));
  return {
    /** Notes a run. */
    record: (name: JobName, run: JobRun): void => jobs.get(name)?.note(run),
    all: (): readonly JobRecord[] => [...jobs.values()].map((job) => job.record),
    /** Writes what is not written yet, and waits for it; must be called once, at the end. */
    close: async (): Promise<void> => {
      await Promise.all([...jobs.values()].map((job) => job.close()));
    },
  };
}

/**
 * Runs a job once and records the run, also if it fails.
 * @param countDone returns the number of items processed, from the result of the run.
 * @returns the result of the run.
 * @throws the error of the run.
 */
export async function recordRun<T>(
  job: { core: Pick<Core, 'clock' | 'timers'>; records: Pick<JobRecords, 'record'>; name: JobName },
  run: () => Promise<T>,
  countDone: (result: T) => number,
): Promise<T> {
  const { clock, timers } = job.core;
  const at = clock.now();
  const began = timers.steadyMs();
  const note = (done: number, error: string | null) =>
    job.records.record(job.name, { at, ms: Math.round(timers.steadyMs() - began), done, error });
  try {
    const result = await run();
    note(countDone(result), null);
    return result;
  } catch (error) {
    note(0, error instanceof Error ? error.message : 'unknown');
    throw error;
  }
}

class RecordedJob {
  record: JobRecord;
  /** Part of the record that is already in the store. */
  private written = { runs: 0, errors: 0 };
  private writing: Promise<void> = Promise.resolve();
  /** Calls off the next writing; null while none is planned. */
  private cancel: (() => void) | null = null;

  constructor(
    name: JobName,
    private readonly core: Core,
    private readonly log: Log,
  ) {
    this.record = { name, runs: 0, errors: 0, last: null };
  }

  note(run: JobRun): void {
    const { name, runs, errors } = this.record;
    this.record = { name, runs: runs + 1, errors: errors + (run.error === null ? 0 : 1), last: run };
    if (this.cancel === null) this.writeAndRest();
  }

  async close(): Promise<void> {
    this.cancel?.();
    await this.writing;
    await this.write();
  }

  private writeAndRest(): void {
    const rested = () => {
      this.cancel = null;
      if (this.record.runs > this.written.runs) this.writeAndRest();
    };
    this.cancel = this.core.timers.after(RECORDED_EVERY_MS, rested, true);
    this.writing = this.writing.then(() => this.write());
  }

  private async write(): Promise<void> {
    const { name, runs, errors, last } = this.record;
    if (last === null || runs === this.written.runs) return;
    const tally = {
      name,
      runs: runs - this.written.runs,
      errors: errors - this.written.errors,
      lastAt: last.at,
      lastMs: last.ms,
      lastDone: last.error === null ? last.done : null,
      lastError: last.error,
    };
    try {
      await writeJobRuns(this.core, tally);
      this.written = { runs, errors };
    } catch (error) {
      logFailure(this.core, this.log, { err: error, job: name }, 'how the job did could not be written down');
    }
  }
}
