/** Last runs of the jobs of all daemons on this store, available even if no daemon is running. */
import { storableText } from '../../base/values/text.js';
import type { JobName } from '../../domain/upkeep/jobs.js';
import type { JobRunTable } from '../../store/schema/index.js';
import { addJobRuns, jobRuns } from '../../store/tables/job-runs.js';
import type { Core } from '../core/core.js';

const MAX_ERROR = 300;

export interface JobTally {
  readonly name: JobName;
  /** Runs since they were last written down, and how many of them failed. */
  readonly runs: number;
  readonly errors: number;
  /** Start of the last run, milliseconds since the epoch, and its length. */
  readonly lastAt: number;
  readonly lastMs: number;
  /** Number of items that the last run processed; null if it failed. */
  readonly lastDone: number | null;
  readonly lastError: string | null;
}

export async function writeJobRuns(core: Core, tally: JobTally): Promise<void> {
  await core.store.write((db) =>
    addJobRuns(db, {
      name: tally.name,
      runs: tally.runs,
      errors: tally.errors,
      last_at: tally.lastAt,
      last_ms: Math.round(tally.lastMs),
      last_done: tally.lastDone,
      last_error: tally.lastError === null ? null : storableText(tally.lastError).slice(0, MAX_ERROR),
    }),
  );
}

/** @returns one row for each job that ever ran. */
export function listJobRuns(core: Core): Promise<readonly JobRunTable[]> {
  return core.store.read(jobRuns);
}
