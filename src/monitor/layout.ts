/** Where each panel stands in a window of some size. Pure; knows no panel's contents. */
import type { PanelId } from './panel.js';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A rectangle of cells; between neighbours on a line one column is left for a rule. */
export interface Place {
  readonly id: PanelId;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Below that one panel is shown at a time. */
const LEAST: Size = { columns: 80, rows: 24 };
const WIDE: Size = { columns: 120, rows: 30 };

/** For the keys. */
const BELOW = 1;

/** Heights at 24 rows and widths at 80 columns, and how what is more is shared out. */
const BANDS = [
  { ids: ['devices'], widths: [1], height: 7, share: 4 },
  { ids: ['payments'], widths: [1], height: 6, share: 3 },
  { ids: ['reviews', 'notifications', 'alerts'], widths: [24, 29, 25], height: 5, share: 2 },
  { ids: ['dispatches', 'nodes', 'jobs'], widths: [31, 23, 24], height: 4, share: 1 },
] as const;

const LEFT = [
  { id: 'devices', share: 6 },
  { id: 'payments', share: 5 },
] as const;
const RIGHT = [
  { id: 'reviews', share: 1 },
  { id: 'notifications', share: 1 },
  { id: 'alerts', share: 1 },
  { id: 'dispatches', share: 1 },
  { id: 'nodes', share: 1 },
  { id: 'jobs', share: 1.3 },
] as const;
const LEFT_PART = 0.6;

/**
 * @param only the one panel that is shown, null for all.
 * @param above lines of the header.
 */
export function placesOf(size: Size, only: PanelId | null, above: number): readonly Place[] {
  const { columns, rows } = size;
  const height = Math.max(1, rows - above - BELOW);
  if (only !== null) return [{ id: only, x: 0, y: above, width: columns, height }];
  if (columns < WIDE.columns || rows < WIDE.rows) return bands(columns, height, above);
  const left = Math.floor(columns * LEFT_PART);
  const right = columns - left - 1;
  return [...stack(LEFT, 0, left, height, above), ...stack(RIGHT, left + 1, right, height, above)];
}

export function isSmall({ columns, rows }: Size): boolean {
  return columns < LEAST.columns || rows < LEAST.rows;
}

function bands(width: number, height: number, above: number): Place[] {
  const spare = height - BANDS.reduce((sum, band) => sum + band.height, 0);
  const extras = shared(
    BANDS.map(({ share }) => share),
    spare,
  );
  let y = above;
  return BANDS.flatMap(({ ids, widths, height: least }, at) => {
    const tall = least + (extras[at] ?? 0);
    const places = beside(ids, y, shared(widths, width - (ids.length - 1)), tall);
    y += tall;
    return places;
  });
}

function beside(ids: readonly PanelId[], y: number, widths: readonly number[], height: number): Place[] {
  let x = 0;
  return ids.map((id, at) => {
    const place = { id, x, y, width: widths[at] ?? 0, height };
    x += place.width + 1;
    return place;
  });
}

function stack(
  panels: readonly { readonly id: PanelId; readonly share: number }[],
  x: number,
  width: number,
  height: number,
  above: number,
): Place[] {
  const heights = shared(
    panels.map(({ share }) => share),
    height,
  );
  let y = above;
  return panels.map(({ id }, at) => {
    const place = { id, x, y, width, height: heights[at] ?? 0 };
    y += place.height;
    return place;
  });
}

/** Whole numbers in these proportions whose sum is `total`. */
function shared(shares: readonly number[], total: number): number[] {
  const sum = shares.reduce((all, share) => all + share, 0);
  let given = 0;
  let passed = 0;
  return shares.map((share) => {
    passed += share;
    const part = Math.round((total * passed) / sum) - given;
    given += part;
    return part;
  });
}
