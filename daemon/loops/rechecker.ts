/**
 * Queries chains and exchanges again for waiting claims while the daemon runs. It keeps no state: due claims
 * are rows, which several daemons share.
 */

import { recheckClaims } from '../../src/actions/claims/recheck-claims.js';
import type { Core } from '../../src/actions/core/core.js';
import { recordSourceHealth } from '../../src/actions/core/sources.js';
import { watchSources } from '../../src/actions/usdt/watch-sources.js';
import type { Log } from '../../src/base/io/log.js';
import { type JobRecords, recordRun } from './job-records.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

/** Longest pause between two rounds: what other processes write is found by then. */
const MAX_PAUSE_MS = 2_000;
/** Minimum pause after a round that sent queries, in ms: each claim costs a node up to three requests. */
const REST_MS = 1_000;
/** Minimum pause, in ms: due claims that cannot be taken must not keep the machine busy. */
const MIN_PAUSE_MS = 100;
/** Interval at which the health of nodes and exchanges is saved, in ms. */
const HEALTH_EVERY_MS = 5_000;

/** @param records records the rounds as the job `recheck-claims`. */
export function startRechecker(
  core: Core,
  log: Log,
  records: Pick<JobRecords, 'record'>,
): Pick<Loop, 'stop'> {
  const job = { core, records, name: 'recheck-claims' } as const;
  /** Time of the last save, in ms on the monotonic clock. */
  let recordedAt = 0;

  /** @returns milliseconds until the next round. */
  async function round(): Promise<number> {
    const recheck = () => recheckClaims(core);
    const { taken, waitMs } = await recordRun(job, recheck, (asked) => asked.taken);
    if (core.timers.steadyMs() - recordedAt >= HEALTH_EVERY_MS) await saveSourceHealth();
    return Math.max(waitMs ?? MAX_PAUSE_MS, taken > 0 ? REST_MS : MIN_PAUSE_MS);
  }

  async function saveSourceHealth(): Promise<void> {
    recordedAt = core.timers.steadyMs();
    try {
      await recordSourceHealth(core);
      await watchSources(core);
    } catch (error) {
      logFailure(core, log, { err: error }, 'how nodes and exchanges do could not be written down');
    }
  }

  const failed = (error: unknown) =>
    logFailure(core, log, { err: error }, 'claims could not be asked for again');
  const loop = createLoop({ run: round, pauseMs: MAX_PAUSE_MS, failed, timers: core.timers });
  loop.start(0);
  return {
    stop: async () => {
      await loop.stop();
      await saveSourceHealth();
    },
  };
}
