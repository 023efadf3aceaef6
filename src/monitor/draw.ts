/** The whole window as a frame: header, panels or a text over them, keys. Pure. */
import { wrap } from '../base/values/cells.js';
import { askLines, keyCells, textRows } from './ask-lines.js';
import { drawPanel, linesWanted } from './draw-panel.js';
import { blank, type Cell, type Frame, flow, lineOf, type Piece, pieceOf, rule } from './frame.js';
import { HELP } from './help.js';
import { isSmall, panelAreas, type Size } from './layout.js';
import { filtered, type Panel, type PanelId } from './panel.js';
import { cutUp, type SheetLine, valueColumn } from './sheet.js';
import { currentRow, filterOf, shownMode, type View } from './view.js';

export interface Shown {
  /** Null before the first reading. */
  readonly panels: readonly Panel[] | null;
  readonly view: View;
  readonly size: Size;
  /** What the header says on its left and on its right. */
  readonly title: string;
  readonly status: Cell;
  /** Of the row that is open; null while it is being read. */
  readonly details: readonly SheetLine[] | null;
}

/** With the filters applied: what is shown is what the keys move in. */
export function shownPanels(panels: readonly Panel[], view: View): readonly Panel[] {
  return panels.map((panel) => filtered(panel, view.filters[panel.id] ?? ''));
}

/** The places of the panels that there are. */
export function shownPlaces(shown: Framed) {
  const { panels, view, size } = shown;
  const isOne = view.isZoomed || isSmall(size) || panels?.length === 1;
  // Rows that a filter hides count, so that nothing moves while it is typed.
  const wants = new Map(panels?.map((panel) => [panel.id, linesWanted(panel)]));
  return panelAreas(size, isOne ? view.panel : null, marginsOf(shown), (id) => wants.get(id) ?? 0);
}

type Framed = Pick<Shown, 'panels' | 'view' | 'size' | 'status'>;

/** Lines that are not the body's: of the header, and of the keys or a question below. */
export function marginsOf(shown: Framed) {
  return { above: headHeight(shown), below: footer(shown).length };
}

/** @returns exactly as many lines as the window has, each exactly as wide. */
export function draw(shown: Shown): Frame {
  const { size } = shown;
  const foot = footer(shown);
  const above = headHeight(shown);
  const body = Math.max(0, size.rows - above - foot.length);
  const lines = [...header(shown).slice(0, above), ...bodyLines(shown, body), ...foot];
  return lines.slice(0, size.rows).map(lineOf);
}

/** Lines of the header, 1 in good times. What is wrong is said whole, but not instead of all the rest. */
function headHeight({ status, size }: Pick<Shown, 'status' | 'size'>): number {
  return Math.max(1, Math.min(statusLines(status, size.columns).length, Math.floor(size.rows / 3)));
}

/** Problems get whole lines. */
function statusLines({ text, tone }: Cell, columns: number): readonly string[] {
  if (tone !== 'alarm') return [text];
  const room = Math.max(1, columns - 2);
  return wrap(text, room).flatMap((line) => cutUp(line, room));
}

function header({ title, status, size }: Shown): readonly Piece[][] {
  if (status.tone === 'alarm') {
    const lines = statusLines(status, size.columns);
    return lines.map((text) => [pieceOf({ ...status, text: ` ${text}` }, size.columns)]);
  }
  const left = ` ${title}`;
  const right = ` ${status.text} `;
  const end = left.length + right.length <= size.columns ? right.length : 0;
  return [
    [
      pieceOf({ text: left, tone: 'title' }, size.columns - end),
      pieceOf({ text: right, tone: status.tone ?? 'dim' }, end),
    ],
  ];
}

function bodyLines(shown: Shown, height: number): Piece[][] {
  const { panels, view, size, details } = shown;
  const mode = shownMode(view);
  switch (mode.kind) {
    case 'help':
      return textLines('Help', HELP, mode.top, size.columns, height);
    case 'details': {
      const lines = details ?? remark('Reading …');
      return textLines(DETAIL_TITLES[view.panel], lines, mode.top, size.columns, height);
    }
    case 'filter':
    case 'board':
      if (panels !== null) return boardLines(shown, shownPanels(panels, view), height);
      return textLines('Kashbox', remark('Nothing has been read yet …'), 0, size.columns, height);
    default:
      return mode satisfies never;
  }
}

const remark = (value: string): readonly SheetLine[] => [{ indent: 0, word: '', value }];

