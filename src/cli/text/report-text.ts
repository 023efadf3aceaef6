/** Reports in a terminal: a bar for each row, as long as its money is of the most, and lengths of time. */
import { formatTaka, parseTaka } from '../../base/values/money.js';

/** Cells of the longest bar where there is room. */
const WIDTH = 20;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** @param taka decimal text; what is less than nothing has no bar. */
const paisaOf = (taka: string) => {
  const parsed = parseTaka(taka);
  return parsed.ok ? parsed.paisa : 0;
};

/** A column of bars; any money at all is seen. */
export function barColumn<Row>(rows: readonly Row[], amount: (row: Row) => string) {
  const most = rows.reduce((sofar, row) => Math.max(sofar, paisaOf(amount(row))), 1);
  const bar = (row: Row, width: number) => {
    const paisa = paisaOf(amount(row));
    if (paisa === 0) return '';
    const eighths = Math.max(1, Math.round((paisa / most) * width * 8));
    return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
  };
  return { head: '', text: (row: Row) => bar(row, WIDTH), shrinks: true as const, scaled: bar };
}

/** @param minutes whole ones. @returns `45m`, `3h 5m`, `2d 4h`; nothing for none. */
export function lengthText(minutes: number): string {
  if (minutes === 0) return '–';
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** The sum of the rows of each label, in the order in which the labels come. */
export function sumsOf<Row>(rows: readonly Row[], label: (row: Row) => string, amount: (row: Row) => string) {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(label(row), (sums.get(label(row)) ?? 0) + paisaOf(amount(row)));
  return [...sums].map(([name, paisa]) => ({ label: name, paisa, text: `${formatTaka(paisa)} BDT` }));
}

/** @returns `3`, or `3 (1 open)` where some want a look. */
export const ofThem = (count: number, some: number, word: string) =>
  some === 0 ? String(count) : `${count} (${some} ${word})`;
