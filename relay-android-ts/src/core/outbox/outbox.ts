/**
 * The durable outbox. An SMS is on disk before anything else happens, and the start of sending is on disk
 * before the phone is asked to send. So it is sent at most once, at whatever point a crash happens.
 */
import { Journal, JournaledStore, type JournalState } from '../journal/journal.js';
import { type Dispatch, type DurableFile, isDispatch, type SendLimits, type SendOutcome } from '../ports.js';
import {
  arrayOf,
  createParser,
  either,
  type Infer,
  isNumber,
  isText,
  oneOf,
  orNull,
  shape,
} from '../shape.js';

const isDispatchOutcome = oneOf('SENT', 'DELIVERED', 'FAILED', 'EXPIRED', 'UNKNOWN');
/** The result of a dispatch, as reported to the server. */
type DispatchOutcome = Infer<typeof isDispatchOutcome>;

const isOutboxRecord = either(
  /** Name of the journal, by which the server knows whether its leases arrived in this file. */
  shape({ t: oneOf('made'), journal: isText }),
  shape({ t: oneOf('took'), dispatches: arrayOf(isDispatch), at: isNumber }),
  /**
   * Written before the phone is asked to send. If it is the last record, it is unknown whether the SMS was
   * sent.
   */
  shape({ t: oneOf('sending'), id: isText, at: isNumber }),
  shape({ t: oneOf('came'), id: isText, word: isDispatchOutcome, error: orNull(isText) }),
  shape({ t: oneOf('told'), words: arrayOf(shape({ id: isText, word: isDispatchOutcome })) }),
);
type OutboxRecord = Infer<typeof isOutboxRecord>;

export interface OutboxEntry {
  readonly dispatch: Dispatch;
  readonly takenAt: number;
  /** Milliseconds since the Unix epoch; null until the phone is asked to send. */
  readonly sendingAt: number | null;
  /** Result; null while there is none. */
  readonly word: DispatchOutcome | null;
  readonly error: string | null;
  /** The last result that the server has acknowledged. */
  readonly told: DispatchOutcome | null;
}

const UNTOUCHED = { sendingAt: null, word: null, error: null, told: null };

/** Minimum duration for which finished dispatches are remembered after they expire, to recognise copies. */
const REMEMBERED_MS = 3_600_000;

/** Results that may replace an earlier one: only those that say more. */
const MAY_FOLLOW: Readonly<Record<DispatchOutcome, readonly DispatchOutcome[]>> = {
  SENT: ['DELIVERED'],
  UNKNOWN: ['SENT', 'DELIVERED', 'FAILED'],
  DELIVERED: [],
  FAILED: [],
  EXPIRED: [],
};

/** State of the outbox journal for each SMS. Uses no files, so that `status` can read it too. */
export class OutboxState implements JournalState<OutboxRecord> {
  /** Null before the first record. */
  journal: string | null = null;
  /** Entries in the order in which they were leased. */
  readonly entries = new Map<string, OutboxEntry>();
  readonly parse = createParser(isOutboxRecord);

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

