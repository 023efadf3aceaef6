/**
 * Counters of the rate limits, on a monotonic clock. By the wall clock, a minute that began while it was two
 * days ahead would refuse callers for two days.
 */
import type { FastifyRateLimitStore } from '@fastify/rate-limit';

interface Window {
  count: number;
  endsAt: number;
}

type Callback = Parameters<FastifyRateLimitStore['incr']>[1];

/** The counters of one limit. */
export class SteadyStore implements FastifyRateLimitStore {
  /** The longest silent first. */
  readonly #windows = new Map<string, Window>();

  /**
   * @param steadyMs milliseconds of a monotonic clock.
   * @param most how many callers are remembered.
   */
  constructor(
    private readonly steadyMs: () => number,
    private readonly most: number,
  ) {}

  incr(caller: string, callback: Callback, lengthMs: number): void {
    const now = this.steadyMs();
    const window = this.#present(caller, now) ?? { count: 0, endsAt: now + lengthMs };
    window.count += 1;
    const [oldest] = this.#windows.keys();
    if (!this.#windows.delete(caller) && this.#windows.size >= this.most && oldest !== undefined) {
      this.#windows.delete(oldest);
    }
    this.#windows.set(caller, window);
    callback(null, { current: window.count, ttl: window.endsAt - now });
  }

  /** As `incr`, but counts nothing. */
  read(caller: string, callback: Callback): void {
    const now = this.steadyMs();
    const window = this.#present(caller, now);
    callback(null, { current: window?.count ?? 0, ttl: window === undefined ? 0 : window.endsAt - now });
  }

  child(): SteadyStore {
    return this;
  }

  #present(caller: string, now: number): Window | undefined {
    const window = this.#windows.get(caller);
    return window !== undefined && now < window.endsAt ? window : undefined;
  }
}
