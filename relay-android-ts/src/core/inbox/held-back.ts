/**
 * Messages that fail while an empty request succeeds: too long for any request, or blocked by a filter on the
 * way. Each waits on its own and delays no other. Not kept on disk: they are in the queue, and a restart
 * tries them at once.
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
  private readonly held = new Map<string, Held>();

  get size(): number {
    return this.held.size;
  }

  has(id: string): boolean {
    return this.held.has(id);
  }

  /** It has failed once more. `random` is from [0, 1). */
  hold({ id, reason }: { readonly id: string; readonly reason: string }, now: number, random: number): void {
    const failures = (this.held.get(id)?.failures ?? 0) + 1;
    this.held.set(id, { failures, until: now + backoffMs(failures, random), reason });
  }

  /** The server has answered for these; the obstacle may be gone for the others too. */
  release(ids: readonly string[]): void {
    const wasLong = ids.some((id) => (this.held.get(id)?.failures ?? 0) >= TOLD_FROM);
    for (const id of wasLong ? this.held.keys() : ids) this.held.delete(id);
  }

  /** How long until one of them may be tried again; Infinity if there is none. */
  waitMs(now: number): number {
    return Math.max(0, (this.next()?.[1].until ?? Number.POSITIVE_INFINITY) - now);
  }

  /** The one that may be tried again now. */
  due(now: number): string | undefined {
    return this.waitMs(now) > 0 ? undefined : this.next()?.[0];
  }

  /** Reason of the longest waiting message. */
  get reason(): string | undefined {
    return [...this.held.values()][0]?.reason;
  }

  /** One line about the obstacle, for a person; null if there is nothing to report. */
  trouble(): string | null {
    const told = [...this.held.values()].filter(({ failures }) => failures >= TOLD_FROM);
    const [first] = told;
    return first === undefined ? null : `cannot deliver ${told.length} SMS, tried again (${first.reason})`;
  }

  private next(): [string, Held] | undefined {
    return [...this.held].reduce<[string, Held] | undefined>(
      (first, one) => (first === undefined || one[1].until < first[1].until ? one : first),
      undefined,
    );
  }
}
