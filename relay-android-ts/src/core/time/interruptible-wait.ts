/** A wait that others can cut short, each for a cause of its own. Knows nothing of what is waited for. */
import type { Clock } from '../ports.js';

export class Bell<Cause extends string> {
  readonly #clock: Clock;
  readonly #rung = new Set<Cause>();
  #check: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A cause that is rung while nobody waits for it is remembered until `clear`. */
  ring(cause: Cause): void {
    this.#rung.add(cause);
    this.#check();
  }

  clear(cause: Cause): void {
    this.#rung.delete(cause);
  }

  /** Resolves after `ms`, or as soon as one of `causes` has been rung. */
  wait(ms: number, causes: readonly Cause[]): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#check = () => {};
        resolve();
      };
      const cancel = this.#clock.after(ms, end);
      this.#check = () => {
        if (causes.some((cause) => this.#rung.has(cause))) end();
      };
      this.#check();
    });
  }
}
