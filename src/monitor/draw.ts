/** The whole window as a frame: header, panels or a text over them, keys. Pure. */
import { wrap } from '../base/values/cells.js';
import { drawPanel } from './draw-panel.js';
import { blank, type Cell, type Frame, flow, lineOf, type Piece, pieceOf, rule } from './frame.js';
import { HELP } from './help.js';
import { isSmall, panelAreas, type Size } from './layout.js';
import { filtered, type Panel, type PanelId } from './panel.js';
import { cutUp, type SheetLine, valueColumn } from './sheet.js';
import { filterOf, type View } from './view.js';

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
export function shownPlaces(shown: Pick<Shown, 'panels' | 'view' | 'size' | 'status'>) {
  const { panels, view, size } = shown;
  const isOne = view.isZoomed || isSmall(size) || panels?.length === 1;
  return panelAreas(size, isOne ? view.panel : null, headHeight(shown));
}

/** @returns exactly as many lines as the window has, each exactly as wide. */
export function draw(shown: Shown): Frame {
  const { size } = shown;
  const above = headHeight(shown);
  const body = Math.max(0, size.rows - above - 1);
  const lines = [...header(shown).slice(0, above), ...bodyLines(shown, body), footer(shown)];
  return lines.slice(0, size.rows).map(lineOf);
}

/** Lines of the header, 1 in good times. What is wrong is said whole, but not instead of all the rest. */
export function headHeight({ status, size }: Pick<Shown, 'status' | 'size'>): number {
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
  switch (view.mode.kind) {
    case 'help':
      return textLines('Help', HELP, view.mode.top, size.columns, height);
    case 'details': {
      const lines = details ?? remark('Reading …');
      return textLines(DETAIL_TITLES[view.panel], lines, view.mode.top, size.columns, height);
    }
    case 'filter':
    case 'board':
      if (panels !== null) return boardLines(shown, shownPanels(panels, view), height);
      return textLines('Kashbox', remark('Nothing has been read yet …'), 0, size.columns, height);
    default:
      return view.mode satisfies never;
  }
}

const remark = (value: string): readonly SheetLine[] => [{ indent: 0, word: '', value }];

const DETAIL_TITLES: Readonly<Record<PanelId, string>> = {
  devices: 'Device',
  payments: 'Payment',
  reviews: 'Review',
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

/** In a narrow window the last ones go. */
const KEYS: readonly (readonly [string, string])[] = [
  ['q', 'end'],
  ['?', 'help'],
  ['Tab', 'panel'],
  ['↑↓', 'row'],
  ['Enter', 'details'],
  ['/', 'filter'],
  ['z', 'zoom'],
  ['r', 'read'],
];
const TEXT_KEYS: readonly (readonly [string, string])[] = [
  ['Esc', 'back'],
  ['Ctrl-C', 'end'],
  ['↑↓', 'scroll'],
];

function footer({ view, size }: Shown): Piece[] {
  if (view.mode.kind === 'filter') {
    const hint = { text: ' Enter keeps it, Esc drops it', tone: 'dim' } as const;
    return flow([{ text: ` Filter: ${filterOf(view)}_`, tone: 'focus' }, hint], size.columns);
  }
  const keys = view.mode.kind === 'board' ? KEYS : TEXT_KEYS;
  let free = size.columns;
  const cells = keys.flatMap(([key, does], at): Cell[] => {
    free -= key.length + does.length + (at === 0 ? 2 : 3);
    if (free < 0) return [];
    return [
      { text: ` ${key}`, tone: 'title' },
      { text: does, tone: 'dim' },
    ];
  });
  return flow(cells, size.columns);
}
