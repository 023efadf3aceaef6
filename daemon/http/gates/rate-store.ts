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

const MANY = 5_000;

/** @param steadyMs milliseconds of a monotonic clock. @returns a store for @fastify/rate-limit. */
export function steadyStore(steadyMs: () => number) {
  return class SteadyStore implements FastifyRateLimitStore {
    readonly #most: number;
    /** The longest silent first. */
    readonly #windows = new Map<string, Window>();

    /** @param options of the plugin or of one limit; `cache` says how many callers are remembered. */
    constructor(options: object) {
      this.#most = (options as { readonly cache?: number }).cache ?? MANY;
    }

    incr(caller: string, callback: Callback, lengthMs: number): void {
      const now = steadyMs();
      const window = this.#present(caller, now) ?? { count: 0, endsAt: now + lengthMs };
      window.count += 1;
      const [oldest] = this.#windows.keys();
      if (!this.#windows.delete(caller) && this.#windows.size >= this.#most && oldest !== undefined) {
        this.#windows.delete(oldest);
      }
      this.#windows.set(caller, window);
      callback(null, { current: window.count, ttl: window.endsAt - now });
    }

    /** As `incr`, but counts nothing. */
    read(caller: string, callback: Callback): void {
      const now = steadyMs();
      const window = this.#present(caller, now);
      callback(null, { current: window?.count ?? 0, ttl: window === undefined ? 0 : window.endsAt - now });
    }

    child(options: object): SteadyStore {
      return new SteadyStore(options);
    }

    #present(caller: string, now: number): Window | undefined {
      const window = this.#windows.get(caller);
      return window !== undefined && now < window.endsAt ? window : undefined;
    }
  };
}
