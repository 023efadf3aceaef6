/**
 * How payments are found with few calls, by either kind of lookup that a driver has: the history of an
 * account, read once for all who wait, and orders, asked for one by one. Knows no API.
 */
import { createFairQueue } from '../sources.js';
import { type DriverAnswer, type DriverQuestion, type ExchangePayment, failed, limited } from './exchange.js';

/** @returns what is known of payments since `fromMs`, those with this id among it. */
export type PaymentFinder = (id: string, fromMs: number) => Promise<DriverAnswer>;

interface FinderMeans {
  readonly find: (question: DriverQuestion) => Promise<DriverAnswer>;
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
  const late = failed('timeout', detail);
  return withinTime(totalMs, (signal) => {
    const waiting = new Promise<DriverAnswer>((resolve) => {
      signal.addEventListener('abort', () => resolve(late));
    });
    return Promise.race([answer, waiting]);
  });
}

/** Rows may appear later than the time that they tell, so the last minutes are read again each time, */
const OPEN_MS = 5 * 60_000;
/** and everything now and then. */
const WHOLE_MS = 10 * 60_000;
/** Windows begin at such steps, so that a claim which is a little older does not make a wider one. */
const STEP_MS = 10 * 60_000;
/** The exchange answers for windows of 90 days; no payment waits that long. */
const MAX_BACK_MS = 89 * 24 * 3_600_000;
/** How far their clock may be ahead of ours without a word from them. */
const AHEAD_MS = 10_000;
/** More than this is read, but not kept. */
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
 * What is older than some minutes is kept, so that a shop with many payments costs one call a lookup and not
 * one for every hundred of them.
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

/** An order is there before anybody can pay it: one that is not there is mistyped or made up. */
const UNKNOWN_MS = 30_000;
/** An id takes two calls at most: in no minute are that more than 58 of the 60 of the line. */
const RATE = { burst: 9, everyMs: 3_000 };
const NOT_SERVED = limited('more ids are asked for than the exchange allows', 10_000);

interface CachedAnswer {
  readonly answer: Promise<DriverAnswer>;
  /** Until then it is given again; Infinity while it is under way. */
  until: number;
}

/**
 * Asks for as many orders as the exchange allows: who asks for the same one within seconds gets the same
 * answer, and one that nobody knows is not asked for again so soon.
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
