/** Draws the window as a frame: header, panels or a text in their place, keys; and the help of `?`. Pure. */
import { textWidth, wrap } from '../base/values/cells.js';
import { formatDialog, keyCells, textRows } from './dialog.js';
import {
  blank,
  type Cell,
  type DetailLine,
  type Frame,
  flow,
  layoutLine,
  renderCell,
  rule,
  type StyledText,
  splitToWidth,
  type Tone,
  valueColumn,
} from './frame.js';
import { isSmall, type PanelArea, panelAreas, type Size } from './layout.js';
import { filtered, fitColumns, type NumberedRow, type Panel, type PanelId } from './panel.js';
import { sparkline } from './panel-devices.js';
import { baseMode, currentFilter, currentRow, markedIndex, type View } from './view.js';

interface WindowContents {
  /** Null before the first reading. */
  readonly panels: readonly Panel[] | null;
  readonly view: View;
  readonly size: Size;
  /** Left and right text of the header. */
  readonly title: string;
  readonly status: Cell;
  /** Details of the open row; null while they are loading. */
  readonly details: readonly DetailLine[] | null;
}

/** Applies the filters. Keys move within the filtered rows. */
export function filterPanels(panels: readonly Panel[], view: View): readonly Panel[] {
  return panels.map((panel) => filtered(panel, view.filters[panel.id] ?? ''));
}

/** The places of the panels that there are. */
export function layoutPanels(shown: LayoutInput) {
  const { panels, view, size } = shown;
  const isOne = view.isZoomed || isSmall(size) || panels?.length === 1;
  // Rows that a filter hides count, so that nothing moves while it is typed.
  const wants = new Map(panels?.map((panel) => [panel.id, linesWanted(panel)]));
  return panelAreas(size, isOne ? view.panel : null, measureMargins(shown), (id) => wants.get(id) ?? 0);
}

type LayoutInput = Pick<WindowContents, 'panels' | 'view' | 'size' | 'status'>;

/** Lines that are not the body's: of the header, and of the keys or a question below. */
export function measureMargins(shown: LayoutInput) {
  return { above: headHeight(shown), below: footer(shown).length };
}

/** @returns exactly as many lines as the window has, each exactly as wide. */
export function draw(shown: WindowContents): Frame {
  const { size } = shown;
  const foot = footer(shown);
  const above = headHeight(shown);
  const body = Math.max(0, size.rows - above - foot.length);
  const lines = [...header(shown).slice(0, above), ...bodyLines(shown, body), ...foot];
  return lines.slice(0, size.rows).map(layoutLine);
}

/** Number of header lines, usually 1. A problem is shown in full, in at most a third of the window. */
function headHeight({ status, size }: Pick<WindowContents, 'status' | 'size'>): number {
  return Math.max(1, Math.min(statusLines(status, size.columns).length, Math.floor(size.rows / 3)));
}

/** Wraps an alarm into full lines; other statuses have one line. */
function statusLines({ text, tone }: Cell, columns: number): readonly string[] {
  if (tone !== 'alarm') return [text];
  const room = Math.max(1, columns - 2);
  return wrap(text, room).flatMap((line) => splitToWidth(line, room));
}

function header({ title, status, size }: WindowContents): readonly StyledText[][] {
  if (status.tone === 'alarm') {
    const lines = statusLines(status, size.columns);
    return lines.map((text) => [renderCell({ ...status, text: ` ${text}` }, size.columns)]);
  }
  const left = ` ${title}`;
  const right = ` ${status.text} `;
  const end = left.length + right.length <= size.columns ? right.length : 0;
  return [
    [
      renderCell({ text: left, tone: 'title' }, size.columns - end),
      renderCell({ text: right, tone: status.tone ?? 'dim' }, end),
    ],
  ];
}

function bodyLines(shown: WindowContents, height: number): StyledText[][] {
  const { panels, view, size, details } = shown;
  const mode = baseMode(view);
  switch (mode.kind) {
    case 'help':
      return textLines('Help', HELP, mode.top, size.columns, height);
    case 'details': {
      const lines = details ?? remark('Reading …');
      return textLines(DETAIL_TITLES[view.panel], lines, mode.top, size.columns, height);
    }
    case 'filter':
    case 'board':
      if (panels !== null) return boardLines(shown, filterPanels(panels, view), height);
      return textLines('Kashbox', remark('Nothing has been read yet …'), 0, size.columns, height);
    default:
      return mode satisfies never;
  }
}

