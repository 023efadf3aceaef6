/**
 * The hash chain over credits and audit entries, by which a row that somebody changed behind Kashbox is
 * found. Knows neither store nor key: what marks a text is handed in.
 *
 *   mark  = HMAC(kind, what stands in the row)          the row is as it was
 *   hash  = HMAC(hash of the entry before, kind, id of the row, mark)     no entry is missing or another one
 *
 * Two codes and not one, so that a changed row is told from a changed chain. The number is in neither: an
 * entry that is taken out breaks one link, and what follows holds.
 */

export type ChainedKind = 'credit' | 'audit';

export const CHAINED_KINDS: readonly ChainedKind[] = ['credit', 'audit'];

/**
 * What counts of a row, in this order: all columns, because none is ever changed after the row was written.
 * The marks in stores that are in use rest on it; a later column is not added here.
 */
const COLUMNS: Readonly<Record<ChainedKind, readonly string[]>> = {
  credit: [
    ...['id', 'session_id', 'brand_id', 'proof_id', 'channel', 'reference', 'amount_paisa', 'fee_paisa'],
    ...['credited_at', 'credited_by', 'scope', 'folded'],
  ],
  audit: ['id', 'at', 'who', 'action', 'subject', 'before', 'after'],
};

/** HMAC of a text, under the key of the chain. */
export type Mark = (text: string) => string;

interface ChainedRow {
  readonly kind: ChainedKind;
  readonly rowId: string;
}

export interface ChainEntry extends ChainedRow {
  readonly number: number;
  readonly mark: string;
  readonly hash: string;
}

/** The newest entry; whoever noted it can tell later whether the chain still leads there. */
export interface ChainHead {
  /** 0 before the first entry. */
  readonly number: number;
  readonly hash: string;
}

export const NO_ENTRIES: ChainHead = { number: 0, hash: '' };

/** So much of a mark is kept, of the 256 bits 132: nobody finds a row with the same. */
const MARK_DIGITS = 22;

/** @param row its columns as either engine returns them: whole numbers, texts and nulls. */
export function rowMark(mark: Mark, kind: ChainedKind, row: object): string {
  const values = COLUMNS[kind].map((column) => (row as Readonly<Record<string, unknown>>)[column]);
  return mark(JSON.stringify(['row', kind, ...values])).slice(0, MARK_DIGITS);
}

function linkHash(mark: Mark, before: string, entry: ChainedRow & Pick<ChainEntry, 'mark'>): string {
  return mark(JSON.stringify(['link', before, entry.kind, entry.rowId, entry.mark]));
}

/** @param rows in the order in which they are to stand. @returns their entries behind the head. */
export function entriesBehind(
  mark: Mark,
  head: ChainHead,
  rows: readonly (ChainedRow & { readonly row: object })[],
): ChainEntry[] {
  let { number, hash } = head;
  return rows.map(({ kind, rowId, row }) => {
    const own = { kind, rowId, mark: rowMark(mark, kind, row) };
    number += 1;
    hash = linkHash(mark, hash, own);
    return { number, ...own, hash };
  });
}

export type EntryFault = 'row_changed' | 'row_deleted' | 'entry_changed' | 'entries_missing';

/**
 * Each entry is judged by the stored hash before it, so that what follows a fault is judged all the same.
 * @param before the entry that stands before it.
 * @param row undefined where it is not there any more.
 */
export function entryFaults(
  mark: Mark,
  before: ChainHead,
  entry: ChainEntry,
  row: object | undefined,
): EntryFault[] {
  const faults: EntryFault[] = [];
  if (entry.number !== before.number + 1) faults.push('entries_missing');
  else if (linkHash(mark, before.hash, entry) !== entry.hash) faults.push('entry_changed');
  if (row === undefined) faults.push('row_deleted');
  else if (rowMark(mark, entry.kind, row) !== entry.mark) faults.push('row_changed');
  return faults;
}

/** Where the chain begins to count: entries up to this number stand under a key that is gone. */
export interface ChainStart {
  readonly after: number;
  /** When the key was replaced, milliseconds since the epoch. */
  readonly at: number;
}

/** As it is kept: with a code, so that nobody else can say that old entries do not count. */
export function startText(mark: Mark, { after, at }: ChainStart): string {
  return JSON.stringify({ after, at, mark: startMark(mark, { after, at }) });
}

/** @returns null where it was not made under this key. */
export function readStart(mark: Mark, text: string): ChainStart | null {
  try {
    const { after, at, mark: code } = JSON.parse(text) as ChainStart & { readonly mark: unknown };
    return code === startMark(mark, { after, at }) ? { after, at } : null;
  } catch {
    return null;
  }
}

function startMark(mark: Mark, { after, at }: ChainStart): string {
  return mark(JSON.stringify(['start', after, at]));
}

/** @returns null for what is no head: `number:hash`, as `kashbox audit verify` prints it. */
export function readHead(text: string): ChainHead | null {
  const [, number, hash] = /^(\d{1,10}):([\w-]{43})$/.exec(text.trim()) ?? [];
  return number === undefined || hash === undefined ? null : { number: Number(number), hash };
}

export function headText({ number, hash }: ChainHead): string {
  return `${number}:${hash}`;
}
