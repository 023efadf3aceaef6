/**
 * Counters of the rate limits, on a monotonic clock: by the wall clock, a minute that began while it was two
 * days ahead would refuse callers for two days. `SteadyStore` counts for one daemon. `SharedRateStore` counts
 * for all daemons on one store: a daemon reserves a share of a caller's limit and counts it locally, so that
 * few requests wait for the store; while the store can be reached, all shares together never exceed the
 * limit. The unused rest of a share is lost to the caller: at most a twentieth of the limit for each of the
 * other daemons.
 */
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { RateWindows } from '../../../src/actions/core/rate-windows.js';

interface CallerWindow {
  count: number;
  endsAt: number;
}

type Callback = Parameters<FastifyRateLimitStore['incr']>[1];

/** The counters of one limit. */
export class SteadyStore implements FastifyRateLimitStore {
  /** The longest silent first. */
  readonly #windows = new Map<string, CallerWindow>();

  /** @param steadyMs milliseconds of a monotonic clock. @param most how many callers are remembered. */
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

  /** Returns the same as `incr`, but counts nothing. */
  read(caller: string, callback: Callback): void {
    const now = this.steadyMs();
    const window = this.#present(caller, now);
    callback(null, { current: window?.count ?? 0, ttl: window === undefined ? 0 : window.endsAt - now });
  }

  child(): SteadyStore {
    return this;
  }

  #present(caller: string, now: number): CallerWindow | undefined {
    const window = this.#windows.get(caller);
    return window !== undefined && now < window.endsAt ? window : undefined;
  }
}

/** Share of a caller's window that a daemon has reserved. */
interface Share {
  /** Places that it may use. */
  left: number;
  /** True if nothing more can be reserved. */
  readonly isLast: boolean;
  /** End of the window in ms, on the monotonic clock. */
  readonly endsAt: number;
}

type CallerCount = NonNullable<Parameters<Callback>[1]>;

/** Divisor of the limit: each reservation takes a twentieth. */
const PART = 20;

/** @param steadyMs milliseconds of a monotonic clock. */
export class SharedRateStore implements FastifyRateLimitStore {
  /** The one that was taken first comes first. */
  readonly #shares = new Map<string, Share>();
  readonly #taking = new Map<string, Promise<void>>();

  /**
   * @param name of the limit, such as `requests`.
   * @param most how many callers are remembered; one that is forgotten takes again.
   */
  constructor(
    private readonly windows: RateWindows,
    private readonly steadyMs: () => number,
    private readonly name: string,
    private readonly most: number,
  ) {}

  incr(caller: string, callback: Callback, lengthMs: number, limit: number): void {
    const count = this.#use(caller, limit);
    if (count !== null) callback(null, count);
    else this.#takeAndUse(caller, lengthMs, limit).then((taken) => callback(null, taken), callback);
  }

  /** Returns the same as `incr`, but counts nothing. */
  read(caller: string, callback: Callback, lengthMs: number, limit: number): void {
    const share = this.#openShare(caller);
    if (share?.isLast && share.left === 0) callback(null, { current: limit, ttl: this.#ttl(share) });
    else this.#look(caller, lengthMs).then((count) => callback(null, count), callback);
  }

  child(): FastifyRateLimitStore {
    return this;
  }

  #ttl({ endsAt }: Share): number {
    return endsAt - this.steadyMs();
  }

  #openShare(caller: string): Share | undefined {
    const share = this.#shares.get(caller);
    return share !== undefined && this.steadyMs() < share.endsAt ? share : undefined;
  }

  /** @returns null if the store must be queried first. */
  #use(caller: string, limit: number): CallerCount | null {
    const share = this.#openShare(caller);
    if (share === undefined || (share.left === 0 && !share.isLast)) return null;
    if (share.left === 0) return { current: limit + 1, ttl: this.#ttl(share) };
    share.left -= 1;
    return { current: 1, ttl: this.#ttl(share) };
  }

  async #takeAndUse(caller: string, lengthMs: number, limit: number): Promise<CallerCount> {
    for (;;) {
      const taking = this.#taking.get(caller) ?? this.#take(caller, lengthMs, limit);
      this.#taking.set(caller, taking);
      await taking;
      const count = this.#use(caller, limit);
      if (count !== null) return count;
    }
  }

  async #take(caller: string, lengthMs: number, limit: number): Promise<void> {
    const share = await this.#nextShare(caller, lengthMs, limit);
    this.#taking.delete(caller);
    const [oldest] = this.#shares.keys();
    if (!this.#shares.delete(caller) && this.#shares.size >= this.most && oldest !== undefined) {
      this.#shares.delete(oldest);
    }
    this.#shares.set(caller, share);
  }

  async #nextShare(caller: string, lengthMs: number, limit: number): Promise<Share> {
    const places = Math.max(1, Math.floor(limit / PART));
    try {
      const { used, leftMs } = await this.windows.take(this.name, caller, places, lengthMs);
      const left = Math.min(places, Math.max(0, limit - (used - places)));
      return { left, isLast: left < places, endsAt: this.steadyMs() + leftMs };
    } catch {
      // A store that cannot be asked is told of by what the request wants of it. This daemon counts alone.
      return { left: limit, isLast: true, endsAt: this.steadyMs() + lengthMs };
    }
  }

  async #look(caller: string, lengthMs: number): Promise<CallerCount> {
    const used = await this.windows.look(this.name, caller, lengthMs).catch(() => undefined);
    return { current: used?.used ?? 0, ttl: used?.leftMs ?? 0 };
  }
}
