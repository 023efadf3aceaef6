/** Does something again and again, by the clock that nobody can set. Knows nothing of what it does. */

export interface Repeating {
  /** Starts no run any more and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * The first run comes after one period. No run overlaps the one before: what takes longer than a period is
 * followed at once.
 * @param run must not reject.
 */
export function every(periodMs: number, run: () => Promise<void>): Repeating {
  let running = Promise.resolve();
  let isStopped = false;
  let timer: NodeJS.Timeout;
  const rest = (ms: number) => {
    timer = setTimeout(() => {
      const began = performance.now();
      running = run().then(() => {
        if (!isStopped) rest(Math.max(0, periodMs - (performance.now() - began)));
      });
    }, ms);
  };
  rest(periodMs);
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
