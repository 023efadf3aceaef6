/** A semaphore with a waiting time: limits concurrent calls of one node. */

export interface Semaphore {
  /** @returns false if none became free in time; after true, the caller must release it. */
  acquire(waitMs: number): Promise<boolean>;
  release(): void;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting = new Set<() => void>();
  return {
    acquire: (waitMs) => {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(admit);
          resolve(false);
        }, waitMs);
        const admit = () => {
          clearTimeout(timer);
          resolve(true);
        };
        waiting.add(admit);
      });
    },
    release: () => {
      const [next] = waiting;
      if (next === undefined) {
        free += 1;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
