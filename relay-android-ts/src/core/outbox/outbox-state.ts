/** What the journal of the outbox says of each SMS. Without files, so that `status` can read it too. */
import type { JournalState } from '../journal/journal.js';
import { type Dispatch, isDispatch } from '../ports.js';
import { type Checked, either, isNumber, isText, knownBy, listOf, oneOf, orNull, shape } from '../shape.js';

const isDispatchOutcome = oneOf('SENT', 'DELIVERED', 'FAILED', 'EXPIRED', 'UNKNOWN');
/** The result of a dispatch, as reported to the server. */
export type DispatchOutcome = Checked<typeof isDispatchOutcome>;

const isOutboxRecord = either(
  /** The journal's own name, by which the server knows whether its leases arrived in this file. */
  shape({ t: oneOf('made'), journal: isText }),
  shape({ t: oneOf('took'), dispatches: listOf(isDispatch), at: isNumber }),
  /**
   * Written before the phone is asked to send. If it is the last record, nobody knows whether the SMS was
   * sent.
   */
  shape({ t: oneOf('sending'), id: isText, at: isNumber }),
  shape({ t: oneOf('came'), id: isText, word: isDispatchOutcome, error: orNull(isText) }),
  shape({ t: oneOf('told'), words: listOf(shape({ id: isText, word: isDispatchOutcome })) }),
);
export type OutboxRecord = Checked<typeof isOutboxRecord>;

export interface Entry {
  readonly dispatch: Dispatch;
  readonly takenAt: number;
  /** Milliseconds since the Unix epoch; null before the phone was asked. */
  readonly sendingAt: number | null;
  /** Null while there is no result. */
  readonly word: DispatchOutcome | null;
  readonly error: string | null;
  /** The last result that the server has acknowledged. */
  readonly told: DispatchOutcome | null;
}

const UNTOUCHED = { sendingAt: null, word: null, error: null, told: null };

/** How long finished dispatches are remembered, to recognise copies. */
const REMEMBERED_MS = 3_600_000;

/** Results that may replace an earlier one: only those that say more. */
const MAY_FOLLOW: Readonly<Record<DispatchOutcome, readonly DispatchOutcome[]>> = {
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
  readonly parse = knownBy(isOutboxRecord);

  apply(record: OutboxRecord): void {
    switch (record.t) {
      case 'made':
        this.journal = record.journal;
        return;
      case 'took':
        this.forget(record.at);
        for (const dispatch of record.dispatches) {
          const fresh = { ...UNTOUCHED, dispatch, takenAt: record.at };
          if (!this.entries.has(dispatch.id)) this.entries.set(dispatch.id, fresh);
        }
        return;
      case 'sending':
        this.change(record.id, { sendingAt: record.at });
        return;
      case 'came':
        if (mayFollow(this.entries.get(record.id), record.word))
          this.change(record.id, { word: record.word, error: record.error });
        return;
      case 'told':
        for (const { id, word } of record.words) this.change(id, { told: word });
        return;
      default:
        record satisfies never;
    }
  }

  /** Texts of finished dispatches are left out. */
  snapshot(): OutboxRecord[] {
    const records: OutboxRecord[] = this.journal === null ? [] : [{ t: 'made', journal: this.journal }];
    for (const entry of this.entries.values()) {
      const { dispatch, takenAt: at, sendingAt, word, error, told } = entry;
      const { id } = dispatch;
      const kept = word === null ? dispatch : { ...dispatch, message: '' };
      records.push({ t: 'took', dispatches: [kept], at });
      if (sendingAt !== null) records.push({ t: 'sending', id, at: sendingAt });
      // The acknowledged result comes first, so that a newer one is reported again after a restart.
      if (told !== null) records.push({ t: 'told', words: [{ id, word: told }] });
      if (word !== null) records.push({ t: 'came', id, word, error });
    }
    return records;
  }

  private change(id: string, change: Partial<Entry>): void {
    const entry = this.entries.get(id);
    if (entry !== undefined) this.entries.set(id, { ...entry, ...change });
  }

  private forget(now: number): void {
    for (const [id, entry] of this.entries) {
      const over = entry.word !== null && entry.word === entry.told;
      if (over && entry.dispatch.expiresAt + REMEMBERED_MS < now) this.entries.delete(id);
    }
  }
}

/** Whether `word` says more than the known result. */
export function mayFollow(entry: Entry | undefined, word: DispatchOutcome): boolean {
  if (entry === undefined) return false;
  return entry.word === null || MAY_FOLLOW[entry.word].includes(word);
}

/** Stored, and not started yet. */
export function isWaiting(entry: Entry): boolean {
  return entry.sendingAt === null && entry.word === null;
}

/** Has a result that the server does not know. */
export function isUnreported(entry: Entry): boolean {
  return entry.word !== null && entry.word !== entry.told;
}