const DETAIL_TITLES: Readonly<Record<PanelId, string>> = {
  devices: 'Device',
  payments: 'Payment',
  reviews: 'Review',
  unclaimed: 'Unclaimed money',
  notifications: 'Notification',
  alerts: 'Alert',
  dispatches: 'Dispatch',
  nodes: 'Node',
  jobs: 'Job',
};

function boardLines(shown: Shown, panels: readonly Panel[], height: number): Piece[][] {
  const drawn = shownPlaces(shown)
    .flatMap((place) => {
      const panel = panels.find(({ id }) => id === place.id);
      return panel === undefined ? [] : [{ place, lines: drawPanel(panel, shown.view, place) }];
    })
    .sort((a, b) => a.place.x - b.place.x);
  return Array.from({ length: height }, (_, index) => {
    const y = index + headHeight(shown);
    const pieces = drawn.flatMap(({ place, lines }): readonly Piece[] => {
      const line = lines[y - place.y] ?? [];
      return place.x === 0 || line.length === 0 ? line : [rule('│', 1, 'dim'), ...line];
    });
    return pieces.length === 0 ? [blank(shown.size.columns)] : pieces;
  });
}

/** A title and as many lines as there is room for, from `from` on. */
function textLines(
  title: string,
  lines: readonly SheetLine[],
  from: number,
  width: number,
  height: number,
): Piece[][] {
  // What is read again may have become shorter.
  const top = Math.max(0, Math.min(from, lines.length - (height - 1)));
  const below = lines.length - top - (height - 1);
  const label = `━━ ${title} `;
  const used = Math.min(width, label.length);
  const more = below > 0 ? ` ${below} more below ` : '';
  const end = used + more.length <= width ? more : '';
  const first = [
    pieceOf({ text: label, tone: 'focus' }, used),
    rule('━', width - used - end.length, 'focus'),
    pieceOf({ text: end, tone: 'dim' }, end.length),
  ];
  const body = Array.from({ length: Math.max(0, height - 1) }, (_, at) => {
    const line = lines[top + at];
    return line === undefined ? [blank(width)] : sheetPieces(line, width);
  });
  return [first, ...body].slice(0, height);
}

function sheetPieces(line: SheetLine, width: number): Piece[] {
  const from = Math.min(width, 1 + line.indent);
  const middle = Math.min(width, 1 + valueColumn(line));
  return [
    blank(from),
    pieceOf({ text: line.word, tone: 'dim' }, Math.max(0, middle - from)),
    pieceOf({ text: line.value }, width - middle),
  ];
}

/** Before what can be done with the marked row, and behind it. */
const FIRST_KEYS = [
  ['q', 'end'],
  ['?', 'help'],
] as const;
const LAST_KEYS = [
  ['Tab', 'panel'],
  ['↑↓', 'row'],
  ['Enter', 'details'],
  ['/', 'filter'],
  ['z', 'zoom'],
  ['r', 'read'],
] as const;
const BACK_KEY = ['Esc', 'back'] as const;
const SCROLL_KEYS = [
  ['Ctrl-C', 'end'],
  ['↑↓', 'scroll'],
] as const;

/** What stands below: a question or the keys, and what was done last. Never so much that nothing is above. */
function footer({ view, size, panels }: Framed): readonly Piece[][] {
  const { mode, notice } = view;
  const most = Math.max(1, size.rows - 2);
  if (mode.kind === 'ask') return askLines(mode.ask, size.columns).slice(-most);
  const told = notice === null ? [] : textRows(notice.text, notice.tone ?? 'plain', size.columns);
  return [...told, keyLine(view, size, panels)].slice(-most);
}

function keyLine(view: View, { columns }: Size, panels: readonly Panel[] | null): Piece[] {
  const { mode } = view;
  if (mode.kind === 'filter') {
    const hint = { text: ' Enter keeps it, Esc drops it', tone: 'dim' } as const;
    return flow([{ text: ` Filter: ${filterOf(view)}_`, tone: 'focus' }, hint], columns);
  }
  if (mode.kind === 'help') return keyCells([BACK_KEY, ...SCROLL_KEYS], columns);
  const row = panels === null ? undefined : currentRow(view, shownPanels(panels, view));
  const offers = (row?.offers ?? []).map(({ key, does }) => [key, does] as const);
  if (mode.kind === 'details') return keyCells([BACK_KEY, ...offers, ...SCROLL_KEYS], columns);
  return keyCells([...FIRST_KEYS, ...offers, ...LAST_KEYS], columns);
}
