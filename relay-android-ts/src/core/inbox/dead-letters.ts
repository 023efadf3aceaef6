/**
 * Messages that the server rejected, with its reason, in a file for the user. A message that is sent again
 * stays here until the server has stored it.
 */

import { errorMessage } from '../errors.js';
import { Journal, JournaledStore, type JournalState } from '../journal/journal.js';
import type { DurableFile, Runtime } from '../ports.js';
import { arrayOf, createParser, either, type Infer, isNumber, isText, oneOf, shape } from '../shape.js';
import { Pump } from '../time/pump.js';
import { isQueuedMessage, type Queue } from './queue.js';

/** `at`: when it was refused last, milliseconds since the Unix epoch. */
const isDeadLetter = shape({ message: isQueuedMessage, reason: isText, at: isNumber });
type DeadLetter = Infer<typeof isDeadLetter>;

/** `stored`: the server has stored them after all. `dismissed`: the user no longer wants them reported. */
const isNote = shape({ t: oneOf('stored', 'dismissed'), ids: arrayOf(isText) });
type Note = Infer<typeof isNote>;
type DeadLetterRecord = DeadLetter | Note;

export class DeadLetterState implements JournalState<DeadLetterRecord> {
  readonly letters = new Map<string, DeadLetter>();
  readonly dismissed = new Set<string>();
  readonly parse = createParser(either(isNote, isDeadLetter));

  apply(record: DeadLetterRecord): void {
    if (!('t' in record)) {
      this.letters.set(record.message.id, record);
      return;
    }
    for (const id of record.ids) {
      if (record.t === 'dismissed') {
        this.dismissed.add(id);
        continue;
      }
      this.letters.delete(id);
      this.dismissed.delete(id);
    }
  }

  snapshot(): DeadLetterRecord[] {
    const letters = [...this.letters.values()];
    return this.dismissed.size === 0 ? letters : [...letters, { t: 'dismissed', ids: [...this.dismissed] }];
  }

  /** Dead letters that are not dismissed. */
  get told(): DeadLetter[] {
    return [...this.letters.values()].filter(({ message }) => !this.dismissed.has(message.id));
  }
}

export class DeadLetters extends JournaledStore<DeadLetterRecord, DeadLetterState> {
  static async open(file: DurableFile): Promise<DeadLetters> {
    return new DeadLetters(await Journal.open(file, new DeadLetterState()));
  }

  has(id: string): boolean {
    return this.state.letters.has(id);
  }

  all(): DeadLetter[] {
    return [...this.state.letters.values()];
  }

  /** Resolves when all are on the disk; a newer reason replaces an older one. */
  async add(letters: readonly DeadLetter[]): Promise<void> {
    await Promise.all(letters.map((letter) => this.journal.append(letter)));
  }

  /**
   * Records a status: `stored` deletes dead letters that the server has accepted; `dismissed` keeps them but
   * no longer reports them. Rejects if the record cannot be written to disk.
   */
  async note(t: Note['t'], ids: readonly string[]): Promise<void> {
    const known = ids.filter((id) => this.has(id));
    if (known.length > 0) await this.journal.append({ t, ids: known });
  }

  /** One line for the user; null if there is nothing to report. */
  problem(): string | null {
    const count = this.state.told.length;
    return count === 0 ? null : `the server refuses ${count} SMS: kashbox-relay dead-letters list`;
  }
}

const REQUESTS_EVERY_MS = 2_000;
/** Earliest valid time of an SMS (year 2000): an earlier time does not say when it was received. */
const LEAST_TIME_MS = Date.UTC(2000, 0, 1);

/** Request of a command about dead letters: send them again, or stop reporting them. */
export const isDeadLetterRequest = shape({ kind: oneOf('retry', 'dismiss'), ids: arrayOf(isText) });
export type DeadLetterRequest = Infer<typeof isDeadLetterRequest>;

export interface DeadLetterPorts extends Pick<Runtime, 'clock' | 'log'> {
  readonly queue: Queue;
  readonly deadLetters: DeadLetters;
  /** Returns the requests of commands since the last call. */
  readonly takeRequests: () => Promise<readonly DeadLetterRequest[]>;
  /** Called when a request is done. */
  readonly onNews: () => void;
}

/**
 * Queues dead letters again: all of them at a start, those since the time of an SMS that the server is
 * missing, and those that the user selects. If rejected again, they become dead letters again.
 */
export class DeadLetterPump extends Pump<DeadLetterPorts> {
  /** Retries all at a start, because they may have been rejected by mistake or by an older server. */
  async begin(): Promise<void> {
    await this.doRequests();
    await this.retry(() => true);
  }

  /** Retries those received at or after `since` (Unix epoch, ms), and those of unknown time. */
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
      log.warn('what a command has asked for cannot be done', { reason: errorMessage(error) });
      return false;
    }
  }

  /** Queues dead letters. Each stays stored as a dead letter until the server has accepted it. */
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
      log.warn('dead letters cannot be put into the queue; they stay', { reason: errorMessage(error) });
    }
  }
}
