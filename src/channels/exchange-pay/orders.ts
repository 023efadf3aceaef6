/** Orders asked for one by one: who asks for the same one within seconds gets the same answer. */
import type { DriverAnswer } from './driver.js';
import { FRESH_MS, type Source, type SourceMeans, withinTime } from './source.js';

interface Asked {
  readonly answer: Promise<DriverAnswer>;
  /** Infinity while it is under way. */
  doneAt: number;
}

export function createOrders({ find, now, totalMs }: SourceMeans): Source {
  const asked = new Map<string, Asked>();

  const forget = () => {
    for (const [id, { doneAt }] of asked) if (now() - doneAt >= FRESH_MS) asked.delete(id);
  };

  return {
    find: (id, fromMs) => {
      forget();
      const known = asked.get(id);
      if (known !== undefined) return known.answer;
      const answer = withinTime(totalMs, (signal) => find({ ids: [id], fromMs, toMs: now(), signal }));
      const entry: Asked = { answer, doneAt: Number.POSITIVE_INFINITY };
      asked.set(id, entry);
      void answer.finally(() => {
        entry.doneAt = now();
      });
      return answer;
    },
  };
}
