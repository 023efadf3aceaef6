/**
 * Puts dead letters into the queue once more: all at a start, those of the time of which the server misses an
 * SMS, and those that a person names. Refused again, they come back and stay until the next of these.
 */

import { reasonOf } from '../errors.js';
import type { Clock, Log, Wish } from '../ports.js';
import { Bell } from '../time/interruptible-wait.js';
import type { DeadLetter, DeadLetters } from './dead-letters.js';
import type { Queue } from './queue.js';

const WISHES_EVERY_MS = 2_000;

export interface LetterPorts {
  readonly queue: Queue;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly log: Log;
  /** Hands over what commands have asked for since the last call. */
  readonly takeWishes: () => Promise<readonly Wish[]>;
  /** Told when a wish has been done. */
  readonly onNews: () => void;
}

export class LetterPump {
  readonly #ports: LetterPorts;
  readonly #bell: Bell<'stop'>;
  #stopping = false;

  constructor(ports: LetterPorts) {
    this.#ports = ports;
    this.#bell = new Bell(ports.clock);
  }

  stop(): void {
    this.#stopping = true;
    this.#bell.ring('stop');
  }

  /** At a start: they may have been refused in error, or by a server that is mended or newer now. */
  async begin(): Promise<void> {
    await this.#doWishes();
    await this.#retry(() => true);
  }

  /** Those that came at `since` (Unix epoch, milliseconds) or later, as far as can be told. */
  async again(since: number): Promise<void> {
    await this.#retry(({ message }) => !(Date.parse(message.receivedAt) < since));
  }

  /** Does what commands ask for, until stopped. */
  async run(): Promise<void> {
    while (!this.#stopping) {
      await this.#bell.wait(WISHES_EVERY_MS, ['stop']);
      if (!this.#stopping && (await this.#doWishes())) this.#ports.onNews();
    }
  }

  async #doWishes(): Promise<boolean> {
    const { takeWishes, deadLetters, log } = this.#ports;
    try {
      const wishes = await takeWishes();
      for (const { kind, ids } of wishes) {
        if (kind === 'dismiss') await deadLetters.dismiss(ids);
        else await this.#retry(({ message }) => ids.includes(message.id));
      }
      return wishes.length > 0;
    } catch (error) {
      log.warn('what a command has asked for cannot be done', { reason: reasonOf(error) });
      return false;
    }
  }

  /**
   * Each is a dead letter still until the server has taken it, so it is never nowhere. A disk that takes no
   * writes leaves them where they are.
   */
  async #retry(isWanted: (letter: DeadLetter) => boolean): Promise<void> {
    const { queue, deadLetters, clock, log } = this.#ports;
    const wanted = deadLetters.all().filter((one) => !queue.has(one.message.id) && isWanted(one));
    if (wanted.length === 0) return;
    const messages = wanted.map(({ message }) => ({ ...message, takenAt: clock.now() }));
    try {
      // They come from no inbox now, so no cursor stands behind them.
      await queue.take('', null, messages);
      log.info('messages that the server has refused are sent once more', { count: messages.length });
    } catch (error) {
      log.warn('dead letters cannot be put into the queue; they stay', { reason: reasonOf(error) });
    }
  }
}
