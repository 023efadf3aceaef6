/** A clock that stands still until a test moves it. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/core/ports.js';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export class FakeClock implements Clock {
  #now = Date.UTC(2026, 0, 31, 4, 0, 0);
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How long until the next timer; null if none is set. */
  nextInMs(): number | null {
    const times = [...this.#timers].map((timer) => timer.at - this.#now);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Moves time, running what falls due in its order, with everything that follows from it. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const due = [...this.#timers]
        .filter((timer) => timer.at <= end)
        .sort((one, other) => one.at - other.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
      await settled();
    }
    this.#now = end;
  }
}

/** Lets everything that is not waiting for the clock or the disk happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}
