/** Reports in a terminal: a bar for each row, as long as its money is of the most, and lengths of time. */
import { parseTaka } from '../../base/values/money.js';

const WIDTH = 20;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** @param taka decimal text; what is less than nothing has no bar. */
export const paisaOf = (taka: string) => {
  const parsed = parseTaka(taka);
  return parsed.ok ? parsed.paisa : 0;
};

/** @returns what draws the bar of a row; any money at all is seen. */
export function barsOf<Row>(rows: readonly Row[], amount: (row: Row) => string): (row: Row) => string {
  const most = rows.reduce((sofar, row) => Math.max(sofar, paisaOf(amount(row))), 1);
  return (row) => {
    const paisa = paisaOf(amount(row));
    if (paisa === 0) return '';
    const eighths = Math.max(1, Math.round((paisa / most) * WIDTH * 8));
    return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
  };
}

/** @param minutes whole ones. @returns `45m`, `3h 5m`, `2d 4h`; nothing for none. */
export function lengthText(minutes: number): string {
  if (minutes === 0) return '–';
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}
