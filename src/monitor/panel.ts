/** Data of a panel: title, summary, columns and rows. Pure data; does not know its position on the screen. */
import { lastActive } from '../domain/devices/device-state.js';
import type { Offer } from './dialog.js';
import type { Cell, Tone } from './frame.js';

export const PANEL_IDS = [
  'devices',
  'payments',
  'reviews',
  'unclaimed',
  'notifications',
  'alerts',
  'dispatches',
  'nodes',
  'jobs',
] as const;
export type PanelId = (typeof PANEL_IDS)[number];

export interface PanelColumn {
  readonly head: string;
  /** Cells that it needs. */
  readonly width: number;
  /** Minimum number of cells, used if even the columns of rank 0 do not fit; default: `width`. */
  readonly least?: number;
  /** Maximum number of cells if there is space left; default: `width`. */
  readonly upTo?: number;
  readonly align?: 'right';
  /** 0 is always shown; of the others the highest go first where the room is narrow. */
  readonly rank: number;
}

export interface PanelRow {
  /** Says which thing it is, also after the next reading. */
  readonly key: string;
  /** One a column. */
  readonly cells: readonly Cell[];
  /** Object shown in the details. */
  readonly thing: object;
  /** Actions on the row; may be empty. */
  readonly offers: readonly Offer[];
}

/** Bars of equal scale, each with its word and its sum. */
interface Sparkline {
  readonly word: string;
  readonly values: readonly number[];
  readonly tone: Tone;
}

export interface Panel {
  readonly id: PanelId;
  readonly title: string;
  readonly summary: readonly Cell[];
  readonly sparks: readonly Sparkline[];
  readonly columns: readonly PanelColumn[];
  readonly rows: readonly PanelRow[];
  /** Text shown if there are no rows. */
  readonly empty: string;
}

/** Column, and the function that returns its cell for a row. @param now milliseconds since the epoch. */
export type PanelField<Thing> = readonly [
  column: PanelColumn,
  cell: (thing: Thing, now: number) => Cell | string,
];

interface Contents<Thing> {
  readonly id: PanelId;
  readonly summary: readonly Cell[];
  readonly sparks?: readonly Sparkline[];
  readonly fields: readonly PanelField<Thing>[];
  readonly things: readonly Thing[];
  readonly keyOf: (thing: Thing) => string;
  /** Returns the object for the details; default: the thing itself. */
  readonly shownOf?: (thing: Thing) => object;
  readonly offersOf?: (thing: Thing) => readonly Offer[];
  readonly empty: string;
}

export function buildPanel<Thing extends object>(contents: Contents<Thing>, now: number): Panel {
  const { id, summary, sparks = [], fields, things, keyOf, shownOf, offersOf, empty } = contents;
  return {
    id,
    title: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    summary,
    sparks,
    columns: fields.map(([column]) => column),
    rows: things.map((thing) => ({
      key: keyOf(thing),
      cells: fields.map(([, cellOf]) => {
        const cell = cellOf(thing, now);
        return typeof cell === 'string' ? { text: cell } : cell;
      }),
      thing: shownOf?.(thing) ?? thing,
      offers: offersOf?.(thing) ?? [],
    })),
    empty,
  };
}

/** @returns a text such as "3 due", in the tone `none` if the count is 0, else in `some`. */
export const counted = (count: number, word: string, some: Tone, none: Tone = some): Cell => ({
  text: `${count} ${word}`,
  tone: count === 0 ? none : some,
});

export const getId = ({ id }: { readonly id: string }): string => id;

/** Keeps rows with a cell that contains the text, ignoring case. */
export function filtered(panel: Panel, filter: string): Panel {
  if (filter === '') return panel;
  const wanted = filter.toLocaleLowerCase();
  const rows = panel.rows.filter(({ cells }) =>
    cells.some(({ text }) => text.toLocaleLowerCase().includes(wanted)),
  );
  const found: Cell = { text: `${rows.length} of ${panel.rows.length};`, tone: 'warn' };
  return { ...panel, rows, summary: [found, ...panel.summary], empty: `Nothing matches "${filter}".` };
}

