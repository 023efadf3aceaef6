/**
 * Queues dead letters again: all at a start, those from the time of an SMS that the server misses, and those
 * that a person names. If refused again, they become dead letters again.
 */

import { reasonOf } from '../errors.js';
import type { Runtime } from '../ports.js';
import { type Checked, isText, listOf, oneOf, shape } from '../shape.js';
import type { Stores } from '../stores.js';
import { Pump } from '../time/pump.js';
import type { DeadLetter } from './dead-letters.js';

const REQUESTS_EVERY_MS = 2_000;
/** Of what is from before 2000 nobody can tell when it came. */
const LEAST_TIME_MS = Date.UTC(2000, 0, 1);

/** A command's request about dead letters: send them again, or stop reporting them. */
export const isDeadLetterRequest = shape({ kind: oneOf('retry', 'dismiss'), ids: listOf(isText) });
export type DeadLetterRequest = Checked<typeof isDeadLetterRequest>;

export interface DeadLetterPorts
  extends Pick<Stores, 'queue' | 'deadLetters'>,
    Pick<Runtime, 'clock' | 'log'> {
  /** Returns the requests of commands since the last call. */
  readonly takeRequests: () => Promise<readonly DeadLetterRequest[]>;
  /** Called when a request is done. */
  readonly onNews: () => void;
}

export class DeadLetterPump extends Pump<DeadLetterPorts> {
  /** At a start, because they may have been refused by mistake, or by an older server. */
  async begin(): Promise<void> {
    await this.doRequests();
    await this.retry(() => true);
  }

  /** Those that came at `since` (Unix epoch, milliseconds) or later, as far as can be told. */
  async again(since: number): Promise<void> {
    await this.retry(({ message: { receivedAt } }) => {
      const at = Date.parse(receivedAt ?? '');
      return !(at >= LEAST_TIME_MS && at < since);
    });
  }

  /** Carries out requests of commands until stopped. */
  async run(): Promise<void> {
    while (!this.timer.stopped) {
      await this.timer.wait(REQUESTS_EVERY_MS);
      if (!this.timer.stopped && (await this.doRequests())) this.ports.onNews();
    }
  }

  private async doRequests(): Promise<boolean> {
    const { takeRequests, deadLetters, log } = this.ports;
    try {
      const requests = await takeRequests();
      for (const { kind, ids } of requests) {
        if (kind === 'dismiss') await deadLetters.note('dismissed', ids);
        else await this.retry(({ message }) => ids.includes(message.id));
      }
      return requests.length > 0;
    } catch (error) {
      log.warn('what a command has asked for cannot be done', { reason: reasonOf(error) });
      return false;
    }
  }

  /** Each is a dead letter still until the server has taken it, so it is never nowhere. */
  private async retry(isWanted: (letter: DeadLetter) => boolean): Promise<void> {
    const { queue, deadLetters, clock, log } = this.ports;
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
