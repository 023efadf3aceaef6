/** Positions the panels for a window size. Pure. Knows only the desired number of lines of a panel. */
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

/** Returns the number of lines for the complete panel. */
type DesiredHeight = (id: PanelId) => number;

/** Lines that are not the panels': of the header, and of the keys or a question at the bottom. */
interface Margins {
  readonly above: number;
  readonly below: number;
}

/** Minimum size for several panels; a smaller window shows one panel at a time. */
const LEAST: Size = { columns: 80, rows: 24 };
const WIDE: Size = { columns: 120, rows: 30 };

/** Panels side by side: their minimum height, and their share of the remaining lines. */
interface Band {
  readonly ids: readonly PanelId[];
  readonly widths: readonly number[];
  readonly least: number;
  readonly share: number;
}

/** Widths at 80 columns. */
const BANDS: readonly Band[] = [
  { ids: ['devices'], widths: [1], least: 4, share: 4 },
  { ids: ['payments'], widths: [1], least: 5, share: 4 },
  { ids: ['reviews', 'unclaimed'], widths: [39, 40], least: 3, share: 3 },
  { ids: ['notifications', 'alerts'], widths: [40, 39], least: 4, share: 2 },
  { ids: ['dispatches', 'nodes', 'jobs'], widths: [31, 23, 24], least: 3, share: 1 },
];

const alone = (id: PanelId, least: number, share: number): Band => ({ ids: [id], widths: [1], least, share });

const LEFT = [alone('devices', 5, 5), alone('payments', 6, 5), alone('unclaimed', 3, 2)];
const RIGHT = [
  alone('reviews', 3, 2),
  alone('notifications', 3, 1),
  alone('alerts', 3, 1),
  alone('dispatches', 3, 1),
  alone('nodes', 3, 1),
  alone('jobs', 4, 1),
];
const LEFT_PART = 0.6;

/** @param only the one panel that is shown, null for all. */
export function panelAreas(
  size: Size,
  only: PanelId | null,
  { above, below }: Margins,
  wanted: DesiredHeight,
): readonly PanelArea[] {
  const { columns, rows } = size;
  const height = Math.max(1, rows - above - below);
  if (only !== null) return [{ id: only, x: 0, y: above, width: columns, height }];
  const all = { x: 0, y: above, width: columns, height };
  if (columns < WIDE.columns || rows < WIDE.rows) return stacked(BANDS, all, wanted);
  const left = Math.floor(columns * LEFT_PART);
  const right = { ...all, x: left + 1, width: columns - left - 1 };
  return [...stacked(LEFT, { ...all, width: left }, wanted), ...stacked(RIGHT, right, wanted)];
}

export function isSmall({ columns, rows }: Size): boolean {
  return columns < LEAST.columns || rows < LEAST.rows;
}

function stacked(bands: readonly Band[], area: Omit<PanelArea, 'id'>, wanted: DesiredHeight): PanelArea[] {
  const heights = heightsOf(bands, area.height, wanted);
  const tops = startsOf(heights, area.y);
  return bands.flatMap(({ ids, widths }, row) => {
    const wide = shared(widths, area.width - (ids.length - 1));
    const lefts = startsOf(wide, area.x, 1);
    return ids.map((id, at) => {
      return { id, x: lefts[at] ?? 0, y: tops[row] ?? 0, width: wide[at] ?? 0, height: heights[row] ?? 0 };
    });
  });
}

/**
 * Gives each line to the band with the lowest height for its share, first among bands that need more, then
 * among all. If there are fewer lines than the minimums, the highest bands shrink.
 */
function heightsOf(bands: readonly Band[], total: number, wanted: DesiredHeight): number[] {
  const wants = bands.map(({ ids }) => Math.max(...ids.map(wanted)));
  const heights = bands.map(({ least }) => least);
  let left = total - heights.reduce((sum, height) => sum + height, 0);
  for (; left < 0; left += 1) {
    const highest = heights.indexOf(Math.max(...heights));
    heights[highest] = (heights[highest] ?? 0) - 1;
  }
  const filled = (at: number) => (heights[at] ?? 0) / (bands[at]?.share ?? 1);
  for (; left > 0; left -= 1) {
    const every = bands.map((_, at) => at);
    const wanting = every.filter((at) => (heights[at] ?? 0) < (wants[at] ?? 0));
    const among = wanting.length > 0 ? wanting : every;
    const next = among.reduce((best, at) => (filled(at) < filled(best) ? at : best));
    heights[next] = (heights[next] ?? 0) + 1;
  }
  return heights;
}

/** Start positions of consecutive items. */
function startsOf(sizes: readonly number[], first: number, gap = 0): number[] {
  let next = first;
  return sizes.map((size) => {
    next += size + gap;
    return next - size - gap;
  });
}

/** Integers in these proportions with the sum `total`. */
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
