/**
 * Simulated time: a queue of events. What happens at an event runs to its end, promises included, before the
 * next event begins, so that the order of everything follows from the queue alone.
 */
import { setImmediate as turn } from 'node:timers';
import type { Timers } from '../../../src/base/values/timers.js';

interface Event {
  readonly at: number;
  /** Of events of one moment the one that was planned first comes first. */
  readonly order: number;
  readonly owner: OwnTimers | null;
  readonly callback: () => void;
  isOff: boolean;
}

/** Timers of something that can die: then none of them rings any more. */
export interface OwnTimers extends Timers {
  readonly isDead: boolean;
  kill(): void;
}

export class Time {
  /** Milliseconds since the beginning. */
  now = 0;
  private planned = 0;
  private readonly heap: Event[] = [];
  /** What a callback has thrown; the simulation ends with it. */
  private failure: unknown = null;

  /** @returns timers that are called off together. */
  timers(): OwnTimers {
    let isDead = false;
    const own: OwnTimers = {
      get isDead() {
        return isDead;
      },
      kill: () => {
        isDead = true;
      },
      steadyMs: () => this.now,
      after: (ms, callback) => this.plan(this.now + Math.max(0, ms), callback, own),
      afterTurn: (callback) => void this.plan(this.now, callback, own),
    };
    return own;
  }

  private plan(at: number, callback: () => void, owner: OwnTimers | null): () => void {
    if (owner?.isDead === true) return () => {};
    this.planned += 1;
    const event = { at, order: this.planned, owner, callback, isOff: false };
    push(this.heap, event);
    return () => {
      event.isOff = true;
    };
  }

  /** Makes a failure that nobody waits for end the simulation. */
  readonly fail = (error: unknown): void => {
    this.failure ??= error;
  };

  /** Runs what happens until `until`, in milliseconds, or until `isOver` says so after an event. */
  async run(until: number, isOver = () => false): Promise<void> {
    await this.runEvents(until, isOver);
    if (!isOver()) this.now = Math.max(this.now, until);
  }

  /** Runs what is planned, and no time passes where nothing is. */
  runPlanned(): Promise<void> {
    return this.runEvents(Number.POSITIVE_INFINITY, () => false);
  }

  private async runEvents(until: number, isOver: () => boolean): Promise<void> {
    await settled();
    for (;;) {
      if (this.failure !== null) throw this.failure;
      const next = this.heap[0];
      if (next === undefined || next.at > until || isOver()) break;
      pop(this.heap);
      if (next.isOff || next.owner?.isDead === true) continue;
      this.now = Math.max(this.now, next.at);
      next.callback();
      await settled();
    }
  }

  /** The machine sleeps: what was planned meanwhile happens when it wakes up. */
  sleep(ms: number): void {
    this.now += ms;
  }
}

/** Resolves when all promises that can settle have. */
const settled = () => new Promise<void>((resolve) => turn(resolve));

const isBefore = (one: Event, other: Event) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

function push(heap: Event[], event: Event): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Event;
    if (!isBefore(event, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    const right = heap[child + 1];
    if (right !== undefined && isBefore(right, heap[child] as Event)) child += 1;
    const below = heap[child] as Event;
    if (!isBefore(below, last)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
}
