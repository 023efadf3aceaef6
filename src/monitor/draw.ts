/** The whole window as a frame: header, panels or a text over them, keys. Pure. */
import { drawPanel } from './draw-panel.js';
import { blank, type Cell, type Frame, flow, type Line, rule, spanOf, type Tone } from './frame.js';
import { HELP } from './help.js';
import { isSmall, type Place, placesOf, type Size } from './layout.js';
import { filtered, type Panel, type PanelId } from './panel.js';
import { type SheetLine, valueColumn } from './sheet.js';
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
export function shownPlaces({ panels, view, size }: Pick<Shown, 'panels' | 'view' | 'size'>) {
  const isOne = view.isZoomed || isSmall(size) || panels?.length === 1;
  return placesOf(size, isOne ? view.panel : null);
}

/** @returns exactly as many lines as the window has, each exactly as wide. */
export function draw(shown: Shown): Frame {
  const { size } = shown;
  const body = Math.max(0, size.rows - 2);
  return [header(shown), ...bodyLines(shown, body), footer(shown)].slice(0, size.rows);
}

function header({ title, status, size }: Shown): Line {
  // Trouble gets the whole line.
  if (status.tone === 'alarm') return [spanOf({ ...status, text: ` ${status.text}` }, 0, size.columns)];
  const left = ` ${title}`;
  const right = ` ${status.text} `;
  const end = left.length + right.length <= size.columns ? right.length : 0;
  const spans = [
    spanOf({ text: left, tone: 'title' }, 0, size.columns - end),
    spanOf({ text: right, tone: status.tone ?? 'dim' }, size.columns - end, end),
  ];
  return spans.filter((span) => span.width > 0);
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
    const y = index + 1;
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

const KEYS: readonly (readonly [string, string])[] = [
  ['Tab', 'panel'],
  ['↑↓', 'row'],
  ['Enter', 'details'],
  ['/', 'filter'],
  ['z', 'zoom'],
  ['r', 'read'],
  ['?', 'help'],
  ['q', 'end'],
];
const TEXT_KEYS: readonly (readonly [string, string])[] = [
  ['↑↓', 'scroll'],
  ['Esc', 'back'],
  ['Ctrl-C', 'end'],
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
  const cells = keys.flatMap(([key, does]): Cell[] => [
    { text: ` ${key}`, tone: 'title' as Tone },
    { text: does, tone: 'dim' },
  ]);
  return flow(cells, 0, size.columns);
}
