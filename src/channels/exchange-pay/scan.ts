/**
 * The history of an account, read once for all who wait. What is older than some minutes is kept, so that a
 * shop with many payments costs one call a lookup and not one for every hundred of them.
 */
import type { DriverAnswer, ExchangePayment } from './driver.js';
import { FRESH_MS, type Source, type SourceMeans, withinTime } from './source.js';

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

export function createScan({ find, now, totalMs }: SourceMeans): Source {
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

  return {
    find: (_id, fromMs) => {
      const from = Math.floor(fromMs / STEP_MS) * STEP_MS;
      return readFrom(Math.max(from, now() - MAX_BACK_MS));
    },
  };
}

function windowsOf(start: number, known: History, end: number): (readonly [number, number])[] {
  if (known === UNREAD) return [[start, end]];
  const tail = [known.closedTo + 1, end] as const;
  return start < known.from ? [[start, known.from - 1], tail] : [tail];
}
