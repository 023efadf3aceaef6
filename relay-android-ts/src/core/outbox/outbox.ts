/**
 * The durable outbox. An SMS is on the disk before anything else happens, and the start of sending is on the
 * disk before the phone is asked. So it is sent once or not at all, whatever crashes in between.
 */
import { Journal } from '../journal/journal.js';
import { Journaled } from '../journal/journaled.js';
import type { Dispatch, DurableFile, SendLimits, SendOutcome } from '../ports.js';
import {
  type DispatchOutcome,
  type Entry,
  isUnreported,
  mayFollow,
  type OutboxRecord,
  OutboxState,
} from './outbox-state.js';
import { type NextStep, nextStep } from './send-plan.js';

export interface Report {
  readonly id: string;
  readonly state: DispatchOutcome;
  readonly error: string | null;
}

/** The server takes 200; with their reasons these still leave room for messages. */
const MAX_REPORTS = 50;
/** Limit of ids, to leave room for messages. */
const MAX_HELD = 400;
const MAX_ERROR = 160;

export class Outbox extends Journaled<OutboxRecord, OutboxState> {
  /**
   * `name` becomes the name of a journal that is new, and of one that was damaged: what it has forgotten
   * must not look to the server as if it had never arrived. What was being sent when the agent ended is
   * `UNKNOWN` from here on. So is what waited in a journal that was copied, since the other copy sends it,
   * and in one that was damaged, since the lost line may have said that it was about to be sent. `place`
   * tells where the file lies, and begins `name`.
   */
  static async open(file: DurableFile, name: string, place: string): Promise<Outbox> {
    const outbox = new Outbox(await Journal.open(file, new OutboxState()));
    const { state, journal, recovery } = outbox;
    const isCopy = state.journal !== null && !state.journal.startsWith(place);
    const isDamaged = recovery.damaged > 0;
    for (const { dispatch, sendingAt, word } of outbox.entries()) {
      if ((sendingAt === null && !isCopy && !isDamaged) || word !== null) continue;
      await outbox.note(dispatch.id, { state: 'UNKNOWN', error: whyUnknown(isCopy, isDamaged) });
    }
    // Written last, so that a copy killed before this is still recognised as a copy.
    const isNew = state.journal === null || isDamaged || isCopy;
    if (isNew) await journal.append({ t: 'made', journal: name });
    return outbox;
  }

  /** Something is still to be done or reported. */
  get isBusy(): boolean {
    return this.entries().some((entry) => isOpen(entry) || isUnreported(entry));
  }

  /** Something is to be reported. */
  get hasReports(): boolean {
    return this.entries().some(isUnreported);
  }

  /** Stores leased dispatches; a copy of a known id is ignored. Rejects if they cannot be written. */
  async take(dispatches: readonly Dispatch[], now: number): Promise<number> {
    const unknown = dispatches.filter(({ id }) => !this.state.entries.has(id));
    const fresh = new Map(unknown.map((dispatch) => [dispatch.id, dispatch]));
    if (fresh.size > 0) await this.journal.append({ t: 'took', dispatches: [...fresh.values()], at: now });
    return fresh.size;
  }

  next(now: number, limits?: SendLimits): NextStep {
    return nextStep(this.entries(), now, limits);
  }

  /** Rejects if it is not on the disk: then it must not be sent. */
  begin(id: string, now: number): Promise<void> {
    return this.journal.append({ t: 'sending', id, at: now });
  }

  /**
   * Records a result, also when the disk takes no writes: after a crash it is told once more, never sent once
   * more. Returns false if it is not new.
   */
  async note(id: string, outcome: SendOutcome | { readonly state: 'EXPIRED' }): Promise<boolean> {
    if (!mayFollow(this.state.entries.get(id), outcome.state)) return false;
    const error = 'error' in outcome ? outcome.error.slice(0, MAX_ERROR) : null;
    await this.keep({ t: 'came', id, word: outcome.state, error });
    return true;
  }

  /** What the server does not know yet. */
  reports(): Report[] {
    const unreported = this.entries().filter(isUnreported).slice(0, MAX_REPORTS);
    return unreported.flatMap(({ dispatch, word, error }) =>
      word === null ? [] : [{ id: dispatch.id, state: word, error }],
    );
  }

  /**
   * This journal's name and the ids in it beside `reports`, so that the server knows what never arrived. Null
   * when the list would be too long: then the server must conclude nothing.
   */
  holding(reports: readonly Report[]): { readonly journal: string; readonly held: readonly string[] } | null {
    const told = new Set(reports.map(({ id }) => id));
    const open = this.entries().filter((entry) => isOpen(entry) || isUnreported(entry));
    const held = open.map(({ dispatch }) => dispatch.id).filter((id) => !told.has(id));
    const { journal } = this.state;
    return journal === null || held.length > MAX_HELD ? null : { journal, held };
  }

  /** The server has acknowledged these. */
  async told(reports: readonly Report[]): Promise<void> {
    if (reports.length === 0) return;
    await this.keep({ t: 'told', words: reports.map(({ id, state }) => ({ id, word: state })) });
  }

  /** In the order in which they were taken. */
  private entries(): Entry[] {
    return [...this.state.entries.values()];
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
