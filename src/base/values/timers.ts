/** Waiting as an argument, as the time is: tests and the simulator let it pass at once. */

export interface Timers {
  /** Milliseconds of a clock that only rises. */
  steadyMs(): number;
  /**
   * Calls `callback` once after `ms`.
   * @param isBackground whether the process may end before.
   * @returns a function that calls it off
   */
  after(ms: number, callback: () => void, isBackground?: boolean): () => void;
  /** Calls `callback` once, when what happens in this turn of the event loop is over. */
  afterTurn(callback: () => void): void;
}

export const systemTimers: Timers = {
  steadyMs: () => performance.now(),
  after(ms, callback, isBackground = false) {
    const timer = setTimeout(callback, Math.max(ms, 0));
    if (isBackground) timer.unref();
    return () => clearTimeout(timer);
  },
  afterTurn(callback) {
    setImmediate(callback);
  },
};

/** Resolves after `ms`. */
export const sleep = (timers: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timers.after(ms, resolve);
  });
