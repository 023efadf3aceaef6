/**
 * Adds new rows to the audit chain while the daemon runs, and again when it stops. Of several daemons each
 * tries, and one does it.
 */
import { ChainExtender, SCAN_WINDOWS_MS } from '../../src/actions/audit/extend-chain.js';
import type { Core } from '../../src/actions/core/core.js';
import type { Log } from '../../src/base/io/log.js';
import { headText } from '../../src/domain/audit-chain/chain.js';
import { type JobRecords, recordRun } from './job-records.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

const PAUSE_MS = 2_000;
/**
 * Pause between two rounds while much is left to do, as after the first start on a store of many years, in
 * ms. A round blocks the event loop for 10 to 20 ms on SQLite, most of it for the disk.
 */
const REST_MS = 100;
/** Interval between searches for rows that were written long after others of their time, in ms. */
const FAR_EVERY_MS = 5 * 60_000;
/** Interval of logging the chain's end, in ms: nobody here can change a log stored on another machine. */
const LOG_EVERY_MS = 60 * 60_000;
/** Maximum number of rounds when the daemon stops; the rest is done at its next start. */
const LAST_ROUNDS = 20;

/** @param records records the rounds as the job `extend-chain`. */
export function startChainExtender(
  core: Core,
  log: Log,
  records: Pick<JobRecords, 'record'>,
): Pick<Loop, 'stop'> {
  const job = { core, records, name: 'extend-chain' } as const;
  const extender = new ChainExtender(core);
  /** Time of the last far search, in ms on the monotonic clock. */
  let farAt = Number.NEGATIVE_INFINITY;
  let isFar = true;
  let loggedAt = core.timers.steadyMs();

  async function round(): Promise<boolean> {
    const run = () => extender.round(isFar ? SCAN_WINDOWS_MS.far : SCAN_WINDOWS_MS.near);
    const { isOver } = await recordRun(job, run, ({ added }) => added);
    if (isOver) {
      const now = core.timers.steadyMs();
      if (isFar) farAt = now;
      isFar = now - farAt >= FAR_EVERY_MS;
    }
    return isOver;
  }

  function logHead(): void {
    loggedAt = core.timers.steadyMs();
    const { head } = extender;
    if (head.number > 0) log.info({ head: headText(head) }, 'end of the audit chain');
  }

  /** A chain that somebody has cut stays so: once is enough. */
  let told = '';
  const failed = (error: unknown) => {
    if (String(error) !== told)
      logFailure(core, log, { err: error }, 'the audit chain could not be extended');
    told = String(error);
  };
  const run = async (): Promise<number> => {
    const isOver = await round();
    told = '';
    if (core.timers.steadyMs() - loggedAt >= LOG_EVERY_MS) logHead();
    return isOver ? PAUSE_MS : REST_MS;
  };
  const loop = createLoop({ run, pauseMs: PAUSE_MS, failed, timers: core.timers });
  loop.start(0);
  return {
    /** Must be called after all other parts of the daemon have stopped writing. */
    stop: async () => {
      await loop.stop();
      try {
        for (let left = LAST_ROUNDS; left > 0 && !(await round()); left -= 1);
        logHead();
      } catch (error) {
        failed(error);
      }
    },
  };
}
