/**
 * Listens for the server's call, so that the agent syncs at once when there is something for it. Knows
 * nothing of what there is: a sync tells.
 */

import type { Clock, Random } from '../ports.js';
import type { Verdict } from '../sync/server-answer.js';
import type { Line } from '../sync/server-calls.js';
import { Bell } from '../time/interruptible-wait.js';
import { EventText } from './event-text.js';
import { afterStream } from './wake-plan.js';

export interface WakePorts {
  readonly line: Line;
  readonly clock: Clock;
  readonly random: Random;
  /** Sync now. */
  readonly onCall: () => void;
  /** Whether syncs should wait at the server for news, since there is no stream. */
  readonly onLongPoll: (wanted: boolean) => void;
}

export class WakeChannel {
  readonly #ports: WakePorts;
  readonly #bell: Bell<'paired' | 'stop'>;
  readonly #stop = new AbortController();
  #failures = 0;
  /** An exchange was refused since the stream was. */
  #wasUnpaired = false;

  constructor(ports: WakePorts) {
    this.#ports = ports;
    this.#bell = new Bell(ports.clock);
  }

  stop(): void {
    this.#stop.abort();
    this.#bell.ring('stop');
  }

  /** Told of every exchange: a key that is taken again, or another one, makes a stream worth a try. */
  note(verdict: Verdict): void {
    if (verdict.kind === 'unpaired') this.#wasUnpaired = true;
    if (verdict.kind !== 'accepted' || !this.#wasUnpaired) return;
    this.#wasUnpaired = false;
    this.#bell.ring('paired');
  }

  async run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#bell.clear('paired');
      await this.#listen();
    }
  }

  async #listen(): Promise<void> {
    const { line, random, onCall, onLongPoll } = this.#ports;
    let heard = false;
    const events = new EventText((name) => {
      if (name === 'wake') onCall();
    });
    const onText = (text: string): void => {
      if (!heard) {
        heard = true;
        this.#failures = 0;
        onLongPoll(false);
        // What was queued before the stream was open called nobody.
        onCall();
      }
      events.push(text);
    };
    const end = await line.events(onText, this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    const next = afterStream(end, heard, this.#failures, random());
    this.#failures = next.failures;
    onLongPoll(next.longPoll);
    await this.#bell.wait(next.waitMs, ['paired', 'stop']);
  }
}
