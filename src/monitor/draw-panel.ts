/** One panel as lines of its place: title, bars, heads of columns, rows. Pure. */
import { textWidth } from '../base/values/cells.js';
import { sparkline } from './bars.js';
import { blank, type Cell, flow, type Line, rule, type Span, spanOf, type Tone } from './frame.js';
import type { Place } from './layout.js';
import { fitColumns, type Panel, type Placed, type Row } from './panel.js';
import { markedIndex, type View } from './view.js';

/** Lower panels have no room for the heads of columns. */
const LEAST_WITH_HEADS = 6;

/** Rows that fit into its place below title, bars and heads. */
export function rowsThatFit(panel: Panel, height: number): number {
  return Math.max(0, height - 1 - sparkLines(panel) - headLines(panel, height));
}

const sparkLines = (panel: Panel) => (panel.sparks.length > 0 ? 1 : 0);
const headLines = (panel: Panel, height: number) => (height - sparkLines(panel) >= LEAST_WITH_HEADS ? 1 : 0);

/** @returns exactly as many lines as the place is high, each exactly as wide. */
export function drawPanel(panel: Panel, view: View, { x, width, height }: Place): readonly Line[] {
  const isFocused = view.panel === panel.id;
  const room = rowsThatFit(panel, height);
  const marked = markedIndex(view, panel);
  // Whole pages, so that the list stands still while the mark moves in it.
  const top = room === 0 ? 0 : Math.floor(marked / room) * room;
  const columns = fitColumns(panel.columns, width);
  const rows = panel.rows.slice(top, top + room);
  const lines = [
    titleLine(panel, { isFocused, filter: view.filters[panel.id] ?? '', x, width, top, room }),
    ...(panel.sparks.length > 0 ? [sparkLine(panel, x, width)] : []),
    ...(headLines(panel, height) > 0 ? [headLine(columns, x, width)] : []),
    ...rows.map((row, at) => rowLine(row, columns, { x, width, isMarked: isFocused && top + at === marked })),
    ...(rows.length === 0 && room > 0 ? [flow([{ text: ` ${panel.empty}`, tone: 'dim' }], x, width)] : []),
  ];
  const missing = Math.max(0, height - lines.length);
  return [...lines, ...Array.from({ length: missing }, () => [blank(x, width)])].slice(0, height);
}

interface TitlePlace {
  readonly isFocused: boolean;
  readonly filter: string;
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly room: number;
}

function titleLine(panel: Panel, { isFocused, filter, x, width, top, room }: TitlePlace): Line {
  const sign = isFocused ? '━' : '─';
  const tone: Tone = isFocused ? 'focus' : 'dim';
  const count = panel.rows.length;
  const isPaged = count > room && room > 0;
  const paged = isPaged ? ` ${top + 1}-${Math.min(count, top + room)} of ${count} ` : '';
  const summary = panel.summary.map((cell, at) =>
    at === panel.summary.length - 1 ? cell : { ...cell, text: `${cell.text},` },
  );
  const cells: Cell[] = [
    { text: panel.title, tone: isFocused ? 'focus' : 'title' },
    ...(filter === '' ? [] : [{ text: `/${filter}`, tone: 'warn' } as const]),
    ...summary,
  ];
  const wanted = cells.reduce((sum, { text }) => sum + textWidth(text) + 1, -1);
  const used = Math.min(width - 2, wanted);
  const rest = width - 2 - used;
  // The summary says more than the place in the list.
  const end = rest > paged.length + 1 ? paged : '';
  const from = x + 2 + used;
  return [
    rule(sign, x, 1, tone),
    blank(x + 1, 1),
    ...flow(cells, x + 2, used),
    blank(from, Math.min(1, rest)),
    rule(sign, from + 1, Math.max(0, rest - 1 - end.length), tone),
    spanOf({ text: end, tone: 'dim' }, x + width - end.length, end.length),
  ].filter((span) => span.width > 0);
}

function sparkLine({ sparks }: Panel, x: number, width: number): Line {
  const top = Math.max(1, ...sparks.flatMap(({ values }) => values));
  const each = Math.floor(width / Math.max(1, sparks.length));
  const spans = sparks.flatMap(({ word, values, tone }, at): Span[] => {
    const from = x + at * each;
    const bars = values.slice(-Math.max(0, each - word.length - 3));
    return [
      spanOf({ text: ` ${word} `, tone: 'dim' }, from, word.length + 2),
      spanOf({ text: sparkline(bars, top), tone }, from + word.length + 2, each - word.length - 2),
    ];
  });
  const rest = width - each * sparks.length;
  return rest === 0 ? spans : [...spans, blank(x + width - rest, rest)];
}

function headLine(columns: readonly Placed[], x: number, width: number): Line {
  const cells = columns.map(({ column }): Cell => ({ text: column.head, tone: 'dim' }));
  return inColumns(cells, columns, x, width);
}

interface RowPlace {
  readonly x: number;
  readonly width: number;
  readonly isMarked: boolean;
}

function rowLine(row: Row, columns: readonly Placed[], { x, width, isMarked }: RowPlace): Line {
  const cells = columns.map(({ at }) => row.cells[at] ?? { text: '' });
  const line = inColumns(cells, columns, x, width);
  return isMarked ? line.map((span) => ({ ...span, tone: 'selected' })) : line;
}

function inColumns(cells: readonly Cell[], columns: readonly Placed[], x: number, width: number): Line {
  const spans: Span[] = [];
  let used = 0;
  for (let at = 0; at < columns.length && used < width; ) {
    const cell = cells[at] ?? { text: '' };
    const taken = columns.slice(at, at + (cell.spans ?? 1));
    const wanted = taken.reduce((sum, column) => sum + column.width + 1, -1);
    const room = Math.min(wanted, width - used);
    spans.push(spanOf(cell, x + used, room, taken[0]?.column.align));
    used += room;
    if (used < width) {
      spans.push(blank(x + used, 1));
      used += 1;
    }
    at += taken.length;
  }
  if (used < width) spans.push(blank(x + used, width - used));
  return spans;
}
