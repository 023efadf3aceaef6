/**
 * The durable outbox: an SMS is on the disk before anything else is done about it, and that it is about to be
 * sent is on the disk before the phone is asked. So it is sent once or not at all, whatever dies in between.
 */
import { Journal, type Recovery } from '../journal/journal.js';
import type { Dispatch, DurableFile, SendOutcome } from '../ports.js';
import { type Entry, isUntold, mayCome, type OutboxRecord, OutboxState, type Word } from './outbox-state.js';
import { type NextStep, nextStep } from './send-plan.js';

export interface Report {
  readonly id: string;
  readonly state: Word;
  readonly error: string | null;
}

/** The server takes 200; with their reasons these still leave room for messages. */
const MAX_REPORTS = 50;
/** More ids than that would crowd out the messages. */
const MAX_HELD = 400;
const MAX_ERROR = 160;

export class Outbox {
  readonly #state: OutboxState;
  readonly #journal: Journal<OutboxRecord>;

  private constructor(state: OutboxState, journal: Journal<OutboxRecord>) {
    this.#state = state;
    this.#journal = journal;
  }

  /**
   * `name` becomes the name of a journal that is new, and of one that was damaged: what it has forgotten
   * must not look to the server as if it had never arrived. What was being sent when the agent ended is
   * `UNKNOWN` from here on. So is what waited in a journal that was copied, since the other copy sends it,
   * and in one that was damaged, since the lost line may have said that it was about to be sent. `place`
   * tells where the file lies, and begins `name`.
   */
  static async open(
    file: DurableFile,
    name: string,
    place: string,
  ): Promise<{ outbox: Outbox; recovery: Recovery }> {
    const state = new OutboxState();
    const { journal, recovery } = await Journal.open(file, state);
    const outbox = new Outbox(state, journal);
    const isCopy = state.journal !== null && !state.journal.startsWith(place);
    const isDamaged = recovery.damaged > 0;
    for (const { dispatch, sendingAt, word } of [...state.entries.values()]) {
      if ((sendingAt === null && !isCopy && !isDamaged) || word !== null) continue;
      await outbox.note(dispatch.id, { state: 'UNKNOWN', error: whyUnknown(isCopy, isDamaged) });
    }
    // Last, so that a copy that is killed before is a copy still.
    const isNew = state.journal === null || isDamaged || isCopy;
    if (isNew) await journal.append({ t: 'made', journal: name });
    return { outbox, recovery };
  }

  /** Something is still to be done or told. */
  get isBusy(): boolean {
    for (const entry of this.#state.entries.values()) if (isOpen(entry) || isUntold(entry)) return true;
    return false;
  }

  /** Something is to be told. */
  get hasReports(): boolean {
    for (const entry of this.#state.entries.values()) if (isUntold(entry)) return true;
    return false;
  }

  /** Keeps what was handed out; a second copy of one id is none. Rejects if it is not on the disk. */
  async take(dispatches: readonly Dispatch[], now: number): Promise<number> {
    const fresh = new Map<string, Dispatch>();
    for (const dispatch of dispatches) {
      if (!this.#state.entries.has(dispatch.id)) fresh.set(dispatch.id, dispatch);
    }
    if (fresh.size > 0) await this.#journal.append({ t: 'took', dispatches: [...fresh.values()], at: now });
    return fresh.size;
  }

  next(now: number): NextStep {
    return nextStep(this.#state.entries.values(), now);
  }

  /** Rejects if it is not on the disk: then it must not be sent. */
  async begin(id: string, now: number): Promise<void> {
    await this.#journal.append({ t: 'sending', id, at: now });
  }

  /** Keeps what came of it. Returns false if it tells nothing new. */
  async note(id: string, outcome: SendOutcome | { readonly state: 'EXPIRED' }): Promise<boolean> {
    if (!mayCome(this.#state.entries.get(id), outcome.state)) return false;
    const error = 'error' in outcome ? outcome.error.slice(0, MAX_ERROR) : null;
    await this.#keep({ t: 'came', id, word: outcome.state, error });
    return true;
  }

  /** What the server does not know yet. */
  reports(): Report[] {
    const untold = [...this.#state.entries.values()].filter(isUntold).slice(0, MAX_REPORTS);
    return untold.flatMap(({ dispatch, word, error }) =>
      word === null ? [] : [{ id: dispatch.id, state: word, error }],
    );
  }

  /**
   * This journal and what it holds beside `reports`, so that the server can tell what never arrived. Null
   * when it is too much to say: then nothing may be concluded from it.
   */
  holding(reports: readonly Report[]): { readonly journal: string; readonly held: readonly string[] } | null {
    const told = new Set(reports.map(({ id }) => id));
    const open = [...this.#state.entries.values()].filter((entry) => isOpen(entry) || isUntold(entry));
    const held = open.map(({ dispatch }) => dispatch.id).filter((id) => !told.has(id));
    const { journal } = this.#state;
    return journal === null || held.length > MAX_HELD ? null : { journal, held };
  }

  /** The server has acknowledged these. */
  async told(reports: readonly Report[]): Promise<void> {
    if (reports.length === 0) return;
    await this.#keep({ t: 'told', words: reports.map(({ id, state }) => ({ id, word: state })) });
  }

  async close(): Promise<void> {
    await this.#journal.close();
  }

  /**
   * What is known counts also when the disk takes no writes: after a crash it is `UNKNOWN` or told once
   * more, and neither is ever a second SMS.
   */
  async #keep(record: OutboxRecord): Promise<void> {
    await this.#journal.append(record).catch(() => this.#state.apply(record));
  }
}

function whyUnknown(isCopy: boolean, isDamaged: boolean): string {
  if (isCopy) return 'the home of the agent was copied';
  return isDamaged ? 'the journal of the agent was damaged' : 'the agent ended while it was being sent';
}

/** Nothing has come of it yet. */
function isOpen(entry: Entry): boolean {
  return entry.word === null;
}
