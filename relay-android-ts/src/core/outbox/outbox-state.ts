/**
 * What the journal of the outbox says: which SMS were taken to be sent, how far each of them got, and what
 * of it the server knows. A fold over records, without files, so that `status` can read it beside a running
 * agent.
 */
import type { JournalState } from '../journal/journal.js';
import type { Dispatch } from '../ports.js';

const WORDS = ['SENT', 'DELIVERED', 'FAILED', 'EXPIRED', 'UNKNOWN'] as const;

/** What the agent says of a dispatch to the server. */
export type Word = (typeof WORDS)[number];

export type OutboxRecord =
  /** The journal's own name, by which the server knows whether what it handed out arrived in this file. */
  | { readonly t: 'made'; readonly journal: string }
  | { readonly t: 'took'; readonly dispatches: readonly Dispatch[]; readonly at: number }
  /** On the disk before the phone is asked to send: whoever reads it last cannot know whether it left. */
  | { readonly t: 'sending'; readonly id: string; readonly at: number }
  | { readonly t: 'came'; readonly id: string; readonly word: Word; readonly error: string | null }
  | { readonly t: 'told'; readonly words: readonly { readonly id: string; readonly word: Word }[] };

export interface Entry {
  readonly dispatch: Dispatch;
  readonly takenAt: number;
  /** Milliseconds since the Unix epoch; null before the phone was asked. */
  readonly sendingAt: number | null;
  /** Null while nothing has come of it. */
  readonly word: Word | null;
  readonly error: string | null;
  /** The last word that the server has acknowledged. */
  readonly told: Word | null;
}

/** Later copies of what is over are recognised this long after it could have been sent. */
const REMEMBERED_MS = 3_600_000;

/** A later word stands only if it knows more: what was sent may prove delivered, the unknown may turn up. */
const MAY_FOLLOW: Readonly<Record<Word, readonly Word[]>> = {
  SENT: ['DELIVERED'],
  UNKNOWN: ['SENT', 'DELIVERED', 'FAILED'],
  DELIVERED: [],
  FAILED: [],
  EXPIRED: [],
};

export class OutboxState implements JournalState<OutboxRecord> {
  /** Null before the first record. */
  journal: string | null = null;
  /** In the order in which they were taken. */
  readonly entries = new Map<string, Entry>();

  parse(record: unknown): OutboxRecord | undefined {
    if (typeof record !== 'object' || record === null) return undefined;
    const { t, journal, dispatches, id, at, word, error, words } = record as Record<string, unknown>;
    if (t === 'made' && typeof journal === 'string') return { t, journal };
    if (t === 'took' && typeof at === 'number' && Array.isArray(dispatches) && dispatches.every(isDispatch))
      return { t, dispatches, at };
    if (t === 'sending' && typeof id === 'string' && typeof at === 'number') return { t, id, at };
    const isError = error === null || typeof error === 'string';
    if (t === 'came' && typeof id === 'string' && isWord(word) && isError) return { t, id, word, error };
    if (t === 'told' && Array.isArray(words) && words.every(isTold)) return { t, words };
    return undefined;
  }

  apply(record: OutboxRecord): void {
    switch (record.t) {
      case 'made':
        this.journal = record.journal;
        return;
      case 'took':
        this.#forget(record.at);
        for (const dispatch of record.dispatches) {
          const fresh = {
            dispatch,
            takenAt: record.at,
            sendingAt: null,
            word: null,
            error: null,
            told: null,
          };
          if (!this.entries.has(dispatch.id)) this.entries.set(dispatch.id, fresh);
        }
        return;
      case 'sending':
        this.#change(record.id, { sendingAt: record.at });
        return;
      case 'came':
        if (mayCome(this.entries.get(record.id), record.word))
          this.#change(record.id, { word: record.word, error: record.error });
        return;
      case 'told':
        for (const { id, word } of record.words) this.#change(id, { told: word });
        return;
      default:
        record satisfies never;
    }
  }

  /** Texts of what is over are left out: nobody needs them any more. */
  snapshot(): OutboxRecord[] {
    const records: OutboxRecord[] = this.journal === null ? [] : [{ t: 'made', journal: this.journal }];
    for (const entry of this.entries.values()) {
      const { dispatch, takenAt: at, sendingAt, word, error, told } = entry;
      const { id } = dispatch;
      const kept = word === null ? dispatch : { ...dispatch, message: '' };
      records.push({ t: 'took', dispatches: [kept], at });
      if (sendingAt !== null) records.push({ t: 'sending', id, at: sendingAt });
      // Acknowledged words come first, so that a newer one is told again after the reading.
      if (told !== null) records.push({ t: 'told', words: [{ id, word: told }] });
      if (word !== null) records.push({ t: 'came', id, word, error });
    }
    return records;
  }

  #change(id: string, change: Partial<Entry>): void {
    const entry = this.entries.get(id);
    if (entry !== undefined) this.entries.set(id, { ...entry, ...change });
  }

  #forget(now: number): void {
    for (const [id, entry] of this.entries) {
      const over = entry.word !== null && entry.word === entry.told;
      if (over && entry.dispatch.expiresAt + REMEMBERED_MS < now) this.entries.delete(id);
    }
  }
}

/** Whether `word` tells more of it than what is known. */
export function mayCome(entry: Entry | undefined, word: Word): boolean {
  if (entry === undefined) return false;
  return entry.word === null || MAY_FOLLOW[entry.word].includes(word);
}

/** Taken, and nothing was done about it yet. */
export function isWaiting(entry: Entry): boolean {
  return entry.sendingAt === null && entry.word === null;
}

/** Something came of it that the server does not know. */
export function isUntold(entry: Entry): boolean {
  return entry.word !== null && entry.word !== entry.told;
}

function isWord(value: unknown): value is Word {
  return (WORDS as readonly unknown[]).includes(value);
}

function isTold(value: unknown): value is { id: string; word: Word } {
  if (typeof value !== 'object' || value === null) return false;
  const { id, word } = value as Record<string, unknown>;
  return typeof id === 'string' && isWord(word);
}

/** Judges a dispatch read from an answer or back from disk. */
export function isDispatch(value: unknown): value is Dispatch {
  if (typeof value !== 'object' || value === null) return false;
  const { id, number, message, simSlot, parts, priority, expiresAt } = value as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    id !== '' &&
    typeof number === 'string' &&
    typeof message === 'string' &&
    (simSlot === null || (typeof simSlot === 'number' && Number.isInteger(simSlot) && simSlot >= 1)) &&
    typeof parts === 'number' &&
    Number.isInteger(parts) &&
    parts >= 1 &&
    typeof priority === 'number' &&
    typeof expiresAt === 'number' &&
    Number.isFinite(expiresAt)
  );
}
