/**
 * Does something again and again: a round, a pause, a round. Pauses go by the clock that nobody can set.
 * Knows nothing of what a round does.
 */

export interface LoopOptions {
  /** One round. Returns milliseconds from its end until the next, or nothing for the longest pause. */
  readonly run: (() => Promise<number>) | (() => Promise<void>) | (() => void);
  /** Longest pause in milliseconds, and the one after a failure; Infinity: a round only when woken. */
  readonly pauseMs: number;
  /** Told of what a round throws; the loop then goes on. Without it, the error ends the process. */
  readonly failed?: (error: unknown) => void;
  /** Whether the process may end while the loop pauses. */
  readonly isBackground?: boolean;
}

export interface Loop {
  /**
   * Does nothing if it is started already.
   * @param firstMs milliseconds until the first round; the longest pause unless given.
   */
  start(firstMs?: number): void;
  /** A round at once, or exactly one more after the one under way. Does nothing unless started. */
  wake(): void;
  /** Begins no round any more. Resolves when the one under way is over. It may be started again. */
  stop(): Promise<void>;
}

/** No round overlaps another, even if the loop is stopped and started again meanwhile. */
export function createLoop({ run, pauseMs, failed, isBackground = false }: LoopOptions): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isStarted = false;
  let isWanted = false;

  function rest(ms: number): void {
    if (!isStarted || ms === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(wake, ms);
    if (isBackground) timer.unref();
  }

  function wake(): void {
    if (!isStarted) return;
    isWanted = true;
    if (running !== null) return;
    clearTimeout(timer);
    // Not before `running` is set: a round may call wake, stop and start.
    running = Promise.resolve().then(runWhileWanted);
  }

  async function runWhileWanted(): Promise<void> {
    let ms = pauseMs;
    while (isWanted) {
      isWanted = false;
      ms = await runOnce();
    }
    // At once and not when the promise is settled: a call of wake in between would be lost.
    running = null;
    rest(ms);
  }

  async function runOnce(): Promise<number> {
    try {
      const ms = await run();
      return typeof ms === 'number' ? Math.min(pauseMs, ms) : pauseMs;
    } catch (error) {
      if (failed === undefined) throw error;
      failed(error);
      return pauseMs;
    }
  }

  return {
    start(firstMs = pauseMs) {
      if (isStarted) return;
      isStarted = true;
      if (running === null) rest(firstMs);
    },
    wake,
    async stop() {
      isStarted = false;
      isWanted = false;
      clearTimeout(timer);
      await running;
    },
  };
}
