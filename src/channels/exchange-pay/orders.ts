/**
 * Orders asked for one by one, as many as the exchange allows: who asks for the same one within seconds gets
 * the same answer, and one that nobody knows is not asked for again so soon.
 */
import { type DriverAnswer, failed } from './driver.js';
import { createFairQueue } from './fair-queue.js';
import { FRESH_MS, type Source, type SourceMeans, withinTime } from './source.js';

/** An order is there before anybody can pay it: one that is not there is mistyped or made up. */
const UNKNOWN_MS = 30_000;
/** An id takes two calls at most: in no minute are that more than 58 of the 60 of the line. */
const RATE = { burst: 9, everyMs: 3_000 };
const NOT_SERVED = failed({
  kind: 'rate_limited',
  detail: 'more ids are asked for than the exchange allows',
  retryAfterMs: 10_000,
});

interface CachedAnswer {
  readonly answer: Promise<DriverAnswer>;
  /** Until then it is given again; Infinity while it is under way. */
  until: number;
}

export function createOrders({ find, now, totalMs }: SourceMeans): Source {
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

  return {
    find: (id, fromMs) => {
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
    },
  };
}
