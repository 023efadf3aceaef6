/** One panel as lines of its place: title, bars, heads of columns, rows. Pure. */
import { textWidth } from '../base/values/cells.js';
import { sparkline } from './bars.js';
import { blank, type Cell, flow, type Piece, pieceOf, rule, type Tone } from './frame.js';
import type { PanelArea } from './layout.js';
import { fitColumns, type NumberedRow, type Panel } from './panel.js';
import { markedIndex, type View } from './view.js';

/** Lower panels have room for the heads of columns only where every row has room beside them. */
const LEAST_WITH_HEADS = 6;

/** Lines in which all of it would stand: title, bars, heads and every row. */
export function linesWanted(panel: Panel): number {
  return 2 + sparkLines(panel) + Math.max(1, panel.rows.length);
}

/** Rows that fit into its place below title, bars and heads. */
export function rowsThatFit(panel: Panel, height: number): number {
  return Math.max(0, height - 1 - sparkLines(panel) - headLines(panel, height));
}

const sparkLines = (panel: Panel) => (panel.sparks.length > 0 ? 1 : 0);

function headLines(panel: Panel, height: number): number {
  const isHigh = height - sparkLines(panel) >= LEAST_WITH_HEADS;
  return isHigh || (panel.rows.length > 0 && height >= linesWanted(panel)) ? 1 : 0;
}

/** @returns exactly as many lines as the place is high, each exactly as wide. */
export function drawPanel(panel: Panel, view: View, { width, height }: PanelArea): readonly Piece[][] {
  const isFocused = view.panel === panel.id;
  const room = rowsThatFit(panel, height);
  const marked = markedIndex(view, panel);
  // Whole pages, so that the list stands still while the mark moves in it.
  const top = room === 0 ? 0 : Math.floor(marked / room) * room;
  const columns = fitColumns(panel.columns, width);
  const heads = columns.map(({ column }): Cell => ({ text: column.head, tone: 'dim' }));
  const rows = panel.rows.slice(top, top + room).map((row, at) => {
    const line = inColumns(
      columns.map((placed) => row.cells[placed.at] ?? { text: '' }),
      columns,
      width,
    );
    if (!isFocused || top + at !== marked) return line;
    return line.map((piece): Piece => ({ ...piece, tone: 'selected' }));
  });
  const lines = [
    titleLine(panel, { isFocused, filter: view.filters[panel.id] ?? '', width, top, room }),
    ...(panel.sparks.length > 0 ? [sparkLine(panel, width)] : []),
    ...(headLines(panel, height) > 0 ? [inColumns(heads, columns, width)] : []),
    ...rows,
    ...(rows.length === 0 && room > 0 ? [flow([{ text: ` ${panel.empty}`, tone: 'dim' }], width)] : []),
  ];
  return Array.from({ length: height }, (_, at) => lines[at] ?? [blank(width)]);
}

interface TitleArea {
  readonly isFocused: boolean;
  readonly filter: string;
  readonly width: number;
  readonly top: number;
  readonly room: number;
}

function titleLine(panel: Panel, { isFocused, filter, width, top, room }: TitleArea): Piece[] {
  const sign = isFocused ? '━' : '─';
  const tone: Tone = isFocused ? 'focus' : 'dim';
  const count = panel.rows.length;
  const isPaged = count > room && room > 0;
  const paged = isPaged ? ` ${top + 1}-${Math.min(count, top + room)} of ${count} ` : '';
  const name: Cell[] = [
    { text: panel.title, tone: isFocused ? 'focus' : 'title' },
    ...(filter === '' ? [] : [{ text: `/${filter}`, tone: 'warn' } as const]),
  ];
  const cells = [...name, ...fitting(panel.summary, width - 2 - cellsWidth(name))];
  const wanted = cellsWidth(cells) - 1;
  const used = Math.min(width - 2, wanted);
  const rest = width - 2 - used;
  // The summary says more than the place in the list.
  const end = rest > paged.length + 1 ? paged : '';
  return [
    rule(sign, 1, tone),
    blank(1),
    ...flow(cells, used),
    blank(Math.min(1, rest)),
    rule(sign, Math.max(0, rest - 1 - end.length), tone),
    pieceOf({ text: end, tone: 'dim' }, end.length),
  ];
}

/** With the blank behind each. */
const cellsWidth = (cells: readonly Cell[]) => cells.reduce((sum, { text }) => sum + textWidth(text) + 1, 0);

/** As many as have room whole, with commas between; the first in any case. */
function fitting(cells: readonly Cell[], width: number): Cell[] {
  const most = cells.findIndex((_, at) => at > 0 && cellsWidth(cells.slice(0, at + 1)) + at - 1 > width);
  const shown = most === -1 ? cells : cells.slice(0, most);
  return shown.map((cell, at) => (at === shown.length - 1 ? cell : { ...cell, text: `${cell.text},` }));
}

function sparkLine({ sparks }: Panel, width: number): Piece[] {
  const top = Math.max(1, ...sparks.flatMap(({ values }) => values));
  const each = Math.floor(width / Math.max(1, sparks.length));
  const pieces = sparks.flatMap(({ word, values, tone }): Piece[] => {
    const bars = values.slice(-Math.max(0, each - word.length - 3));
    return [
      pieceOf({ text: ` ${word} `, tone: 'dim' }, word.length + 2),
      pieceOf({ text: sparkline(bars, top), tone }, each - word.length - 2),
    ];
  });
  return [...pieces, blank(width - each * sparks.length)];
}

function inColumns(cells: readonly Cell[], columns: readonly NumberedRow[], width: number): Piece[] {
  const pieces: Piece[] = [];
  let left = width;
  for (let at = 0; at < columns.length && left > 0; ) {
    const cell = cells[at] ?? { text: '' };
    const taken = columns.slice(at, at + (cell.spans ?? 1));
    const room = Math.min(
      taken.reduce((sum, column) => sum + column.width + 1, -1),
      left,
    );
    pieces.push(pieceOf(cell, room, taken[0]?.column.align), blank(Math.min(1, left - room)));
    left -= room + Math.min(1, left - room);
    at += taken.length;
  }
  return [...pieces, blank(left)];
}
