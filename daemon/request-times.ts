/**
 * Counts answered requests, with status and duration, for `/metrics`. Knows routes by their patterns, never
 * the address that was called. Runs for every request, so it must cost next to nothing.
 */

/** Upper ends, in seconds. */
export const BUCKETS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

const GROUPS: readonly (readonly [path: string, group: string])[] = [
  ['/api/v2/payment/', 'headless'],
  ['/api/payment/', 'hosted'],
  ['/api/execute/', 'checkout'],
  ['/pay/', 'checkout'],
  ['/api/qr/', 'checkout'],
  ['/api/v2/relay/', 'relay'],
  ['/mobile/v1/', 'relay'],
  ['/api/v2/gateway/', 'gateway'],
  ['/api/v2/acquirer/', 'acquirer'],
];
const OTHER = 'other';

export interface RequestTally {
  /** Group of routes: `headless`, `hosted`, …, `other`. */
  readonly group: string;
  /** Class of the answer: `2xx` to `5xx`. */
  readonly status: string;
  /** One for each of `BUCKETS`, then one for all that took longer. */
  readonly counts: number[];
  /** Total duration of all these requests, in seconds. */
  seconds: number;
}

export type RequestTimes = ReturnType<typeof createRequestTimes>;

/** @param basePath path before those of all groups; may be empty. */
export function createRequestTimes(basePath: string) {
  /** Tallies by route, indexed by the first digit of the status. */
  const ofRoute = new Map<string, RequestTally[]>();
  const tallies = new Map<string, RequestTally>();
  const tallyOf = (route: string, digit: number): RequestTally => {
    const group = GROUPS.find(([path]) => route.startsWith(basePath + path))?.[1] ?? OTHER;
    const status = `${digit}xx`;
    const name = `${group} ${status}`;
    const tally = tallies.get(name) ?? {
      group,
      status,
      counts: [...BUCKETS, Infinity].map(() => 0),
      seconds: 0,
    };
    tallies.set(name, tally);
    const tallied = ofRoute.get(route) ?? [];
    tallied[digit] = tally;
    ofRoute.set(route, tallied);
    return tally;
  };
  return {
    /** @param route its pattern, empty where nothing is at that address. @param ms until it was answered. */
    note: (route: string, code: number, ms: number): void => {
      const digit = Math.trunc(code / 100);
      const tally = ofRoute.get(route)?.[digit] ?? tallyOf(route, digit);
      const seconds = ms / 1_000;
      let bucket = 0;
      while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1;
      tally.counts[bucket] = (tally.counts[bucket] ?? 0) + 1;
      tally.seconds += seconds;
    },
    all: (): readonly Readonly<RequestTally>[] => [...tallies.values()],
  };
}

/** @returns them as a histogram in the text form that Prometheus reads. */
export function formatHistogram(
  name: string,
  help: string,
  tallies: readonly Readonly<RequestTally>[],
): string {
  const lines = tallies.flatMap(({ group, status, counts, seconds }) => {
    const labels = `group="${group}",status="${status}"`;
    let total = 0;
    const buckets = counts.map((count, at) => {
      total += count;
      return `${name}_bucket{${labels},le="${BUCKETS[at] ?? '+Inf'}"} ${total}`;
    });
    return [...buckets, `${name}_sum{${labels}} ${seconds}`, `${name}_count{${labels}} ${total}`];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
}
