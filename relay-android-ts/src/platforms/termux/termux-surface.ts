/** Keeps the phone awake while the agent runs, and shows its state in a notification that stays. */
import type { Clock, Log, Standing, Surface } from '../../core/ports.js';
import { explain, type TermuxCalls } from './termux-calls.js';

const ID = 'kashbox-relay';
/** Each change costs a process on the phone. */
const SHOW_EVERY_MS = 10_000;

export class TermuxSurface implements Surface {
  readonly #calls: TermuxCalls;
  readonly #clock: Clock;
  readonly #log: Log;
  #wanted = 'starting';
  #shown = '';
  #cancelNext: (() => void) | null = null;
  #closed = false;

  constructor(calls: TermuxCalls, clock: Clock, log: Log) {
    this.#calls = calls;
    this.#clock = clock;
    this.#log = log;
  }

  async open(): Promise<void> {
    await this.#run('termux-wake-lock', []);
    if (!this.#closed) await this.#draw();
  }

  show({ connected, waiting, lastSmsAt, trouble }: Standing): void {
    const last = lastSmsAt === null ? 'no SMS yet' : `last SMS ${clockTime(lastSmsAt)}`;
    const usual = `${connected ? 'connected' : 'not connected'}, ${waiting} waiting, ${last}`;
    // First, because a notification shows only the beginning of its text.
    this.#wanted = trouble === null ? usual : `${trouble}; ${usual}`;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelNext?.();
    await this.#run('termux-notification-remove', [ID]);
    await this.#run('termux-wake-unlock', []);
  }

  async #draw(): Promise<void> {
    if (this.#wanted !== this.#shown) {
      this.#shown = this.#wanted;
      await this.#run('termux-notification', [
        ...['--id', ID, '--ongoing', '--alert-once'],
        ...['--title', 'Kashbox', '--content', this.#shown],
      ]);
    }
    if (!this.#closed) this.#cancelNext = this.#clock.after(SHOW_EVERY_MS, () => void this.#draw());
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const result = await this.#calls.run({ program, args });
    if (result.kind !== 'answered') this.#log.warn(explain(program, result));
  }
}

/** Hours and minutes by the phone's clock. */
function clockTime(ms: number): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
