/** The whole window as a frame: header, panels or a text over them, keys. Pure. */
import { wrap } from '../base/values/cells.js';
import { drawPanel } from './draw-panel.js';
import { blank, type Cell, type Frame, flow, type Line, rule, spanOf } from './frame.js';
import { HELP } from './help.js';
import { isSmall, type Place, placesOf, type Size } from './layout.js';
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
  return placesOf(size, isOne ? view.panel : null, headHeight(shown));
}

/** @returns exactly as many lines as the window has, each exactly as wide. */
export function draw(shown: Shown): Frame {
  const { size } = shown;
  const above = headHeight(shown);
  const body = Math.max(0, size.rows - above - 1);
  return [...header(shown).slice(0, above), ...bodyLines(shown, body), footer(shown)].slice(0, size.rows);
}

/** Lines of the header, 1 in good times. What is wrong is said whole, but not instead of all the rest. */
export function headHeight({ status, size }: Pick<Shown, 'status' | 'size'>): number {
  return Math.max(1, Math.min(statusLines(status, size.columns).length, Math.floor(size.rows / 3)));
}

/** Trouble gets whole lines. */
function statusLines({ text, tone }: Cell, columns: number): readonly string[] {
  if (tone !== 'alarm') return [text];
  const room = Math.max(1, columns - 2);
  return wrap(text, room).flatMap((line) => cutUp(line, room));
}

function header({ title, status, size }: Shown): readonly Line[] {
  if (status.tone === 'alarm') {
    const lines = statusLines(status, size.columns);
    return lines.map((text) => [spanOf({ ...status, text: ` ${text}` }, 0, size.columns)]);
  }
  const left = ` ${title}`;
  const right = ` ${status.text} `;
  const end = left.length + right.length <= size.columns ? right.length : 0;
  const spans = [
    spanOf({ text: left, tone: 'title' }, 0, size.columns - end),
    spanOf({ text: right, tone: status.tone ?? 'dim' }, size.columns - end, end),
  ];
  return [spans.filter((span) => span.width > 0)];
}

function bodyLines(shown: Shown, height: number): Line[] {
  const { panels, view, size } = shown;
  switch (view.mode.kind) {
    case 'help':
      return textLines('Help', HELP, view.mode.top, size.columns, height);
    case 'details':
      return detailLines(shown, view.mode.top, height);
    case 'filter':
    case 'board':
      if (panels === null) return textLines('Kashbox', WAITING, 0, size.columns, height);
      return boardLines(shown, shownPanels(panels, view), height);
    default:
      return view.mode satisfies never;
  }
}

const WAITING: readonly SheetLine[] = [{ indent: 0, word: '', value: 'Nothing has been read yet …' }];

function detailLines({ details, view, size }: Shown, top: number, height: number): Line[] {
  const reading: readonly SheetLine[] = [{ indent: 0, word: '', value: 'Reading …' }];
  return textLines(DETAIL_TITLES[view.panel], details ?? reading, top, size.columns, height);
}

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

function boardLines(shown: Shown, panels: readonly Panel[], height: number): Line[] {
  const drawn = shownPlaces(shown).flatMap((place) => {
    const panel = panels.find(({ id }) => id === place.id);
    if (panel === undefined) return [];
    return [{ place, lines: drawPanel(panel, shown.view, place) }];
  });
  return Array.from({ length: height }, (_, index) => {
    const y = index + headHeight(shown);
    const here = drawn
      .filter(({ place }) => y >= place.y && y < place.y + place.height)
      .sort((a, b) => a.place.x - b.place.x);
    return beside(here, y, shown.size.columns);
  });
}

function beside(
  drawn: readonly { readonly place: Place; readonly lines: readonly Line[] }[],
  y: number,
  columns: number,
): Line {
  const spans = drawn.flatMap(({ place, lines }): Line => {
    const line = lines[y - place.y] ?? [blank(place.x, place.width)];
    return place.x === 0 ? line : [rule('│', place.x - 1, 1, 'dim'), ...line];
  });
  return spans.length === 0 ? [blank(0, columns)] : spans;
}

/** A title and as many lines as there is room for, from `top` on. */
function textLines(
  title: string,
  lines: readonly SheetLine[],
  from: number,
  width: number,
  height: number,
): Line[] {
  // What is read anew may have become shorter.
  const top = Math.max(0, Math.min(from, lines.length - (height - 1)));
  const below = lines.length - top - (height - 1);
  const label = `━━ ${title} `;
  const used = Math.min(width, label.length);
  const more = below > 0 ? ` ${below} more below ` : '';
  const end = used + more.length <= width ? more : '';
  const first: Line = [
    spanOf({ text: label, tone: 'focus' }, 0, used),
    rule('━', used, width - used - end.length, 'focus'),
    spanOf({ text: end, tone: 'dim' }, width - end.length, end.length),
  ].filter((span) => span.width > 0);
  const body = Array.from({ length: Math.max(0, height - 1) }, (_, at) => {
    const line = lines[top + at];
    return line === undefined ? [blank(0, width)] : sheetSpans(line, width);
  });
  return [first, ...body].slice(0, height);
}

function sheetSpans(line: SheetLine, width: number): Line {
  const from = 1 + line.indent;
  const middle = Math.min(width, 1 + valueColumn(line));
  const spans = [
    blank(0, Math.min(from, width)),
    spanOf({ text: line.word, tone: 'dim' }, from, Math.max(0, middle - from)),
    spanOf({ text: line.value }, middle, Math.max(0, width - middle)),
  ];
  return spans.filter((span) => span.width > 0);
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

function footer({ view, size }: Shown): Line {
  if (view.mode.kind === 'filter') {
    return flow(
      [
        { text: ` Filter: ${filterOf(view)}_`, tone: 'focus' },
        { text: ' Enter keeps it, Esc drops it', tone: 'dim' },
      ],
      0,
      size.columns,
    );
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
  return flow(cells, 0, size.columns);
}
