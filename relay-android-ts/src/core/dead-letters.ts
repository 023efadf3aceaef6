/** Messages that the server will never take, with its reason: kept in a file of their own for a person. */
import { Journal, type JournalState, type Recovery } from './journal.js';
import { isQueuedMessage, type QueuedMessage } from './message.js';
import type { DurableFile } from './ports.js';

export interface DeadLetter {
  readonly message: QueuedMessage;
  readonly reason: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export class DeadLetterState implements JournalState<DeadLetter> {
  readonly letters = new Map<string, DeadLetter>();

  parse(record: unknown): DeadLetter | undefined {
    if (typeof record !== 'object' || record === null) return undefined;
    const { message, reason, at } = record as Record<string, unknown>;
    if (!isQueuedMessage(message) || typeof reason !== 'string' || typeof at !== 'number') return undefined;
    return { message, reason, at };
  }

  apply(letter: DeadLetter): void {
    this.letters.set(letter.message.id, letter);
  }

  snapshot(): DeadLetter[] {
    return [...this.letters.values()];
  }
}

export class DeadLetters {
  readonly #state: DeadLetterState;
  readonly #journal: Journal<DeadLetter>;

  private constructor(state: DeadLetterState, journal: Journal<DeadLetter>) {
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

  /** Resolves when all letters are on the disk; one that is there already is not written again. */
  async add(letters: readonly DeadLetter[]): Promise<void> {
    const fresh = letters.filter((letter) => !this.has(letter.message.id));
    await Promise.all(fresh.map((letter) => this.#journal.append(letter)));
  }

  async close(): Promise<void> {
    await this.#journal.close();
  }
}
