/**
 * Rules and counters for calls to chain nodes and exchanges: allowed addresses, rate limits, concurrency,
 * back-off after a failure, and tallies. Knows no protocol and loads no client.
 */

/**
 * Plain http is for this machine alone, as of an operator's own node: others on the way could fake payments.
 */
export function mayCall(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url));
}

/** True if the address names this machine by its text alone, without a DNS lookup. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

export interface SourceFault<Kind extends string = string> {
  readonly kind: Kind;
  /** Fit for logs: without addresses and credentials, and nothing that the source has said. */
  readonly detail: string;
  /** Delay that the source requires, in ms; only for `rate_limited`. */
  readonly retryAfterMs?: number;
}

/** Back-off of a failed source, until it answers again. */
export interface Rest<Fault extends SourceFault> {
  readonly fault: Fault;
  /** Number of failures since its last answer. */
  readonly tries: number;
  readonly retryAt: number;
}

interface Wait {
  /** Each failure after the first doubles it, milliseconds. */
  readonly firstMs: number;
  readonly longestMs: number;
}

export interface BackOff {
  readonly usual: Wait;
  /** Back-off of a rate-limited source: at least what the source requires, at most `longestMs`. */
  readonly limited: Wait;
}

/** @param before null if the source was healthy. @param now milliseconds on the clock of the back-off. */
export function restAfter<Fault extends SourceFault>(
  before: Rest<Fault> | null,
  fault: Fault,
  now: number,
  backOff: BackOff,
): Rest<Fault> {
  const tries = (before?.tries ?? 0) + 1;
  const { firstMs, longestMs } = fault.kind === 'rate_limited' ? backOff.limited : backOff.usual;
  const waitMs = Math.min(Math.max(firstMs * 2 ** (tries - 1), fault.retryAfterMs ?? 0), longestMs);
  return { fault, tries, retryAt: now + waitMs };
}

/** Calls and failures of one source since the last save. */
export interface SourceTally {
  /** Id of a node or an account. */
  readonly source: string;
  readonly calls: number;
  /** Number of failures by kind. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds since the epoch, or null. */
  readonly lastOkAt: number | null;
  readonly lastFailure: { readonly at: number; readonly kind: string; readonly detail: string } | null;
}

/** Counters of each source since the previous `take`; times are milliseconds since the epoch. */
export interface Tallies {
  called(source: string): void;
  succeeded(source: string, at: number): void;
  /** Counts a failure, but no call. */
  failed(source: string, fault: SourceFault, at: number): void;
  /** Returns the counters since the previous call, and resets them. */
  take(): SourceTally[];
}

export function createTallies(): Tallies {
  const rows = new Map<string, SourceTally>();
  const tallyOf = (source: string): SourceTally =>
    rows.get(source) ?? { source, calls: 0, failures: {}, lastOkAt: null, lastFailure: null };
  const change = (source: string, changed: Partial<SourceTally>) => {
    rows.set(source, { ...tallyOf(source), ...changed });
  };
  return {
    called: (source) => change(source, { calls: tallyOf(source).calls + 1 }),
    succeeded: (source, lastOkAt) => change(source, { lastOkAt }),
    failed(source, { kind, detail }, at) {
      const { failures } = tallyOf(source);
      const counted = { ...failures, [kind]: (failures[kind] ?? 0) + 1 };
      change(source, { failures: counted, lastFailure: { at, kind, detail } });
    },
    take() {
      const taken = [...rows.values()];
      rows.clear();
      return taken;
    },
  };
}

/** @returns a function that begins a call, or waits for the one of that name that is under way. */
export function createSharedCalls<Value>(): (name: string, begin: () => Promise<Value>) => Promise<Value> {
  const running = new Map<string, Promise<Value>>();
  return (name, begin) => {
    const known = running.get(name);
    if (known !== undefined) return known;
    const begun = begin().finally(() => running.delete(name));
    running.set(name, begun);
    return begun;
  };
}

/** Limits the calls that are under way at a time. */
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

const MINUTE_MS = 60_000;

/**
 * Limits the calls within any minute.
 * @returns a function that takes one: 0, or in how many milliseconds there is one again, with none taken.
 */
export function createRateLimiter(now: () => number, perMinute: number): () => number {
  let taken: readonly number[] = [];
  return () => {
    const at = now();
    // Those of the future were taken by a clock that was ahead.
    taken = taken.filter((time) => time > at - MINUTE_MS && time <= at);
    const [oldest] = taken;
    if (oldest !== undefined && taken.length >= perMinute) return oldest + MINUTE_MS - at;
    taken = [...taken, at];
    return 0;
  };
}

/**
 * A queue for calls that anybody can bring about. The caller with the fewest turns in the last minute comes
 * first: a burst of one delays only itself.
 */
interface FairQueue {
  /**
   * @param who number that identifies the caller.
   * @returns true when the caller is served, false if the signal aborts first.
   */
  take(who: number, signal: AbortSignal): Promise<boolean>;
}

interface Rate {
  /** Turns that can be had at once after a while of silence. */
  readonly burst: number;
  /** Interval between further turns, in ms. */
  readonly everyMs: number;
}

interface QueuedCaller {
  readonly who: number;
  admit(): void;
}

export function createFairQueue({ burst, everyMs }: Rate): FairQueue {
  const waiting = new Set<QueuedCaller>();
  let left = burst;
  let at = performance.now();
  let had: readonly { readonly who: number; readonly at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;

  const servedCount = (caller: number) => had.filter(({ who }) => who === caller).length;

  /** Picks the caller with the fewest turns; among equals the newest, which overload delays least. */
  const first = (): QueuedCaller | undefined => {
    const counted = [...waiting].reverse().map((one) => ({ one, turns: servedCount(one.who) }));
    return counted.sort((a, b) => a.turns - b.turns)[0]?.one;
  };

  const serve = () => {
    const now = performance.now();
    left = Math.min(burst, left + (now - at) / everyMs);
    at = now;
    had = had.filter((turn) => turn.at > now - MINUTE_MS);
    for (let next = first(); next !== undefined && left >= 1; next = first()) {
      left -= 1;
      had = [...had, { who: next.who, at: now }];
      waiting.delete(next);
      next.admit();
    }
    clearTimeout(timer);
    if (waiting.size > 0) timer = setTimeout(serve, (1 - left) * everyMs);
  };

  return {
    take: (who, signal) =>
      new Promise((resolve) => {
        const one = { who, admit: () => resolve(true) };
        waiting.add(one);
        signal.addEventListener(
          'abort',
          () => {
            waiting.delete(one);
            if (waiting.size === 0) clearTimeout(timer);
            resolve(false);
          },
          { once: true },
        );
        serve();
      }),
  };
}
