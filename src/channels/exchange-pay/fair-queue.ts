/**
 * A fair queue for lookups of single ids. Ids can be made up, so the caller with the fewest recent lookups
 * comes first: a burst of one session delays only itself.
 */

const MINUTE_MS = 60_000;

export interface FairQueue {
  /**
   * @param who number that identifies the caller.
   * @returns true when the caller is served, false if the signal came first.
   */
  take(who: number, signal: AbortSignal): Promise<boolean>;
}

export interface Rate {
  /** Turns that can be had at once after a while of silence. */
  readonly burst: number;
  /** Then one in each such time, milliseconds. */
  readonly everyMs: number;
}

interface Waiting {
  readonly who: number;
  admit(): void;
}

export function createFairQueue({ burst, everyMs }: Rate): FairQueue {
  const waiting = new Set<Waiting>();
  let left = burst;
  let at = performance.now();
  let had: readonly { readonly who: number; readonly at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;

  const servedCount = (caller: number) => had.filter(({ who }) => who === caller).length;

  /** Of equals the newest, who can still be answered in time when there are too many. */
  const first = (): Waiting | undefined => {
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
