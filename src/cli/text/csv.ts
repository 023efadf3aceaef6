/** Rows as CSV of RFC 4180, in UTF-8 and without a byte order mark. Pure: rows in, text out. */
import { escapedControls } from '../../base/values/cells.js';

/**
 * What a spreadsheet would run as a formula, also in full width. Names come from strangers, so an apostrophe
 * goes before it.
 */
const FORMULA = /^[=@\t\r＝＋－＠]|^[+-](?![\d.]+$)/;

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

type Columns<Row> = readonly (keyof Row & string)[];

const record = (values: readonly unknown[]) => `${values.map(field).join(',')}\r\n`;

/** @returns head and one record a row, each ended by CR LF. */
export function csv<Row extends object>(columns: Columns<Row>, rows: readonly Row[]): string {
  return csvHead(columns) + csvRecords(columns, rows);
}

export function csvHead<Row extends object>(columns: Columns<Row>): string {
  return record(columns);
}

export function csvRecords<Row extends object>(columns: Columns<Row>, rows: readonly Row[]): string {
  return rows.map((row) => record(columns.map((column) => row[column]))).join('');
}