const remark = (value: string): readonly DetailLine[] => [{ indent: 0, word: '', value }];

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

function boardLines(shown: WindowContents, panels: readonly Panel[], height: number): StyledText[][] {
  const drawn = layoutPanels(shown)
    .flatMap((place) => {
      const panel = panels.find(({ id }) => id === place.id);
      return panel === undefined ? [] : [{ place, lines: drawPanel(panel, shown.view, place) }];
    })
    .sort((a, b) => a.place.x - b.place.x);
  return Array.from({ length: height }, (_, index) => {
    const y = index + headHeight(shown);
    const pieces = drawn.flatMap(({ place, lines }): readonly StyledText[] => {
      const line = lines[y - place.y] ?? [];
      return place.x === 0 || line.length === 0 ? line : [rule('│', 1, 'dim'), ...line];
    });
    return pieces.length === 0 ? [blank(shown.size.columns)] : pieces;
  });
}

/** A title and as many lines as there is room for, from `from` on. */
function textLines(
  title: string,
  lines: readonly DetailLine[],
  from: number,
  width: number,
  height: number,
): StyledText[][] {
  // What is read again may have become shorter.
  const top = Math.max(0, Math.min(from, lines.length - (height - 1)));
  const below = lines.length - top - (height - 1);
  const label = `━━ ${title} `;
  const used = Math.min(width, label.length);
  const more = below > 0 ? ` ${below} more below ` : '';
  const end = used + more.length <= width ? more : '';
  const first = [
    renderCell({ text: label, tone: 'focus' }, used),
    rule('━', width - used - end.length, 'focus'),
    renderCell({ text: end, tone: 'dim' }, end.length),
  ];
  const body = Array.from({ length: Math.max(0, height - 1) }, (_, at) => {
    const line = lines[top + at];
    return line === undefined ? [blank(width)] : sheetPieces(line, width);
  });
  return [first, ...body].slice(0, height);
}

function sheetPieces(line: DetailLine, width: number): StyledText[] {
  const from = Math.min(width, 1 + line.indent);
  const middle = Math.min(width, 1 + valueColumn(line));
  return [
    blank(from),
    renderCell({ text: line.word, tone: 'dim' }, Math.max(0, middle - from)),
    renderCell({ text: line.value }, width - middle),
  ];
}

/** Keys shown before and after those of the marked row. */
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

/** Lines below the panels: a dialog or the keys, and the last notice. At least two lines remain above. */
function footer({ view, size, panels }: LayoutInput): readonly StyledText[][] {
  const { mode, notice } = view;
  const most = Math.max(1, size.rows - 2);
  if (mode.kind === 'ask') return formatDialog(mode.ask, size.columns).slice(-most);
  const told = notice === null ? [] : textRows(notice.text, notice.tone ?? 'plain', size.columns);
  return [...told, keyLine(view, size, panels)].slice(-most);
}

function keyLine(view: View, { columns }: Size, panels: readonly Panel[] | null): StyledText[] {
  const { mode } = view;
  if (mode.kind === 'filter') {
    const hint = { text: ' Enter keeps it, Esc drops it', tone: 'dim' } as const;
    return flow([{ text: ` Filter: ${currentFilter(view)}_`, tone: 'focus' }, hint], columns);
  }
  if (mode.kind === 'help') return keyCells([BACK_KEY, ...SCROLL_KEYS], columns);
  const row = panels === null ? undefined : currentRow(view, filterPanels(panels, view));
  const offers = (row?.offers ?? []).map(({ key, does }) => [key, does] as const);
  if (mode.kind === 'details') return keyCells([BACK_KEY, ...offers, ...SCROLL_KEYS], columns);
  return keyCells([...FIRST_KEYS, ...offers, ...LAST_KEYS], columns);
}

/** Minimum height of a panel for its column heads, unless all its rows fit too. */
const LEAST_WITH_HEADS = 6;

