/** A rate limiter: calls within any minute. */

const MINUTE_MS = 60_000;

export interface RateLimiter {
  /** Takes one. @returns 0, or in how many milliseconds there is one again, with none taken. */
  take(): number;
}

export function createRateLimiter(now: () => number, perMinute: number): RateLimiter {
  let taken: readonly number[] = [];
  return {
    take: () => {
      const at = now();
      // Those of the future were taken by a clock that was ahead.
      taken = taken.filter((time) => time > at - MINUTE_MS && time <= at);
      const [oldest] = taken;
      if (oldest !== undefined && taken.length >= perMinute) return oldest + MINUTE_MS - at;
      taken = [...taken, at];
      return 0;
    },
  };
}
