/** Rows as a table that people read in a terminal, and records as aligned lines. Pure: text in, text out. */

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

/** Signs that take no cell of their own, such as the vowel signs of Bangla above and below the line. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const DOUBLE_WIDTH =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function signWidth(sign: string): number {
  if (ZERO_WIDTH.test(sign)) return 0;
  return DOUBLE_WIDTH.test(sign) ? 2 : 1;
}

/** Cells that a text takes in a terminal, as wcwidth counts them. */
export function textWidth(text: string): number {
  let width = 0;
  for (const sign of text) width += signWidth(sign);
  return width;
}

function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const sign of text) {
    used += signWidth(sign);
    if (used > width - 1) break;
    kept += sign;
  }
  return `${kept}…`;
}

function pad(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? space + text : text + space;
}

/** What a stranger sent must not move the cursor, colour the screen or break a line. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** The same for a cell, where every space is one. */
export function printable(text: string): string {
  return visible(text.replace(/\s+/g, ' '));
}

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
