/** What a panel is: a title, a summary, columns and rows. Pure data; knows no place on the screen. */
import { lastActive } from '../domain/devices/device-state.js';
import type { Offer } from './ask.js';
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

export interface Column {
  readonly head: string;
  /** Cells that it needs. */
  readonly width: number;
  /** Cells that it makes do with, where otherwise not even those of rank 0 would fit. */
  readonly least?: number;
  /** Cells up to which it takes what is left over; absent for those that never grow. */
  readonly upTo?: number;
  readonly align?: 'right';
  /** 0 is always shown; of the others the highest go first where the room is narrow. */
  readonly rank: number;
}

export interface Row {
  /** Says which thing it is, also after the next reading. */
  readonly key: string;
  /** One a column. */
  readonly cells: readonly Cell[];
  /** What its details show. */
  readonly thing: object;
  /** What may be done with it; empty for nothing. */
  readonly offers: readonly Offer[];
}

/** Bars of equal scale, each with its word and its sum. */
interface Spark {
  readonly word: string;
  readonly values: readonly number[];
  readonly tone: Tone;
}

export interface Panel {
  readonly id: PanelId;
  readonly title: string;
  readonly summary: readonly Cell[];
  /** Above the rows; empty where there are none. */
  readonly sparks: readonly Spark[];
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Said where there is no row. */
  readonly empty: string;
}

/** A column, and what stands in it of a thing. @param now milliseconds since the epoch. */
export type Field<Thing> = readonly [column: Column, cell: (thing: Thing, now: number) => Cell | string];

interface Contents<Thing> {
  readonly id: PanelId;
  readonly summary: readonly Cell[];
  readonly sparks?: readonly Spark[];
  readonly fields: readonly Field<Thing>[];
  readonly things: readonly Thing[];
  readonly keyOf: (thing: Thing) => string;
  /** What the details show; the thing itself if absent. */
  readonly shownOf?: (thing: Thing) => object;
  readonly offersOf?: (thing: Thing) => readonly Offer[];
  readonly empty: string;
}

export function panelOf<Thing extends object>(contents: Contents<Thing>, now: number): Panel {
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

/** @returns "3 due" in the tone of some, or that of none. */
export const counted = (count: number, word: string, some: Tone, none: Tone = some): Cell => ({
  text: `${count} ${word}`,
  tone: count === 0 ? none : some,
});

export const idOf = ({ id }: { readonly id: string }): string => id;

/** Rows of which any cell has that text in it, whatever its case. */
export function filtered(panel: Panel, filter: string): Panel {
  if (filter === '') return panel;
  const wanted = filter.toLocaleLowerCase();
  const rows = panel.rows.filter(({ cells }) =>
    cells.some(({ text }) => text.toLocaleLowerCase().includes(wanted)),
  );
  const found: Cell = { text: `${rows.length} of ${panel.rows.length};`, tone: 'warn' };
  return { ...panel, rows, summary: [found, ...panel.summary], empty: `None has "${filter}".` };
}

export interface NumberedRow {
  readonly column: Column;
  /** Its place among the panel's columns. */
  readonly at: number;
  readonly width: number;
}

/** One blank stands between columns. */
const GAP = 1;

interface Growing extends NumberedRow {
  width: number;
}

/** Which columns fit into so many cells, and how wide each is. Rows have no say, so that nothing jumps. */
export function fitColumns(columns: readonly Column[], width: number): readonly NumberedRow[] {
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

/** Gives or takes so many cells, one each in turn, up to the limit of each. */
function resize(placed: Growing[], cells: number, step: 1 | -1, limit: (column: Column) => number): void {
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
export function msOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

/**
 * The API's `last_active` with the next smaller unit added, so that it changes every second: `now 12s`, `5m
 * 03s`, `2h 05m`, `3d 4h`, `2w`. Empty if it was never seen.
 */
export function seenText(iso: string | null, now: number): string {
  const at = msOf(iso);
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

/** How long ago in one unit, seconds too: `12s`, `5m`, `2h`, `3d`. */
export function ageText(iso: string | null, now: number): string {
  const at = msOf(iso);
  if (at === null) return '';
  const age = Math.max(0, now - at);
  return age < MINUTE ? `${Math.floor(age / SECOND)}s` : lastActive(at, now);
}

/** `12:35:04` of an ISO time in Bangladesh time; of another day `21 Aug`. */
export function clockText(iso: string | null, now: number): string {
  const at = msOf(iso);
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
