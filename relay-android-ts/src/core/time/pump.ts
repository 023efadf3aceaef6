/** The base of the agent's loops: each has waits of its own, and runs until it is stopped. */
import type { Clock, Runtime } from '../ports.js';

export abstract class Pump<Ports extends Pick<Runtime, 'clock'>, Cause extends string = never> {
  protected readonly timer: WakeableTimer<Cause>;

  constructor(protected readonly ports: Ports) {
    this.timer = new WakeableTimer(ports.clock);
  }

  stop(): void {
    this.timer.stop();
  }
}

/** Interruptible waits of one loop: each cause can end a wait early, until the timer is stopped. */
export class WakeableTimer<Cause extends string> {
  private readonly rung = new Set<Cause>();
  private check = (): void => {};
  /** True after `stop`: every wait ends at once. */
  stopped = false;

  constructor(private readonly clock: Clock) {}

  stop(): void {
    this.stopped = true;
    this.check();
  }

  /** A cause without a waiter is remembered until `clear`. */
  notify(cause: Cause): void {
    this.rung.add(cause);
    this.check();
  }

  clear(...causes: readonly Cause[]): void {
    for (const cause of causes) this.rung.delete(cause);
  }

  /** Resolves after `ms`, or as soon as one of `causes` is notified. */
  wait(ms: number, ...causes: readonly Cause[]): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.check = () => {};
        resolve();
      };
      const cancel = this.clock.after(ms, end);
      this.check = () => {
        if (this.stopped || causes.some((cause) => this.rung.has(cause))) end();
      };
      this.check();
    });
  }
}

/** Resolves when `work` has resolved, or after `ms`; `work` then continues. `work` must not reject. */
export function withinTime(clock: Clock, work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    void work.then(() => {
      cancel();
      resolve();
    });
  });
}
