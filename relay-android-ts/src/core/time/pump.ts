/** The base of the agent's loops: each has waits of its own, and runs until it is stopped. */
import type { Runtime } from '../ports.js';
import { WakeableTimer } from './wakeable-timer.js';

export abstract class Pump<Ports extends Pick<Runtime, 'clock'>, Cause extends string = never> {
  protected readonly timer: WakeableTimer<Cause>;

  constructor(protected readonly ports: Ports) {
    this.timer = new WakeableTimer(ports.clock);
  }

  stop(): void {
    this.timer.stop();
  }
}
