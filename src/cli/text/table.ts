/** Rows as a table that people read in a terminal, and records as aligned lines. Pure: text in, text out. */
import { cut, pad, printable, textWidth, visible } from '../../base/values/cells.js';

export interface Column<Row> {
  readonly head: string;
  readonly text: (row: Row) => string;
  readonly align?: 'right';
  /** May be cut to fit the terminal. */
  readonly shrinks?: true;
}

const GAP = '  ';
/** A cut column keeps at least this much. */
const NARROWEST = 8;

/**
 * @param limit cells of the terminal; columns that may shrink give way until the table fits.
 * @returns head and one line a row.
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], limit: number): string[] {
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

/** Lines such as `Status    ACTIVE`, the words in one column and the values in another. */
export function sheet(entries: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...entries.map(([word]) => textWidth(word)));
  return entries.map(([word, value]) => `${pad(word, width, undefined)}${GAP}${visible(value)}`.trimEnd());
}
