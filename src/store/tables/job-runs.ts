/** Run results of the jobs of all daemons on this store, one row per job. */
import { upserter } from '../compiled-rows.js';
import type { Db, JobRunTable } from '../schema/index.js';

/** Adds `runs` and `errors` to what other daemons have counted; the rest is of the last run, whosever. */
export const addJobRuns = upserter('job_runs', {
  key: ['name'],
  sums: ['runs', 'errors'],
  news: ['last_at', 'last_ms', 'last_done', 'last_error'],
  returning: 'name',
}).all;

export function jobRuns(db: Db): Promise<JobRunTable[]> {
  return db.query.selectFrom('job_runs').selectAll().orderBy('name').execute();
}
