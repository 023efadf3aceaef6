/**
 * Asks chain and exchanges again for claims that wait, for as long as the daemon runs. It keeps no truth:
 * what is due stands in the store, and several daemons share it.
 */

import { recheckClaims } from '../../src/actions/claims/recheck-claims.js';
import type { Core } from '../../src/actions/core/core.js';
import { recordSourceHealth } from '../../src/actions/core/source-health.js';
import type { Log } from '../../src/base/io/log.js';
import type { JobRecords } from './job-records.js';
import { logFailure } from './store-watch.js';

/** Longest pause between two rounds: what other processes write is found by then. */
const LOOK_MS = 2_000;
/** Shortest pause after a round in which something was asked: each costs a node up to three requests. */
const REST_MS = 1_000;
/** Shortest pause of all: what is due and cannot be taken must not keep the machine busy. */
const BREATH_MS = 100;
/** How often it is written down how nodes and exchanges do. */
const HEALTH_EVERY_MS = 5_000;

export interface Rechecker {
  start(): void;
  /** Begins no round any more, and waits for the one under way. */
  stop(): Promise<void>;
}

/** @param records where it says how its rounds went, as the job `recheck-claims`. */
export function createRechecker(core: Core, log: Log, records: Pick<JobRecords, 'record'>): Rechecker {
  return new RunningRechecker(core, log, records);
}

class RunningRechecker implements Rechecker {
  private running: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;
  /** By the monotonic clock. */
  private toldAt = 0;

  constructor(
    private readonly core: Core,
    private readonly log: Log,
    private readonly records: Pick<JobRecords, 'record'>,
  ) {}

  start(): void {
    this.running = this.round().then((pause) => {
      if (!this.isStopping) this.timer = setTimeout(() => this.start(), pause);
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
    await this.tellHealth();
  }

  /** @returns milliseconds until the next round. */
  private async round(): Promise<number> {
    const { core, log, records } = this;
    const at = core.clock.now();
    const began = performance.now();
    const note = (done: number, error: string | null) =>
      records.record('recheck-claims', { at, ms: Math.round(performance.now() - began), done, error });
    try {
      const { taken, waitMs } = await recheckClaims(core);
      note(taken, null);
      if (began - this.toldAt >= HEALTH_EVERY_MS) await this.tellHealth();
      return Math.min(LOOK_MS, Math.max(waitMs ?? LOOK_MS, taken > 0 ? REST_MS : BREATH_MS));
    } catch (error) {
      logFailure(core, log, { err: error }, 'claims could not be asked for again');
      note(0, error instanceof Error ? error.message : 'unknown');
      return LOOK_MS;
    }
  }

  private async tellHealth(): Promise<void> {
    this.toldAt = performance.now();
    try {
      await recordSourceHealth(this.core);
    } catch (error) {
      logFailure(this.core, this.log, { err: error }, 'how nodes and exchanges do could not be written down');
    }
  }
}
