/** Rows as a table that people read in a terminal, and records as aligned lines. Pure: text in, text out. */
import { cut, pad, printable, textWidth, visible } from '../../base/values/cells.js';

export interface Column<Row> {
  readonly head: string;
  readonly text: (row: Row) => string;
  readonly align?: 'right';
  /** May be cut to fit the terminal. */
  readonly shrinks?: true;
}

/** A column, or the field that it shows as it stands, under its name in capitals. */
export type ColumnOf<Row> = Column<Row> | (keyof Row & string);

/** A column of a field that may be cut to fit the terminal. */
export const shrinking = <K extends string>(field: K, head = capitals(field)) => ({
  head,
  text: (row: Readonly<Record<K, string | null>>) => row[field] ?? '',
  shrinks: true as const,
});

/** `08-21 12:35` from the ISO text of a view. */
export const dayAndTime = (iso: string) => iso.slice(5, 16).replace('T', ' ');

const GAP = '  ';
/** A cut column keeps at least this much. */
const NARROWEST = 8;

/**
 * @param limit cells of the terminal; columns that may shrink give way until the table fits.
 * @returns head and one line a row.
 */
export function table<Row>(wanted: readonly ColumnOf<Row>[], rows: readonly Row[], limit: number): string[] {
  const columns = wanted.map(columnOf);
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))));
  const widths = columns.map((column, at) =>
    cells.reduce((widest, line) => Math.max(widest, textWidth(line[at] ?? '')), textWidth(column.head)),
  );
  shrink(columns, widths, limit);
  const line = (texts: readonly string[]) =>
    columns
      .map((column, at) => pad(cut(texts[at] ?? '', widths[at] ?? 0), widths[at] ?? 0, column.align))
      .join(GAP)
      .trimEnd();
  return [line(columns.map((column) => column.head)), ...cells.map(line)];
}

function columnOf<Row>(wanted: ColumnOf<Row>): Column<Row> {
  if (typeof wanted !== 'string') return wanted;
  return { head: capitals(wanted), text: (row) => String(row[wanted] ?? '') };
}

/** `RECEIVED AT` of `received_at`. */
function capitals(field: string): string {
  return field.toUpperCase().replaceAll('_', ' ');
}

/** Takes cells from the widest column that may shrink, one at a time, until the sum is small enough. */
function shrink(columns: readonly Column<never>[], widths: number[], limit: number): void {
  const total = () => widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
  while (total() > limit) {
    let widest = -1;
    columns.forEach((column, at) => {
      const width = widths[at] ?? 0;
      if (column.shrinks && width > NARROWEST && width > (widths[widest] ?? 0)) widest = at;
    });
    if (widest === -1) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** A word and its value; null leaves the line out. */
export type Entry = readonly [word: string, value: string | null];

/** Lines such as `Status    ACTIVE`, the words in one column and the values in another. */
export function sheet(all: readonly Entry[]): string[] {
  const entries = all.flatMap(([word, value]) => (value === null ? [] : [[word, value] as const]));
  const width = Math.max(0, ...entries.map(([word]) => textWidth(word)));
  return entries.map(([word, value]) => `${pad(word, width, undefined)}${GAP}${visible(value)}`.trimEnd());
}
