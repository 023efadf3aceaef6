/** How the jobs of all daemons on this store are doing, one row a job. */
import { hot } from '../compiled-query.js';
import type { Db, JobRunTable } from '../schema/index.js';

/** Adds `runs` and `errors` to what other daemons have counted; the rest is of the last run, whosever. */
export const addJobRuns = hot<{ [Column in keyof JobRunTable]: JobRunTable[Column] }>()((db, value) =>
  db.query
    .insertInto('job_runs')
    .values({
      name: value.name,
      runs: value.runs,
      errors: value.errors,
      last_at: value.last_at,
      last_ms: value.last_ms,
      last_done: value.last_done,
      last_error: value.last_error,
    })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((column) => ({
        runs: column('job_runs.runs', '+', column.ref('excluded.runs')),
        errors: column('job_runs.errors', '+', column.ref('excluded.errors')),
        last_at: column.ref('excluded.last_at'),
        last_ms: column.ref('excluded.last_ms'),
        last_done: column.ref('excluded.last_done'),
        last_error: column.ref('excluded.last_error'),
      })),
    ),
);

export function jobRuns(db: Db): Promise<JobRunTable[]> {
  return db.query.selectFrom('job_runs').selectAll().orderBy('name').execute();
}
