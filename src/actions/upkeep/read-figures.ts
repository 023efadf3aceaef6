/** The figures of the store for `/metrics`: what waits, what is given up, how the phones are. */
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
import { lastBackup } from '../backup/last-backup.js';
import type { Core } from '../core/core.js';

export type Figures = Awaited<ReturnType<typeof readFigures>>;

export async function readFigures(core: Core) {
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
      /** How long the one that is due first has been waiting, milliseconds; 0 where none is due by now. */
      overdueMs: due.nextAt === null ? 0 : Math.max(0, now - due.nextAt),
      devices,
      openReviews: Number((await openReviewCount.first(db, {}))?.count ?? 0),
      openGaps: await openGaps(db),
      /** Whether the last write of this process worked; true before the first. */
      takesWrites: core.store.writing.failure === null,
      /** Milliseconds since the epoch; null where none was ever made. */
      backupAt: backup?.at ?? null,
      jobs: judgedJobs(await jobRuns(db), now),
      /** Claims whose payments are asked for on chain and exchanges until they are there and final. */
      askedClaims: await askedClaims(db),
      /** Nodes and exchange accounts by their ids: how often all processes asked them, and what failed. */
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