export interface NumberedRow {
  readonly column: PanelColumn;
  /** Index in the panel's columns. */
  readonly at: number;
  readonly width: number;
}

/** Number of blank cells between columns. */
const GAP = 1;

interface Growing extends NumberedRow {
  width: number;
}

/** Selects columns that fit into `width` cells. Ignores the rows, so that changes do not move columns. */
export function fitColumns(columns: readonly PanelColumn[], width: number): readonly NumberedRow[] {
  const order = columns.map((column, at) => ({ column, at })).sort((a, b) => a.column.rank - b.column.rank);
  let free = width + GAP;
  const placed = order
    .filter(({ column }) => {
      const fits = column.rank === 0 || column.width + GAP <= free;
      if (fits) free -= column.width + GAP;
      return fits;
    })
    .map(({ column, at }): Growing => ({ column, at, width: column.width }))
    .sort((a, b) => a.at - b.at);
  if (free < 0) resize(placed, -free, -1, (column) => column.least ?? column.width);
  else resize(placed, free, 1, (column) => column.upTo ?? column.width);
  return placed;
}

/** Adds or removes up to `cells` cells, one per column in turn, up to the limit of each column. */
function resize(
  placed: Growing[],
  cells: number,
  step: 1 | -1,
  limit: (column: PanelColumn) => number,
): void {
  let left = cells;
  for (let isMoving = true; left > 0 && isMoving; ) {
    isMoving = false;
    for (const place of placed) {
      if (left <= 0 || place.width === limit(place.column)) continue;
      place.width += step;
      left -= 1;
      isMoving = true;
    }
  }
}

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** @returns milliseconds since the epoch of an ISO time of ours, null for none. */
export function parseTimeMs(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

/**
 * The API's `last_active` with the next smaller unit added, so that it changes every second: `now 12s`, `5m
 * 03s`, `2h 05m`, `3d 4h`, `2w`. Empty if it was never seen.
 */
export function seenText(iso: string | null, now: number): string {
  const at = parseTimeMs(iso);
  if (at === null) return '';
  const word = lastActive(at, now);
  const rest = restText(Math.max(0, now - at));
  return rest === '' ? word : `${word} ${rest}`;
}

function restText(silent: number): string {
  if (silent < MINUTE) return `${Math.floor(silent / SECOND)}s`;
  if (silent < HOUR) return `${two(Math.floor((silent % MINUTE) / SECOND))}s`;
  if (silent < DAY) return `${two(Math.floor((silent % HOUR) / MINUTE))}m`;
  if (silent < 7 * DAY) return `${Math.floor((silent % DAY) / HOUR)}h`;
  return '';
}

/** Age in a single unit, including seconds: `12s`, `5m`, `2h`, `3d`. */
export function ageText(iso: string | null, now: number): string {
  const at = parseTimeMs(iso);
  if (at === null) return '';
  const age = Math.max(0, now - at);
  return age < MINUTE ? `${Math.floor(age / SECOND)}s` : lastActive(at, now);
}

/** `12:35:04` of an ISO time in Bangladesh time; of another day `21 Aug`. */
export function clockText(iso: string | null, now: number): string {
  const at = parseTimeMs(iso);
  if (iso === null || at === null) return '';
  if (now - at < DAY / 2) return iso.slice(11, 19);
  return dayText(iso);
}

/** `21 Aug 12:35` of an ISO time in Bangladesh time. */
export function minuteText(iso: string): string {
  return `${dayText(iso)} ${iso.slice(11, 16)}`;
}

function dayText(iso: string): string {
  return `${iso.slice(8, 10)} ${MONTHS[Number(iso.slice(5, 7)) - 1] ?? ''}`;
}

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (count: number) => String(count).padStart(2, '0');
