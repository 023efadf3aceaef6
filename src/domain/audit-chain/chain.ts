/**
 * Hash chain over credits and audit entries. It detects a row that was changed in the database, bypassing
 * Kashbox. Knows neither store nor key: the HMAC function is passed in.
 * `mark` = HMAC(kind, columns of the row). It proves that the row is unchanged.
 * `hash` = HMAC(hash of the previous entry, kind, id of the row, mark). It proves that no entry is missing or
 * replaced.
 * Two codes, so that a changed row can be distinguished from a changed chain. Neither contains the number: a
 * removed entry breaks one link, and the entries after it stay valid.
 */

export type ChainedKind = 'credit' | 'audit';

export const CHAINED_KINDS: readonly ChainedKind[] = ['credit', 'audit'];

/**
 * Columns that are part of the mark, in this order: all columns, because none of them changes after the row
 * is inserted. The marks in existing stores depend on this list; do not add later columns to it.
 */
const COLUMNS: Readonly<Record<ChainedKind, readonly string[]>> = {
  credit: [
    ...['id', 'session_id', 'brand_id', 'proof_id', 'channel', 'reference', 'amount_paisa', 'fee_paisa'],
    ...['credited_at', 'credited_by', 'scope', 'folded', 'rest_paisa'],
  ],
  audit: ['id', 'at', 'who', 'action', 'subject', 'before', 'after'],
};

/** HMAC of a text, under the key of the chain. */
export type HmacFunction = (text: string) => string;

interface ChainedRow {
  readonly kind: ChainedKind;
  readonly rowId: string;
}

export interface ChainEntry extends ChainedRow {
  readonly number: number;
  readonly mark: string;
  readonly hash: string;
}

/** Newest entry. With a copy of it, anyone can check later that the chain still contains it. */
export interface ChainHead {
  /** 0 before the first entry. */
  readonly number: number;
  readonly hash: string;
}

export const NO_ENTRIES: ChainHead = { number: 0, hash: '' };

/** Stored length of a mark: 132 of the 256 bits, too many to find another row with the same mark. */
const MARK_DIGITS = 22;

/** @param row columns as either database engine returns them: integers, strings and nulls. */
export function rowMark(mark: HmacFunction, kind: ChainedKind, row: object): string {
  const values = COLUMNS[kind].map((column) => (row as Readonly<Record<string, unknown>>)[column]);
  return mark(JSON.stringify(['row', kind, ...values])).slice(0, MARK_DIGITS);
}

function linkHash(mark: HmacFunction, before: string, entry: ChainedRow & Pick<ChainEntry, 'mark'>): string {
  return mark(JSON.stringify(['link', before, entry.kind, entry.rowId, entry.mark]));
}

/** @param rows in the order in which they are appended. @returns their entries, which follow the head. */
export function entriesBehind(
  mark: HmacFunction,
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
 * Checks an entry against the previous entry's stored hash, so that entries after a fault are checked too.
 * @param before the previous entry.
 * @param row undefined if it no longer exists.
 */
export function entryFaults(
  mark: HmacFunction,
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

/** Start of the verifiable part: entries up to this number have a key that no longer exists. */
export interface ChainStart {
  readonly after: number;
  /** Time at which the key was replaced, milliseconds since the epoch. */
  readonly at: number;
}

/** Includes a code under the key, so that no one else can exclude old entries from verification. */
export function startText(mark: HmacFunction, { after, at }: ChainStart): string {
  return JSON.stringify({ after, at, mark: startMark(mark, { after, at }) });
}

/** @returns null where it was not made under this key. */
export function parseChainStart(mark: HmacFunction, text: string): ChainStart | null {
  try {
    const { after, at, mark: code } = JSON.parse(text) as ChainStart & { readonly mark: unknown };
    return code === startMark(mark, { after, at }) ? { after, at } : null;
  } catch {
    return null;
  }
}

function startMark(mark: HmacFunction, { after, at }: ChainStart): string {
  return mark(JSON.stringify(['start', after, at]));
}

/** @param text `number:hash`, as `kashbox audit verify` prints it. @returns null if not valid. */
export function parseChainHead(text: string): ChainHead | null {
  const [, number, hash] = /^(\d{1,10}):([\w-]{43})$/.exec(text.trim()) ?? [];
  return number === undefined || hash === undefined ? null : { number: Number(number), hash };
}

export function headText({ number, hash }: ChainHead): string {
  return `${number}:${hash}`;
}
