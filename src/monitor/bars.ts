/** Small pictures of numbers, one cell each step: a battery and a sparkline. Pure. */
import type { Tone } from './frame.js';

const LEVELS = '▁▂▃▄▅▆▇█';
const EIGHTHS = ' ▏▎▍▌▋▊▉';
const FULL = '█';
const EMPTY = '░';
/** Nothing at all must not look like little. */
const NONE = '·';

/** As in `device.battery_low`. */
const LOW_PERCENT = 20;
const MIDDLE_PERCENT = 40;

/** @param percent 0 to 100. @returns so many cells. */
export function gauge(percent: number, width: number): string {
  const eighths = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width * 8);
  const full = Math.floor(eighths / 8);
  const part = eighths % 8 === 0 ? '' : (EIGHTHS[eighths % 8] ?? '');
  return `${FULL.repeat(full)}${part}`.padEnd(width, EMPTY);
}

export function batteryTone(percent: number, isCharging: boolean): Tone {
  if (percent <= LOW_PERCENT) return isCharging ? 'warn' : 'bad';
  return percent <= MIDDLE_PERCENT && !isCharging ? 'warn' : 'good';
}

/** @param top what fills a cell to its top; at least 1. @returns one cell a value. */
export function sparkline(values: readonly number[], top: number): string {
  return values
    .map((value) => {
      if (value <= 0) return NONE;
      const level = Math.ceil((Math.min(value, top) / top) * LEVELS.length);
      return LEVELS[Math.max(1, level) - 1] ?? FULL;
    })
    .join('');
}
