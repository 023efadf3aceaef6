/**
 * What the reader asks for payments, whichever kind of lookup the driver has, and the limits of time that
 * both kinds keep to. Knows no API.
 */
import { type DriverAnswer, type DriverQuestion, failed } from './driver.js';

export type Find = (question: DriverQuestion) => Promise<DriverAnswer>;

export interface Source {
  /** @returns what is known of payments since `fromMs`, those with this id among it. */
  find(id: string, fromMs: number): Promise<DriverAnswer>;
}

export interface SourceMeans {
  readonly find: Find;
  readonly now: () => number;
  /** Time limit of one lookup with all its calls, in milliseconds. */
  readonly totalMs: number;
}

/** For how long an answer is given again: customers and shops ask every few seconds. */
export const FRESH_MS = 3_000;

/** Runs one lookup within its time limit. */
export async function withinTime<T>(
  totalMs: number,
  lookup: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), totalMs);
  try {
    return await lookup(ending.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for what others have asked, no longer than for a lookup of one's own. */
export function orTimeout(totalMs: number, answer: Promise<DriverAnswer>): Promise<DriverAnswer> {
  const detail = `no whole answer within ${totalMs} ms`;
  const late = failed({ kind: 'unavailable', cause: 'timeout', detail });
  return withinTime(totalMs, (signal) => {
    const waiting = new Promise<DriverAnswer>((resolve) => {
      signal.addEventListener('abort', () => resolve(late));
    });
    return Promise.race([answer, waiting]);
  });
}
