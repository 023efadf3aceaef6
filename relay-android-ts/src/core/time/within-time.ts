/** Waits for work, but not for ever. Knows nothing of what is done, and does not break it off. */
import type { Clock } from '../ports.js';

/** Resolves when `work` has resolved, or after `ms`. `work` must not reject. */
export function withinTime(clock: Clock, work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    void work.then(() => {
      cancel();
      resolve();
    });
  });
}
