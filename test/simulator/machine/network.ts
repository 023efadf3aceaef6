/** The network between actors: it delays, loses and doubles what they send, and may be cut in two. */

import type { Chance } from './chance.js';
import type { OwnTimers, Time } from './time.js';

/** How the network does, until it is changed. */
export interface Weather {
  /** Probability that a request, or an answer, is lost. */
  lost: number;
  /** Probability that a request arrives twice. */
  doubled: number;
  /** Longest delay of one way, milliseconds; each takes another part of it, so they overtake each other. */
  delayMs: number;
}

export const FINE: Weather = { lost: 0, doubled: 0, delayMs: 40 };

/** Nobody answered, or nobody heard the answer. */
export const LOST = Symbol('lost');

const PATIENCE_MS = 10_000;

export class Network {
  weather: Weather = FINE;
  /** Actors on the far side of a cut: nothing passes between them and the others. */
  readonly cutOff = new Set<string>();

  constructor(
    private readonly time: Time,
    private readonly chance: Chance,
  ) {}

  isCut(from: string, to: string): boolean {
    return this.cutOff.has(from) !== this.cutOff.has(to);
  }

  /**
   * Sends a request and waits for its answer.
   * @param timers of who waits; where these die nothing comes back.
   * @param serve what the other side does; it rejects, or never ends, where that is down.
   * @returns `LOST` after a while where no answer came.
   */
  call<T>(
    way: { readonly from: string; readonly to: string; readonly timers: OwnTimers; readonly ms?: number },
    serve: () => Promise<T>,
  ): Promise<T | typeof LOST> {
    const { from, to, timers, ms = PATIENCE_MS } = way;
    const transit = this.time.timers();
    return new Promise((resolve) => {
      timers.after(ms, () => resolve(LOST));
      const back = (answer: T) => {
        if (this.isCut(from, to) || this.chance.is(this.weather.lost)) return;
        transit.after(this.delay(), () => {
          if (!timers.isDead) resolve(answer);
        });
      };
      const copies = this.chance.is(this.weather.doubled) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        const isLost = this.chance.is(this.weather.lost);
        transit.after(this.delay() * (1 + copy), () => {
          if (!isLost && !this.isCut(from, to)) serve().then(back, () => {});
        });
      }
    });
  }

  private delay(): number {
    return Math.round(this.chance.part() * this.weather.delayMs);
  }
}
