/**
 * Finds payments with few calls, for both kinds of lookup that a driver can have: the history of an account,
 * read once for all waiting callers, and orders, queried one by one. Does not know the APIs.
 */
import { createFairQueue } from '../sources.js';
import { type DriverAnswer, type DriverQuestion, type ExchangePayment, failed, limited } from './exchange.js';

/** @returns the known payments since `fromMs`, including those with this id. */
export type PaymentFinder = (id: string, fromMs: number) => Promise<DriverAnswer>;

interface FinderMeans {
  readonly find: (question: DriverQuestion) => Promise<DriverAnswer>;
  readonly now: () => number;
  /** Time limit of one lookup with all its calls, in milliseconds. */
  readonly totalMs: number;
}

/** Time for which an answer is reused: customers and shops poll every few seconds. */
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

/** Limits the wait for a lookup that other callers started to the time limit of one lookup. */
export function orTimeout(totalMs: number, answer: Promise<DriverAnswer>): Promise<DriverAnswer> {
  const detail = `no whole answer within ${totalMs} ms`;
  const late = failed('timeout', detail);
  return withinTime(totalMs, (signal) => {
    const waiting = new Promise<DriverAnswer>((resolve) => {
      signal.addEventListener('abort', () => resolve(late));
    });
    return Promise.race([answer, waiting]);
  });
}

/** Age up to which each lookup reads rows again, because they may appear later than their time. */
const OPEN_MS = 5 * 60_000;
/** Interval after which the complete history is read again. */
const WHOLE_MS = 10 * 60_000;
/** Windows begin at such steps, so that a claim which is a little older does not make a wider one. */
const STEP_MS = 10 * 60_000;
/** The exchange answers for windows of 90 days; no payment waits that long. */
const MAX_BACK_MS = 89 * 24 * 3_600_000;
/** Lead of the exchange's clock over ours that the exchange may leave unreported. */
const AHEAD_MS = 10_000;
/** Maximum number of rows kept in memory; more are read, but not kept. */
const MAX_KEPT = 20_000;

interface History {
  /** Read from here on; Infinity if it never was. */
  readonly from: number;
  /** Up to here it is not read again. */
  readonly closedTo: number;
  readonly wholeAt: number;
  readonly readAt: number;
  readonly payments: readonly ExchangePayment[];
}

const UNREAD: History = {
  from: Number.POSITIVE_INFINITY,
  closedTo: Number.NEGATIVE_INFINITY,
  wholeAt: Number.NEGATIVE_INFINITY,
  readAt: Number.NEGATIVE_INFINITY,
  payments: [],
};

/**
 * Keeps rows older than some minutes, so that a shop with many payments costs one call per lookup and not one
 * for every hundred payments.
 */
export function createScan({ find, now, totalMs }: FinderMeans): PaymentFinder {
  let history = UNREAD;
  let flight: { readonly from: number; readonly done: Promise<DriverAnswer> } | null = null;

  const read = async (from: number, signal: AbortSignal): Promise<DriverAnswer> => {
    const began = now();
    const known = began - history.wholeAt < WHOLE_MS ? history : UNREAD;
    const start = Math.min(from, known.from);
    const fresh: ExchangePayment[] = [];
    for (const [fromMs, toMs] of windowsOf(start, known, began + AHEAD_MS)) {
      const answer = await find({ ids: [], fromMs, toMs, signal });
      if (answer.outcome === 'failed') return answer;
      fresh.push(...answer.payments);
    }
    const payments = [...known.payments.filter(({ at }) => at <= known.closedTo), ...fresh];
    const isTooMuch = payments.length > MAX_KEPT;
    history = isTooMuch
      ? UNREAD
      : {
          from: start,
          closedTo: Math.max(known.closedTo, start - 1, began - OPEN_MS),
          wholeAt: known === UNREAD ? began : known.wholeAt,
          readAt: now(),
          payments,
        };
    return { outcome: 'seen', payments };
  };

  const startFlight = (from: number): Promise<DriverAnswer> => {
    const done = withinTime(totalMs, (signal) => read(from, signal)).finally(() => {
      flight = null;
    });
    flight = { from, done };
    return done;
  };

  const readFrom = async (from: number): Promise<DriverAnswer> => {
    // The clock was set back: what was read at a time that is still to come would never be old.
    if (now() < history.readAt) history = UNREAD;
    if (history.from <= from && now() - history.readAt < FRESH_MS) {
      return { outcome: 'seen', payments: history.payments };
    }
    if (flight === null) return startFlight(from);
    const { from: since, done } = flight;
    const answer = await done;
    return since <= from || answer.outcome === 'failed' ? answer : readFrom(from);
  };

  return (_id, fromMs) => {
    const from = Math.floor(fromMs / STEP_MS) * STEP_MS;
    return readFrom(Math.max(from, now() - MAX_BACK_MS));
  };
}

function windowsOf(start: number, known: History, end: number): (readonly [number, number])[] {
  if (known === UNREAD) return [[start, end]];
  const tail = [known.closedTo + 1, end] as const;
  return start < known.from ? [[start, known.from - 1], tail] : [tail];
}

/** Pause of queries for an unknown order: orders exist before payment, so its id is mistyped or invented. */
const UNKNOWN_MS = 30_000;
/** An id takes two calls at most: in no minute are that more than 58 of the 60 of the line. */
const RATE = { burst: 9, everyMs: 3_000 };
const NOT_SERVED = limited('more ids are asked for than the exchange allows', 10_000);

interface CachedAnswer {
  readonly answer: Promise<DriverAnswer>;
  /** Time until which the answer is reused; Infinity while the request is in progress. */
  until: number;
}

/**
 * Queries as many orders as the exchange allows. Callers who request the same order within seconds get the
 * same answer; an unknown order is not queried again for `UNKNOWN_MS`.
 */
export function createOrders({ find, now, totalMs }: FinderMeans): PaymentFinder {
  const answers = new Map<string, CachedAnswer>();
  const queue = createFairQueue(RATE);

  const forget = () => {
    for (const [id, { until }] of answers) if (now() >= until) answers.delete(id);
  };

  const askWhenServed = async (id: string, fromMs: number): Promise<DriverAnswer> => {
    const beganAt = performance.now();
    // All questions of one session begin at one time, and hardly those of another. Half of the time is left
    // for the exchange, so that it is not taken for slow when it was the line that was long.
    const isServed = await withinTime(totalMs / 2, (signal) => queue.take(fromMs, signal));
    if (!isServed) return NOT_SERVED;
    const leftMs = totalMs - (performance.now() - beganAt);
    return withinTime(leftMs, (signal) => find({ ids: [id], fromMs, toMs: now(), signal }));
  };

  return (id, fromMs) => {
    forget();
    const known = answers.get(id);
    if (known !== undefined) return known.answer;
    const answer = askWhenServed(id, fromMs);
    const entry: CachedAnswer = { answer, until: Number.POSITIVE_INFINITY };
    answers.set(id, entry);
    void answer.then((told) => {
      const isUnknown = told.outcome === 'seen' && told.payments.length === 0;
      entry.until = now() + (isUnknown ? UNKNOWN_MS : FRESH_MS);
    });
    return answer;
  };
}
