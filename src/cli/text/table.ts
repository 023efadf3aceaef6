/** Rows as a table that people read in a terminal, and records as aligned lines. Pure: text in, text out. */
import type { SheetEntry } from '../../actions/input/view.js';
import { cut, pad, printable, textWidth, visible } from '../../base/values/cells.js';
import { dhakaIso } from '../../base/values/clock.js';
import { counted } from '../../base/values/text.js';

export interface Column<Row> {
  readonly head: string;
  readonly text: (row: Row) => string;
  readonly align?: 'right';
  /** True if the column may be cut to fit the terminal; `last` if it is cut only after all others. */
  readonly shrinks?: true | 'last';
  /** Draws the value in `width` cells; used instead of cutting the text. */
  readonly scaled?: (row: Row, width: number) => string;
  /** Says how something is, in a word that has a colour. */
  readonly isState?: boolean;
}

/** Column, or the name of a field, whose value is shown unchanged with the name in capitals as head. */
export type ColumnOf<Row> = Column<Row> | (keyof Row & string);

/** A column of a field that may be cut to fit the terminal. */
export const shrinking = <K extends string>(field: K, head = capitals(field)) => ({
  head,
  text: (row: Readonly<Record<K, string | null>>) => row[field] ?? '',
  shrinks: true as const,
});

/** Column with the merchant of each row; omitted if all rows have the same merchant. */
export function merchantColumn<Row extends { readonly merchant: string }>(
  rows: readonly Row[],
): Column<Row>[] {
  const isOne = new Set(rows.map(({ merchant }) => merchant)).size < 2;
  return isOne ? [] : [{ head: 'MERCHANT', text: ({ merchant }) => merchant }];
}

/** A column of a field that holds a number or an amount, under its name in capitals. */
export const numberColumn = <K extends string>(field: K) => ({
  head: capitals(field),
  text: (row: Readonly<Record<K, string | number | null>>) => String(row[field] ?? '–'),
  align: 'right' as const,
});

/**
 * `08-21 12:35` from the ISO text of a view; with its year, `2025-08-21 12:35`, where that is not this one.
 * @param now milliseconds since the epoch.
 */
export function dayAndTime(iso: string, now: number): string {
  const isThisYear = iso.slice(0, 4) === dhakaIso(now).slice(0, 4);
  return iso.slice(isThisYear ? 5 : 0, 16).replace('T', ' ');
}

/** Columns that say how something is. */
const STATES: readonly string[] = ['state', 'status'];

const GAP = '  ';
/** A cut column keeps at least this much. */
const NARROWEST = 8;

/**
 * @param limit cells of the terminal; columns that may shrink do so until the table fits. May be infinite.
 * @param tint colours a state; default: no colours.
 * @returns the head and one line per row.
 */
export function table<Row>(
  wanted: readonly ColumnOf<Row>[],
  rows: readonly Row[],
  limit: number,
  tint: (state: string) => string = (state) => state,
): string[] {
  const columns = wanted.map(columnOf);
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))));
  const widths = columns.map((column, at) =>
    cells.reduce((widest, line) => Math.max(widest, textWidth(line[at] ?? '')), textWidth(column.head)),
  );
  shrink(columns, widths, limit);
  for (const [index, row] of rows.entries()) {
    for (const [at, { scaled }] of columns.entries()) {
      if (scaled !== undefined) cells[index]?.splice(at, 1, scaled(row, widths[at] ?? 0));
    }
  }
  const line = (texts: readonly string[], isHead: boolean) =>
    columns
      .map((column, at) => {
        const text = cut(texts[at] ?? '', widths[at] ?? 0);
        const padded = pad(text, widths[at] ?? 0, column.align);
        // After it is padded: colours take no cell.
        return column.isState && !isHead && text !== '' ? padded.replace(text, () => tint(text)) : padded;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map((column) => column.head),
      true,
    ),
    ...cells.map((texts) => line(texts, false)),
  ];
}

function columnOf<Row>(wanted: ColumnOf<Row>): Column<Row> {
  if (typeof wanted !== 'string') return wanted;
  const text = (row: Row) => String(row[wanted] ?? '');
  return { head: capitals(wanted), text, isState: STATES.includes(wanted) };
}

/** `RECEIVED AT` of `received_at`. */
function capitals(field: string): string {
  return field.toUpperCase().replaceAll('_', ' ');
}

/** Takes cells from the widest column that may shrink, one at a time, until the sum is small enough. */
function shrink(columns: readonly Column<never>[], widths: number[], limit: number): void {
  const total = () => widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
  const widestOf = (shrinks: true | 'last') => {
    let widest = -1;
    columns.forEach((column, at) => {
      const width = widths[at] ?? 0;
      if (column.shrinks === shrinks && width > NARROWEST && width > (widths[widest] ?? 0)) widest = at;
    });
    return widest;
  };
  while (total() > limit) {
    const first = widestOf(true);
    const widest = first === -1 ? widestOf('last') : first;
    if (widest === -1) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** Lines such as `Status    ACTIVE`, the words in one column and the values in another. */
export function formatKeyValues(all: readonly SheetEntry[]): string[] {
  const entries = all.flatMap(([word, value]) => (value === null ? [] : [[word, value] as const]));
  const width = Math.max(0, ...entries.map(([word]) => textWidth(word)));
  return entries.map(([word, value]) => `${pad(word, width, undefined)}${GAP}${visible(value)}`.trimEnd());
}

/** Counts in a store or a backup: `2 payments, 1 merchant, 0 phones (test brands included)` */
export function heldText(held: {
  readonly payments: number;
  readonly merchants: number;
  readonly phones: number;
}): string {
  const { payments, merchants, phones } = held;
  const texts = [counted(payments, 'payment'), counted(merchants, 'merchant'), counted(phones, 'phone')];
  return `${texts.join(', ')} (test brands included)`;
}