  private change(id: string, change: Partial<OutboxEntry>): void {
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

/** True if `word` may replace the known result. */
function mayFollow(entry: OutboxEntry | undefined, word: DispatchOutcome): boolean {
  if (entry === undefined) return false;
  return entry.word === null || MAY_FOLLOW[entry.word].includes(word);
}

/** Stored, and not started yet. */
export function isWaiting(entry: OutboxEntry): boolean {
  return entry.sendingAt === null && entry.word === null;
}

/** Has a result that the server does not know. */
export function isUnreported(entry: OutboxEntry): boolean {
  return entry.word !== null && entry.word !== entry.told;
}

/** Maximum number of parts per minute; from 30 on Android asks the owner for confirmation. */
export const PARTS_A_MINUTE = 24;
const MINUTE_MS = 60_000;
/** Interval at which a SIM that cannot send is checked again. */
const ASK_AGAIN_MS = 1_000;

type NextStep =
  | { readonly kind: 'send'; readonly dispatch: Dispatch }
  | { readonly kind: 'expire'; readonly id: string }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'nothing' };

/**
 * Higher priority first, then first come first. If the next SMS does not fit into this minute, all wait:
 * otherwise long texts would never be sent. A SIM that can send nothing holds up its own SMS only.
 */
export function nextStep(entries: Iterable<OutboxEntry>, now: number, limits: SendLimits = {}): NextStep {
  const all = [...entries];
  const waiting = all.filter(isWaiting);
  const late = waiting.find(({ dispatch }) => dispatch.expiresAt <= now);
  if (late !== undefined) return { kind: 'expire', id: late.dispatch.id };
  if (waiting.length === 0) return { kind: 'nothing' };
  const firstEnd = Math.min(...waiting.map(({ dispatch }) => dispatch.expiresAt));
  const sendable = waiting.filter(({ dispatch }) => limits.canSend?.(dispatch.simSlot) ?? true);
  const [first, ...others] = sendable;
  if (first === undefined) return { kind: 'wait', ms: Math.min(ASK_AGAIN_MS, firstEnd - now) };
  const next = others.reduce((best, one) => (goesBefore(one, best) ? one : best), first);
  const freeAt = roomFrom(all, next.dispatch.parts, now, limits.partsPerMinute ?? PARTS_A_MINUTE);
  if (freeAt <= now) return { kind: 'send', dispatch: next.dispatch };
  return { kind: 'wait', ms: Math.min(freeAt, firstEnd) - now };
}

function goesBefore(one: OutboxEntry, other: OutboxEntry): boolean {
  return one.dispatch.priority > other.dispatch.priority;
}

/** @returns the earliest time for `parts` more within the limit per minute; a longer text is sent alone */
function roomFrom(
  entries: readonly OutboxEntry[],
  parts: number,
  now: number,
  partsPerMinute: number,
): number {
  const spent = entries
    .flatMap(({ sendingAt, dispatch }) =>
      sendingAt === null ? [] : [{ at: sendingAt, parts: dispatch.parts }],
    )
    // Times in the future come from a clock that was set back; they are ignored after a minute.
    .filter(({ at }) => Math.abs(now - at) < MINUTE_MS)
    .sort((one, other) => one.at - other.at);
  let used = spent.reduce((sum, one) => sum + one.parts, 0);
  let freeAt = now;
  for (const one of spent) {
    if (used + parts <= partsPerMinute) break;
    used -= one.parts;
    freeAt = one.at + MINUTE_MS;
  }
  return freeAt;
}

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

export class Outbox extends JournaledStore<OutboxRecord, OutboxState> {
  /**
   * Opens the outbox. An SMS that was being sent when the agent ended becomes `UNKNOWN`; so does every
   * waiting SMS of a copied journal, which the other copy sends, and of a damaged one, whose lost line may
   * have recorded the start of sending.
   * @param name name if the journal is new, copied or damaged: lost leases must not seem to be undelivered
   * @param place location of the file; a prefix of `name`
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
   * Records a result, even if the disk is not writable: a crash may repeat the report, never the SMS.
   * @returns false if the result is not new
   */
  async note(id: string, outcome: SendOutcome | { readonly state: 'EXPIRED' }): Promise<boolean> {
    if (!mayFollow(this.state.entries.get(id), outcome.state)) return false;
    const error = 'error' in outcome ? outcome.error.slice(0, MAX_ERROR) : null;
    await this.keep({ t: 'came', id, word: outcome.state, error });
    return true;
  }

  /** Results that the server does not know yet. */
  reports(): Report[] {
    const unreported = this.entries().filter(isUnreported).slice(0, MAX_REPORTS);
    return unreported.flatMap(({ dispatch, word, error }) =>
      word === null ? [] : [{ id: dispatch.id, state: word, error }],
    );
  }

  /**
   * Name of this journal and its ids not in `reports`, so the server knows which leases never arrived.
   * @returns null if the list would be too long: the server must conclude nothing then
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

  private entries(): OutboxEntry[] {
    return [...this.state.entries.values()];
  }
}

function whyUnknown(isCopy: boolean, isDamaged: boolean): string {
  if (isCopy) return 'the home of the agent was copied';
  return isDamaged ? 'the journal of the agent was damaged' : 'the agent ended while it was being sent';
}

function isOpen(entry: OutboxEntry): boolean {
  return entry.word === null;
}
