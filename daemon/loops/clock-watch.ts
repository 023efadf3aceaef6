/**
 * Notices that the clock of the machine was set, by comparing it with the one that nobody can set: a board
 * without a battery starts in the wrong year, and a machine that has slept wakes up hours later.
 */
import type { Core } from '../../src/actions/core/core.js';
import { mendTimes } from '../../src/actions/upkeep/mend-times.js';
import type { Log } from '../../src/base/io/log.js';
import type { Jobs } from './jobs.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

const LOOK_MS = 5_000;
/** NTP moves a clock that is nearly right by less; what is due is not judged more exactly anyway. */
const TOLERANCE_MS = 3_000;

/**
 * Lets the jobs catch up, now and whenever the clock was set.
 * @param lookMs how often it looks at the clock.
 */
export function followClock(
  core: Core,
  log: Log,
  jobs: Pick<Jobs, 'catchUp' | 'clockWasSet'>,
  lookMs = LOOK_MS,
): Pick<Loop, 'stop'> {
  const ahead = () => core.clock.now() - performance.now();
  let known = ahead();
  // It may have been set back while no daemon ran.
  let catchingUp = mend(core, log).then(() => jobs.catchUp());
  const look = async () => {
    const movedMs = ahead() - known;
    if (Math.abs(movedMs) < TOLERANCE_MS) return;
    known += movedMs;
    const seconds = Math.round(movedMs / 1_000);
    log.warn({ seconds }, 'the clock of this machine was set, or the machine has slept: jobs catch up');
    if (movedMs < 0) await mend(core, log);
    catchingUp = jobs.clockWasSet();
  };
  const loop = createLoop({ run: look, pauseMs: lookMs });
  loop.start();
  return {
    stop: async () => {
      await loop.stop();
      await catchingUp;
    },
  };
}

async function mend(core: Core, log: Log): Promise<void> {
  try {
    await mendTimes(core);
  } catch (error) {
    logFailure(core, log, { err: error }, 'times that lie in the future could not be mended');
  }
}
