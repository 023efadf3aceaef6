/**
 * Asks chain and exchanges again for claims that wait, for as long as the daemon runs. It keeps no truth:
 * what is due stands in the store, and several daemons share it.
 */

import { recheckClaims } from '../../src/actions/claims/recheck-claims.js';
import type { Core } from '../../src/actions/core/core.js';
import { recordSourceHealth } from '../../src/actions/core/source-health.js';
import type { Log } from '../../src/base/io/log.js';
import { type JobRecords, recordRun } from './job-records.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

/** Longest pause between two rounds: what other processes write is found by then. */
const LOOK_MS = 2_000;
/** Shortest pause after a round in which something was asked: each costs a node up to three requests. */
const REST_MS = 1_000;
/** Shortest pause of all: what is due and cannot be taken must not keep the machine busy. */
const BREATH_MS = 100;
/** How often it is written down how nodes and exchanges do. */
const HEALTH_EVERY_MS = 5_000;

/** @param records where it says how its rounds went, as the job `recheck-claims`. */
export function startRechecker(
  core: Core,
  log: Log,
  records: Pick<JobRecords, 'record'>,
): Pick<Loop, 'stop'> {
  const job = { core, records, name: 'recheck-claims' } as const;
  /** By the monotonic clock. */
  let toldAt = 0;

  /** @returns milliseconds until the next round. */
  async function round(): Promise<number> {
    const recheck = () => recheckClaims(core);
    const { taken, waitMs } = await recordRun(job, recheck, (asked) => asked.taken);
    if (performance.now() - toldAt >= HEALTH_EVERY_MS) await tellHealth();
    return Math.max(waitMs ?? LOOK_MS, taken > 0 ? REST_MS : BREATH_MS);
  }

  async function tellHealth(): Promise<void> {
    toldAt = performance.now();
    try {
      await recordSourceHealth(core);
    } catch (error) {
      logFailure(core, log, { err: error }, 'how nodes and exchanges do could not be written down');
    }
  }

  const failed = (error: unknown) =>
    logFailure(core, log, { err: error }, 'claims could not be asked for again');
  const loop = createLoop({ run: round, pauseMs: LOOK_MS, failed });
  loop.start(0);
  return {
    stop: async () => {
      await loop.stop();
      await tellHealth();
    },
  };
}
