/** Lists as CSV and JSON, piece by piece, so that no list has to fit the memory. Pure: rows in, text out. */
import { escapedControls } from '../../base/values/cells.js';
import { jsonText } from '../../base/values/json-text.js';

export const LIST_FORMATS = ['csv', 'ndjson', 'json'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** @param columns of CSV. The head comes with the first page, so that no failure is preceded by it. */
export async function* listTexts<Row extends object>(
  format: ListFormat,
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly (keyof Row & string)[],
): AsyncGenerator<string> {
  let before = format === 'csv' ? csvHead(columns) : format === 'json' ? '[' : '';
  for await (const rows of pages) {
    if (format === 'csv') yield before + csvRecords(columns, rows);
    else if (format === 'json') yield before + jsonText(rows).slice(1, -1);
    else yield rows.map((row) => `${jsonText(row)}\n`).join('');
    before = format === 'json' ? ',' : '';
  }
  if (format === 'json') yield before === '[' ? '[]\n' : ']\n';
  else if (before !== '') yield before;
}

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

function csvHead<Row extends object>(columns: Columns<Row>): string {
  return record(columns);
}

function csvRecords<Row extends object>(columns: Columns<Row>, rows: readonly Row[]): string {
  return rows.map((row) => record(columns.map((column) => row[column]))).join('');
}
