/** Metrics of the store for `/metrics`: queues, abandoned notifications, and the state of the phones. */
import { type DeviceState, deviceState } from '../../domain/devices/device-state.js';
import { isJobSilent, JOB_NAMES } from '../../domain/upkeep/jobs.js';
import type { JobRunTable } from '../../store/schema/index.js';
import { watchedDevices } from '../../store/tables/devices.js';
import {
  askedClaims,
  deadNotifications,
  dueNotifications,
  openGaps,
  openReviewCount,
  openSessions,
} from '../../store/tables/figures.js';
import { jobRuns } from '../../store/tables/job-runs.js';
import { listedHealth } from '../../store/tables/nodes.js';
import { pendingRefundTotals } from '../../store/tables/reports.js';
import { lastBackup } from '../backup/last-backup.js';
import type { Core } from '../core/core.js';

export type Figures = Awaited<ReturnType<typeof loadFigures>>;

export async function loadFigures(core: Core) {
  const now = core.clock.now();
  const backup = await lastBackup(core);
  return core.store.read(async (db) => {
    const due = await dueNotifications(db);
    const devices: Record<DeviceState, number> = { ONLINE: 0, STALE: 0, OFFLINE: 0, REVOKED: 0 };
    for (const { revoked_at, last_seen_at } of await watchedDevices(db)) {
      devices[deviceState(revoked_at !== null, last_seen_at, now)] += 1;
    }
    return {
      openSessions: await openSessions(db),
      dueNotifications: due.count,
      deadNotifications: await deadNotifications(db),
      /** Time that the first due notification has been waiting, ms; 0 if none is due. */
      overdueMs: due.nextAt === null ? 0 : Math.max(0, now - due.nextAt),
      devices,
      openReviews: Number((await openReviewCount.first(db, {}))?.count ?? 0),
      openGaps: await openGaps(db),
      pendingRefunds: Number((await pendingRefundTotals(db)).count),
      /** True if the last write of this process worked, or if there was none yet. */
      takesWrites: core.store.writing.failure === null,
      /** Milliseconds since the epoch; null where none was ever made. */
      backupAt: backup?.at ?? null,
      jobs: judgedJobs(await jobRuns(db), now),
      /** Number of claims queried on chains and exchanges until their payments exist and are final. */
      askedClaims: await askedClaims(db),
      /** Calls and failures of all processes, by id of the node or exchange account. */
      sources: (await listedHealth(db)).map(({ source_id, calls, failures }) => ({
        source: source_id,
        calls,
        failures: JSON.parse(failures) as Record<string, number>,
      })),
    };
  });
}

/** Jobs that some daemon has run; silent is what has not run for long, or has last run in the future. */
function judgedJobs(rows: readonly JobRunTable[], now: number) {
  return JOB_NAMES.flatMap((name) => {
    const row = rows.find((one) => one.name === name);
    return row === undefined ? [] : [{ name, isSilent: isJobSilent(name, row.last_at, now) }];
  });
}