/** Number of lines for the complete panel: title, bars, heads and all rows. */
function linesWanted(panel: Panel): number {
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
function drawPanel(panel: Panel, view: View, { width, height }: PanelArea): readonly StyledText[][] {
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
    return line.map((piece): StyledText => ({ ...piece, tone: 'selected' }));
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

function titleLine(panel: Panel, { isFocused, filter, width, top, room }: TitleArea): StyledText[] {
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
    renderCell({ text: end, tone: 'dim' }, end.length),
  ];
}

/** Width of the cells, each with a blank after it. */
const cellsWidth = (cells: readonly Cell[]) => cells.reduce((sum, { text }) => sum + textWidth(text) + 1, 0);

/** Returns as many cells as fit completely, comma-separated; always the first one. */
function fitting(cells: readonly Cell[], width: number): Cell[] {
  const most = cells.findIndex((_, at) => at > 0 && cellsWidth(cells.slice(0, at + 1)) + at - 1 > width);
  const shown = most === -1 ? cells : cells.slice(0, most);
  return shown.map((cell, at) => (at === shown.length - 1 ? cell : { ...cell, text: `${cell.text},` }));
}

function sparkLine({ sparks }: Panel, width: number): StyledText[] {
  const top = Math.max(1, ...sparks.flatMap(({ values }) => values));
  const each = Math.floor(width / Math.max(1, sparks.length));
  const pieces = sparks.flatMap(({ word, values, tone }): StyledText[] => {
    const bars = values.slice(-Math.max(0, each - word.length - 3));
    return [
      renderCell({ text: ` ${word} `, tone: 'dim' }, word.length + 2),
      renderCell({ text: sparkline(bars, top), tone }, each - word.length - 2),
    ];
  });
  return [...pieces, blank(width - each * sparks.length)];
}

function inColumns(cells: readonly Cell[], columns: readonly NumberedRow[], width: number): StyledText[] {
  const pieces: StyledText[] = [];
  let left = width;
  for (let at = 0; at < columns.length && left > 0; ) {
    const cell = cells[at] ?? { text: '' };
    const taken = columns.slice(at, at + (cell.spans ?? 1));
    const room = Math.min(
      taken.reduce((sum, column) => sum + column.width + 1, -1),
      left,
    );
    pieces.push(renderCell(cell, room, taken[0]?.column.align), blank(Math.min(1, left - room)));
    left -= room + Math.min(1, left - room);
    at += taken.length;
  }
  return [...pieces, blank(left)];
}

/** Help text; the right column fits into a window of 80 columns. */
const TEXT: readonly (readonly [string, string])[] = [
  ['Tab  →', 'next panel'],
  ['Shift-Tab  ←', 'panel before'],
  ['1 … 9', 'panel of that number, in the order of Tab'],
  ['↑ ↓  k j', 'move the mark; PgUp, PgDn, Home, End: further'],
  ['Enter', 'all that is known of the marked row, and back'],
  ['/', 'only rows with that text in them; Esc: all again'],
  ['z', 'this panel alone, and back'],
  ['r', 'read now, not only every 3 seconds'],
  ['Ctrl-Z  Ctrl-L', 'to the shell until fg; draw everything again'],
  ['q  Ctrl-C', 'end'],
  ['', ''],
  ['On a marked row', 'each asks first, y does it, Esc leaves; nothing else acts'],
  ['  a  x', 'Reviews: approve, reject; a note is kept with it'],
  ['  s', 'Notifications: send again'],
  ['  c', 'Alerts: close the gap that an sms gap tells of'],
  ['', ''],
  ['Devices', 'relay phones, those with problems first'],
  ['  STATE', 'ONLINE: seen within 3 minutes, STALE: 15; !: has a problem'],
  ['  BATTERY', 'a + behind it means charging'],
  ['  ACTIVE', 'how long ago it was last seen; never: not once yet'],
  ['  QUEUE', 'SMS that lie on the phone and have not come through'],
  ['  OUT', 'SMS that wait here to be sent through it'],
  ['Payments', 'credited today and yesterday; the rest is of the last hour'],
  ['  bars', 'of two minutes each: what was opened, what of it is paid'],
  ['Reviews', 'wait for your decision: kashbox verifications'],
  ['Unclaimed', 'came in and has paid nothing: kashbox why ID'],
  ['Notifications', 'pending and failed notifications: kashbox webhooks'],
  ['Alerts', '! lasts, ✓ is over: kashbox alerts'],
  ['  gap', 'BDT that no SMS tells of, + came, - left, and the wallet'],
  ['Dispatches', 'SMS sent through phones: kashbox messages'],
  ['Nodes', 'where transfers of USDT are read; unused: never asked'],
  ['Jobs', 'live: all the time; silent: should have run long ago'],
  ['', ''],
  ['Sound, title', 'new reviews, alerts, failed notifications, offline phones'],
  ['Times', 'are in Bangladesh time.'],
];

export const HELP: readonly DetailLine[] = TEXT.map(([word, value]) => ({ indent: 0, word, value }));
