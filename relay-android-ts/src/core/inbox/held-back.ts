/**
 * Messages that get no answer of the server while an empty request does: one is too long for any request, a
 * filter on the way objects to the text of another. Each waits for itself, so that it holds up no other.
 * Nothing of it is kept on disk: they are in the queue, and a new start tries them at once.
 */
import { backoffMs } from '../time/backoff.js';

interface Held {
  readonly failures: number;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
  readonly reason: string;
}

/** Fewer failures may be chance: a server was restarted just then. */
const TOLD_FROM = 3;

export class HeldBack {
  readonly #held = new Map<string, Held>();

  get size(): number {
    return this.#held.size;
  }

  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** It has failed once more. `random` is from [0, 1). */
  hold({ id, reason }: { readonly id: string; readonly reason: string }, now: number, random: number): void {
    const failures = (this.#held.get(id)?.failures ?? 0) + 1;
    this.#held.set(id, { failures, until: now + backoffMs(failures, random), reason });
  }

  /** The server has answered for these. What stood in the way of one for long may be gone for all. */
  release(ids: readonly string[]): void {
    const wasLong = ids.some((id) => (this.#held.get(id)?.failures ?? 0) >= TOLD_FROM);
    for (const id of wasLong ? this.#held.keys() : ids) this.#held.delete(id);
  }

  /** How long until one of them may be tried again; Infinity if there is none. */
  waitMs(now: number): number {
    return Math.max(0, (this.#next()?.[1].until ?? Number.POSITIVE_INFINITY) - now);
  }

  /** The one that may be tried again now. */
  due(now: number): string | undefined {
    return this.waitMs(now) > 0 ? undefined : this.#next()?.[0];
  }

  /** Why the one that waits longest is not delivered. */
  get reason(): string | undefined {
    return [...this.#held.values()][0]?.reason;
  }

  /** In one line, for whoever can look at what stands in the way; null if there is nothing to tell. */
  trouble(): string | null {
    const told = [...this.#held.values()].filter(({ failures }) => failures >= TOLD_FROM);
    const [first] = told;
    return first === undefined ? null : `cannot deliver ${told.length} SMS, tried again (${first.reason})`;
  }

  #next(): [string, Held] | undefined {
    return [...this.#held].reduce<[string, Held] | undefined>(
      (first, one) => (first === undefined || one[1].until < first[1].until ? one : first),
      undefined,
    );
  }
}
