/** Where each panel stands in a window of some size. Pure; knows no panel's contents. */
import type { PanelId } from './panel.js';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A rectangle of cells; between two panels on a line, one column is left for a rule. */
export interface PanelArea {
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
export function panelAreas(size: Size, only: PanelId | null, above: number): readonly PanelArea[] {
  const { columns, rows } = size;
  const height = Math.max(1, rows - above - BELOW);
  if (only !== null) return [{ id: only, x: 0, y: above, width: columns, height }];
  if (columns < WIDE.columns || rows < WIDE.rows) return bands(columns, height, above);
  const left = Math.floor(columns * LEFT_PART);
  const stack = (panels: typeof LEFT | typeof RIGHT, x: number, width: number) => {
    const heights = shared(
      panels.map(({ share }) => share),
      height,
    );
    const tops = startsOf(heights, above);
    return panels.map(({ id }, at) => ({ id, x, y: tops[at] ?? 0, width, height: heights[at] ?? 0 }));
  };
  return [...stack(LEFT, 0, left), ...stack(RIGHT, left + 1, columns - left - 1)];
}

export function isSmall({ columns, rows }: Size): boolean {
  return columns < LEAST.columns || rows < LEAST.rows;
}

function bands(columns: number, height: number, above: number): PanelArea[] {
  const spare = height - BANDS.reduce((sum, band) => sum + band.height, 0);
  const extras = shared(
    BANDS.map(({ share }) => share),
    spare,
  );
  const heights = BANDS.map((band, at) => band.height + (extras[at] ?? 0));
  const tops = startsOf(heights, above);
  return BANDS.flatMap(({ ids, widths }, row) => {
    const wide = shared(widths, columns - (ids.length - 1));
    const lefts = startsOf(wide, 0, 1);
    return ids.map((id, at) => {
      return { id, x: lefts[at] ?? 0, y: tops[row] ?? 0, width: wide[at] ?? 0, height: heights[row] ?? 0 };
    });
  });
}

/** Where each begins that follows the one before it. */
function startsOf(sizes: readonly number[], first: number, gap = 0): number[] {
  let next = first;
  return sizes.map((size) => {
    next += size + gap;
    return next - size - gap;
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
