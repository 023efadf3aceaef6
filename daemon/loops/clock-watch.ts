/**
 * Detects that the machine's clock was set, by comparing it with the monotonic clock: a board without a
 * battery starts in the wrong year, and a machine that has slept wakes up hours later.
 */
import type { Core } from '../../src/actions/core/core.js';
import { repairTimes } from '../../src/actions/upkeep/repair-times.js';
import type { Log } from '../../src/base/io/log.js';
import type { Jobs } from './jobs.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

const CHECK_EVERY_MS = 5_000;
/** Larger than NTP corrections; due times need no more precision. */
const TOLERANCE_MS = 3_000;

/**
 * Lets the jobs catch up, now and whenever the clock was set.
 * @param checkEveryMs interval at which the clock is checked, in ms.
 */
export function followClock(
  core: Core,
  log: Log,
  jobs: Pick<Jobs, 'catchUp' | 'clockWasSet'>,
  checkEveryMs = CHECK_EVERY_MS,
): Pick<Loop, 'stop'> {
  const ahead = () => core.clock.now() - core.timers.steadyMs();
  let known = ahead();
  // It may have been set back while no daemon ran.
  let catchingUp = repair(core, log).then(() => jobs.catchUp());
  const checkNow = async () => {
    const movedMs = ahead() - known;
    if (Math.abs(movedMs) < TOLERANCE_MS) return;
    known += movedMs;
    const seconds = Math.round(movedMs / 1_000);
    log.warn({ seconds }, 'the clock of this machine was set, or the machine has slept: jobs catch up');
    if (movedMs < 0) await repair(core, log);
    catchingUp = jobs.clockWasSet();
  };
  const loop = createLoop({ run: checkNow, pauseMs: checkEveryMs, timers: core.timers });
  loop.start();
  return {
    stop: async () => {
      await loop.stop();
      await catchingUp;
    },
  };
}

async function repair(core: Core, log: Log): Promise<void> {
  try {
    await repairTimes(core);
  } catch (error) {
    logFailure(core, log, { err: error }, 'times that lie in the future could not be mended');
  }
}
