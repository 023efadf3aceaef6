/**
 * Messages that the server has refused, with its reason, in a file for a person. A message that is sent again
 * stays here until the server has stored it.
 */
import { Journal, type JournalState } from '../journal/journal.js';
import { Journaled } from '../journal/journaled.js';
import type { DurableFile } from '../ports.js';
import { type Checked, either, isNumber, isText, knownBy, listOf, oneOf, shape } from '../shape.js';
import { isQueuedMessage } from './queue.js';

/** `at`: when it was refused last, milliseconds since the Unix epoch. */
const isDeadLetter = shape({ message: isQueuedMessage, reason: isText, at: isNumber });
export type DeadLetter = Checked<typeof isDeadLetter>;

/** `stored`: the server has stored them after all. `dismissed`: a person has seen them. */
const isNote = shape({ t: oneOf('stored', 'dismissed'), ids: listOf(isText) });
type Note = Checked<typeof isNote>;
type DeadLetterRecord = DeadLetter | Note;

export class DeadLetterState implements JournalState<DeadLetterRecord> {
  readonly letters = new Map<string, DeadLetter>();
  readonly dismissed = new Set<string>();
  readonly parse = knownBy(either(isNote, isDeadLetter));

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

  /** Those that are still reported. */
  get told(): DeadLetter[] {
    return [...this.letters.values()].filter(({ message }) => !this.dismissed.has(message.id));
  }
}

export class DeadLetters extends Journaled<DeadLetterRecord, DeadLetterState> {
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
   * `stored` forgets those that the server has taken after all; `dismissed` tells nobody of them any more,
   * and they stay. Rejects if that is not on the disk.
   */
  async note(t: Note['t'], ids: readonly string[]): Promise<void> {
    const known = ids.filter((id) => this.has(id));
    if (known.length > 0) await this.journal.append({ t, ids: known });
  }

  /** One line for a person; null if there is nothing to report. */
  trouble(): string | null {
    const count = this.state.told.length;
    return count === 0 ? null : `the server refuses ${count} SMS: kashbox-relay dead-letters list`;
  }
}
