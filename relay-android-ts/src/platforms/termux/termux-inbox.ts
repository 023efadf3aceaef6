/**
 * The phone's own SMS, read by their row id. The id alone proves nothing: after a restore, a reset or the
 * deletion of the newest SMS Android assigns the same ids again. So the cursor contains a hash of the last
 * row, and each reading fetches that row too: if it is missing or different, everything since is read again
 * by time. A message read twice has the same id and is stored once.
 */
import type { Clock, Inbox, InboxPage, InboxRow, Log } from '../../core/ports.js';
import type { TermuxCalls } from './termux-calls.js';
import { listSms, newestSms, RefusedError, type TermuxRow, UnreadableError } from './termux-list.js';

export const TERMUX_INBOX = 'termux';

const CATCH_UP_MS = 24 * 3_600_000;
const PAGE_ROWS = 100;

/** The last row that was read; id 0 means that the inbox was empty. */
interface RowMark {
  readonly id: number;
  readonly print: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** A reading by time, page by page. */
interface Scan {
  /** Milliseconds since the Unix epoch. */
  readonly from: number;
  /** Row id above which rows are read whatever their time; null if there is none. */
  readonly orAbove: number | null;
  readonly last: number;
  readonly until: RowMark;
  /** True if the cursor is lost: it becomes `until` when this scan is complete. */
  readonly setsCursor: boolean;
}

/** Subscription id by SIM slot, for phones with two SIMs. */
export type SimSubs = ReadonlyMap<number, number>;

export interface TermuxInboxOptions {
  readonly simSubs: SimSubs;
  /** Ends when everything has been read. */
  readonly once: boolean;
}

export class TermuxInbox implements Inbox {
  readonly name = TERMUX_INBOX;
  private readonly stop = new AbortController();
  private scan: Scan | null = null;
  /** Every start reads the last day again, which costs little and depends on no number. */
  private wanted: { readonly from: number | null } | null = { from: null };
  /** Rows that were skipped and logged. */
  private readonly leftOut = new Set<number | null>();

  constructor(
    private readonly calls: TermuxCalls,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly options: TermuxInboxOptions,
  ) {}

  /** New rows come first; repeated reading can wait. */
  async since(text: string | null, limit: number): Promise<InboxPage> {
    const size = Math.min(limit, PAGE_ROWS);
    const mark = parseMark(text);
    if (mark === null) this.scan ??= await this.scanAgain(null);
    else if (this.scan?.setsCursor !== true) {
      this.catchUp(mark);
      const fresh = await this.look(mark, size);
      if (fresh === null) this.scan = await this.scanAgain(mark);
      else if (fresh.length > 0) return this.newPage(fresh, size);
    }
    if (this.scan !== null) {
      return this.page(this.scan, text, size).catch((error: unknown) => this.beginAgain(error));
    }
    return { rows: [], cursor: text, next: this.options.once ? 'ended' : 'idle' };
  }

  async kept(): Promise<void> {}

  /** Termux:API has no event for a new SMS (termux-api#22), so the list is polled. */
  onWake(): void {}

  again(fromMs: number): void {
    this.wanted = { from: fromMs };
  }

  close(): void {
    this.stop.abort();
  }

  /** The rows after the last one; null if that one is gone or is another now. */
  private async look(mark: RowMark, size: number): Promise<TermuxRow[] | null> {
    const rows = await this.list(`_id >= ${Math.max(1, mark.id)}`, size + 1);
    const [first] = rows;
    if (mark.id > 0 && (first?.id !== mark.id || first.print !== mark.print)) return null;
    return rows.filter((row) => row.id > mark.id);
  }

  private async newPage(fresh: readonly TermuxRow[], size: number): Promise<InboxPage> {
    const last = fresh.at(-1);
    const isMore = fresh.length >= size || this.scan !== null;
    return {
      rows: await this.toRows(fresh),
      cursor: last === undefined ? null : JSON.stringify(markOf(last)),
      next: isMore ? 'more' : 'idle',
    };
  }

