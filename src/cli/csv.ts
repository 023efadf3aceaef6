/** Rows as CSV of RFC 4180, in UTF-8 and without a byte order mark. Pure: rows in, text out. */
import { escapedControls } from '../base/cells.js';

/** What a spreadsheet would run as a formula. Names come from strangers, so an apostrophe goes before it. */
const FORMULA = /^[=@\t\r]|^[+-](?![\d.]+$)/;

function field(value: unknown): string {
  const text = escapedControls(plain(value));
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plain).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** @returns head and one record a row, each ended by CR LF. */
export function csv<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  const lines = [columns.map(field), ...rows.map((row) => columns.map((column) => field(row[column])))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}
