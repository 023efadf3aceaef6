/** A bar for each row of a report, as long as its money is of the most. */
import { parseTaka } from '../../base/values/money.js';

const WIDTH = 20;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

const paisaOf = (taka: string) => {
  const parsed = parseTaka(taka);
  return parsed.ok ? parsed.paisa : 0;
};

/** @returns what draws the bar of a row; any money at all is seen. */
export function barsOf<Row extends { readonly paid: string }>(rows: readonly Row[]): (row: Row) => string {
  const most = Math.max(1, ...rows.map(({ paid }) => paisaOf(paid)));
  return ({ paid }) => {
    const paisa = paisaOf(paid);
    if (paisa === 0) return '';
    const eighths = Math.max(1, Math.round((paisa / most) * WIDTH * 8));
    return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
  };
}