  /** The row numbers are not valid: go back a day, or to the last row if that is older. */
  private async scanAgain(mark: RowMark | null): Promise<Scan> {
    const newest = await newestSms(this.calls, 'inbox', this.stop.signal);
    const now = this.clock.now();
    const asked = this.wanted?.from ?? this.scan?.from ?? now;
    const from = Math.min(now - CATCH_UP_MS, mark?.at ?? now, asked);
    this.wanted = null;
    // An inbox that was empty has no row to look for, only those that come.
    const until = newest === undefined ? { id: 0, print: '', at: now } : markOf(newest);
    return { from, orAbove: mark?.id ?? null, last: 0, until, setsCursor: true };
  }

  /** Starts a requested catch-up, up to the mark: later rows are new and are read anyway. */
  private catchUp(mark: RowMark): void {
    if (this.wanted === null) return;
    const from = this.wanted.from ?? this.clock.now() - CATCH_UP_MS;
    this.scan = { from, orAbove: null, last: 0, until: mark, setsCursor: false };
    this.wanted = null;
  }

  private async page(scan: Scan, text: string | null, size: number): Promise<InboxPage> {
    const { from, orAbove, last, until, setsCursor } = scan;
    // A phone whose clock was wrong has new rows with old times: there the number counts, too.
    const time = `date >= ${Math.floor(from)}`;
    const which = orAbove === null ? time : `(${time} or _id > ${orAbove})`;
    const rows =
      until.id === 0 ? [] : await this.list(`${which} and _id > ${last} and _id <= ${until.id}`, size);
    const page = await this.toRows(rows.filter(({ id }) => id > last));
    const reached = rows.at(-1)?.id ?? last;
    // A page with a row that cannot be read is shorter than it was, and not the last for that.
    const isOver = rows.length === 0 || reached >= until.id;
    // Only now: a page that could not be read whole is read again.
    this.scan = isOver ? null : { ...scan, last: reached };
    const cursor = isOver && setsCursor ? JSON.stringify(until) : text;
    return { rows: page, cursor, next: 'more' };
  }

  /** Drops the scan and schedules it again, so that an unreadable row does not block later ones. */
  private beginAgain(error: unknown): never {
    if (error instanceof UnreadableError && this.scan !== null) {
      const { from } = this.scan;
      this.wanted = { from: Math.min(from, this.wanted?.from ?? from) };
      this.scan = null;
    }
    throw error;
  }

  private async list(where: string, limit: number): Promise<readonly TermuxRow[]> {
    const question = { type: 'inbox', where, limit, stop: this.stop.signal } as const;
    const { rows, unreadable } = await listSms(this.calls, question);
    const news = unreadable.filter((id) => !this.leftOut.has(id));
    for (const id of news) this.leftOut.add(id);
    if (news.length > 0) this.log.warn('SMS that cannot be read are left out', { count: news.length });
    return rows;
  }

  private async toRows(rows: readonly TermuxRow[]): Promise<InboxRow[]> {
    const received = rows.filter(({ type }) => type === 'inbox');
    const slots = await this.slotsOf(received.map(({ id }) => id));
    return received.map((row) => toInboxRow(row, slots.get(row.id) ?? null));
  }

  /** Finds the SIM slot of each row, with one query per SIM. */
  private async slotsOf(ids: readonly number[]): Promise<Map<number, number>> {
    const slots = new Map<number, number>();
    for (const [slot, sub] of this.options.simSubs) {
      const open = ids.filter((id) => !slots.has(id));
      if (open.length === 0) break;
      const where = `_id in (${open.join(',')}) and sub_id = ${sub}`;
      const theirs = await this.list(where, open.length).catch((error) => {
        // The phone's list has no SIM numbers: the SMS still count, and a person decides.
        if (error instanceof RefusedError) return [];
        throw error;
      });
      for (const { id } of theirs) slots.set(id, slot);
    }
    return slots;
  }
}

/** @param simSlot null where it is not known. */
export function toInboxRow({ address, body, receivedAt }: TermuxRow, simSlot: number | null): InboxRow {
  // Sender, text and second are what is the same after a restore; the number is not.
  return { key: TERMUX_INBOX, sender: address, body, receivedAt, simSlot };
}

function markOf(row: TermuxRow): RowMark {
  return { id: row.id, print: row.print, at: row.receivedAt === null ? 0 : Date.parse(row.receivedAt) };
}

/** Not validated further: the cursor was written by this agent and comes from a journal with checksums. */
export function parseMark(text: string | null): RowMark | null {
  return text === null ? null : (JSON.parse(text) as RowMark);
}
