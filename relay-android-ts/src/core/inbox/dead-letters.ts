/**
 * Messages that the server itself has refused, with its reason: kept in a file of their own for a person.
 * One that is sent once more stays here until the server has taken it.
 */
import { Journal, type JournalState, type Recovery } from '../journal/journal.js';
import type { DurableFile } from '../ports.js';
import { isQueuedMessage, type QueuedMessage } from './message.js';

export interface DeadLetter {
  readonly message: QueuedMessage;
  readonly reason: string;
  /** When it was refused last, milliseconds since the Unix epoch. */
  readonly at: number;
}

/** `stored`: the server has taken them after all. `dismissed`: a person has seen them and is told no more. */
type DeadLetterRecord = DeadLetter | { readonly t: 'stored' | 'dismissed'; readonly ids: readonly string[] };

export class DeadLetterState implements JournalState<DeadLetterRecord> {
  readonly letters = new Map<string, DeadLetter>();
  readonly dismissed = new Set<string>();

  parse(record: unknown): DeadLetterRecord | undefined {
    if (typeof record !== 'object' || record === null) return undefined;
    const { t, ids, message, reason, at } = record as Record<string, unknown>;
    if (t === 'stored' || t === 'dismissed') {
      return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? { t, ids } : undefined;
    }
    if (!isQueuedMessage(message) || typeof reason !== 'string' || typeof at !== 'number') return undefined;
    return { message, reason, at };
  }

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

  /** Those of which people are told. */
  get told(): DeadLetter[] {
    return [...this.letters.values()].filter(({ message }) => !this.dismissed.has(message.id));
  }
}

export class DeadLetters {
  readonly #state: DeadLetterState;
  readonly #journal: Journal<DeadLetterRecord>;

  private constructor(state: DeadLetterState, journal: Journal<DeadLetterRecord>) {
    this.#state = state;
    this.#journal = journal;
  }

  static async open(file: DurableFile): Promise<{ deadLetters: DeadLetters; recovery: Recovery }> {
    const state = new DeadLetterState();
    const { journal, recovery } = await Journal.open(file, state);
    return { deadLetters: new DeadLetters(state, journal), recovery };
  }

  has(id: string): boolean {
    return this.#state.letters.has(id);
  }

  all(): DeadLetter[] {
    return [...this.#state.letters.values()];
  }

  /** Resolves when all letters are on the disk; of one that is there already the newer reason counts. */
  async add(letters: readonly DeadLetter[]): Promise<void> {
    await Promise.all(letters.map((letter) => this.#journal.append(letter)));
  }

  /** Forgets those that the server has taken after all. Rejects if that is not on the disk. */
  async stored(ids: readonly string[]): Promise<void> {
    await this.#note('stored', ids);
  }

  /** Tells nobody of these any more; they stay. Rejects if that is not on the disk. */
  async dismiss(ids: readonly string[]): Promise<void> {
    await this.#note('dismissed', ids);
  }

  /** In one line, for whoever can do something about it; null if there is nothing to tell. */
  trouble(): string | null {
    const count = this.#state.told.length;
    return count === 0 ? null : `the server refuses ${count} SMS: kashbox-relay dead-letters list`;
  }

  async close(): Promise<void> {
    await this.#journal.close();
  }

  async #note(t: 'stored' | 'dismissed', ids: readonly string[]): Promise<void> {
    const known = ids.filter((id) => this.has(id));
    if (known.length > 0) await this.#journal.append({ t, ids: known });
  }
}
