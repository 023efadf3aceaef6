/**
 * In whose turn ids are asked for one by one. Anybody can make up ids, so whoever has had the fewest turns
 * lately comes first: a burst of one session waits in line and holds up only itself.
 */

const MINUTE_MS = 60_000;

export interface Turns {
  /**
   * @param who the asker, told from others by this number.
   * @returns true when it is the asker's turn, false where the signal came first.
   */
  take(who: number, signal: AbortSignal): Promise<boolean>;
}

export interface Pace {
  /** Turns that can be had at once after a while of silence. */
  readonly burst: number;
  /** Then one in each such time, milliseconds. */
  readonly everyMs: number;
}

interface Waiting {
  readonly who: number;
  admit(): void;
}

export function createTurns({ burst, everyMs }: Pace): Turns {
  const line = new Set<Waiting>();
  let left = burst;
  let at = performance.now();
  let had: readonly { readonly who: number; readonly at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;

  const turnsOf = (asker: number) => had.filter(({ who }) => who === asker).length;

  /** Of equals the newest, who can still be answered in time when there are too many. */
  const first = (): Waiting | undefined => {
    const counted = [...line].reverse().map((one) => ({ one, turns: turnsOf(one.who) }));
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
      line.delete(next);
      next.admit();
    }
    clearTimeout(timer);
    if (line.size > 0) timer = setTimeout(serve, (1 - left) * everyMs);
  };

  return {
    take: (who, signal) =>
      new Promise((resolve) => {
        const one = { who, admit: () => resolve(true) };
        line.add(one);
        signal.addEventListener(
          'abort',
          () => {
            line.delete(one);
            if (line.size === 0) clearTimeout(timer);
            resolve(false);
          },
          { once: true },
        );
        serve();
      }),
  };
}
