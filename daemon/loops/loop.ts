/** Runs a function repeatedly with pauses on the monotonic clock. Does not know what the function does. */
import { systemTimers, type Timers } from '../../src/base/values/timers.js';

export interface LoopOptions {
  /** One round. Returns milliseconds from its end until the next, or nothing for the longest pause. */
  readonly run: (() => Promise<number>) | (() => Promise<void>) | (() => void);
  /** Longest pause in milliseconds, and the one after a failure; Infinity: a round only when woken. */
  readonly pauseMs: number;
  /** Called with what a round throws; the loop then continues. Without it, the error ends the process. */
  readonly failed?: (error: unknown) => void;
  /** True if the process may end while the loop pauses. */
  readonly isBackground?: boolean;
  /** Default: those of the machine. */
  readonly timers?: Timers;
}

export interface Loop {
  /**
   * Does nothing if the loop is already started.
   * @param firstMs milliseconds until the first round; default: the longest pause.
   */
  start(firstMs?: number): void;
  /** Runs a round at once, or exactly one more after the current one. Does nothing unless started. */
  wake(): void;
  /** Starts a round within the given ms; many calls cause one round. Does nothing unless started. */
  wakeWithin(ms: number): void;
  /** Starts no new round. Resolves after the current one. The loop may be started again. */
  stop(): Promise<void>;
}

/** Creates a loop whose rounds never overlap, even if it is stopped and started again in the meantime. */
export function createLoop(options: LoopOptions): Loop {
  const { pauseMs, isBackground = false, timers = systemTimers } = options;
  let cancel = () => {};
  /** Times on the monotonic clock, in ms: when the timer fires, and by when a round was requested. */
  let timerAt = Number.POSITIVE_INFINITY;
  let wantedAt = Number.POSITIVE_INFINITY;
  let running: Promise<void> | null = null;
  let isStarted = false;
  let isRunning = false;

  function rest(ms: number): void {
    const now = timers.steadyMs();
    timerAt = Math.min(now + ms, wantedAt);
    if (!isStarted || timerAt === Number.POSITIVE_INFINITY) return;
    cancel = timers.after(timerAt - now, wake, isBackground);
  }

  function wakeWithin(ms: number): void {
    if (!isStarted) return;
    const at = timers.steadyMs() + ms;
    wantedAt = Math.min(wantedAt, at);
    if (running !== null || at >= timerAt) return;
    cancel();
    rest(ms);
  }

  function wake(): void {
    if (!isStarted) return;
    isRunning = true;
    if (running !== null) return;
    cancel();
    // Not before `running` is set: a round may call wake, stop and start.
    running = Promise.resolve().then(runUntilStopped);
  }

  async function runUntilStopped(): Promise<void> {
    let ms = pauseMs;
    while (isRunning) {
      isRunning = false;
      wantedAt = Number.POSITIVE_INFINITY;
      ms = await runOnce(options);
    }
    // At once and not when the promise is settled: a call of wake in between would be lost.
    running = null;
    rest(ms);
  }

  return {
    start(firstMs = pauseMs) {
      if (isStarted) return;
      isStarted = true;
      if (running === null) rest(firstMs);
    },
    wake,
    wakeWithin,
    async stop() {
      isStarted = false;
      wantedAt = Number.POSITIVE_INFINITY;
      isRunning = false;
      cancel();
      await running;
    },
  };
}

/** @returns milliseconds until the next round. */
async function runOnce({ run, pauseMs, failed }: LoopOptions): Promise<number> {
  try {
    const ms = await run();
    return typeof ms === 'number' ? Math.min(pauseMs, ms) : pauseMs;
  } catch (error) {
    if (failed === undefined) throw error;
    failed(error);
    return pauseMs;
  }
}
